"""What an umpire answers to a try, in one form for our umpire and every judge."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

PLAYERS = ("white", "black")
BOTH = frozenset(PLAYERS)
NOBODY: frozenset[str] = frozenset()

ANY = "any?"

PawnTries = int | bool | tuple[str, ...] | None
"""A number, whether there are any, the squares of the pawns, or nothing said."""

End = tuple[str, str | None]
"""How the game ended, and who won."""

SAID = {
    "by", "verdict", "heard_by", "capture", "promoted", "checks", "pawn_tries", "end",
}  # fmt: skip
CAPTURE = {"square", "victim", "en_passant"}


def opponent(player: str) -> str:
    """The other player."""
    return "black" if player == "white" else "white"


class Malformed(Exception):
    """Our referee said something its protocol does not have."""


@dataclass(frozen=True)
class Answer:
    """An answer and who hears it. A try that was not accepted has no verdict and no hearers."""

    verdict: str | None
    heard_by: frozenset[str]
    turn: str | None
    capture: str | None = None
    victim: str | None = None
    en_passant: bool = False
    promoted: bool = False
    checks: tuple[str, ...] = ()
    pawn_tries: PawnTries = None
    end: End | None = None


NAMES = tuple(field.name for field in fields(Answer))


def differences(ours: Answer, theirs: Answer) -> list[tuple[str, Any, Any]]:
    """The fields in which two answers differ."""
    if ours == theirs and type(ours.pawn_tries) is type(theirs.pawn_tries):
        return []
    found = []
    for name in NAMES:
        mine, other = getattr(ours, name), getattr(theirs, name)
        # To Python `True` is 1, but "there are some" is not "there is one".
        if mine != other or type(mine) is not type(other):
            found.append((name, mine, other))
    return found


def read_reply(reply: dict[str, Any], mover: str) -> Answer:
    """Our referee's answer to a try of `mover`, or its opening words where he is to move."""
    turn = reply["turn"]
    accepted = reply.get("accepted", True)
    if not accepted:
        if "said" in reply or not reply.get("reason"):
            raise Malformed(f"not accepted, so a reason and nothing said: {reply}")
        return Answer(None, NOBODY, turn)
    said = reply["said"]
    if not reply.get("words"):
        raise Malformed(f"no words: {reply}")
    if not SAID.issuperset(said):
        raise Malformed(f"unknown field said: {said}")
    if said["by"] != mover:
        raise Malformed(f"this answers {mover}: {said}")
    if len(set(said["heard_by"])) != len(said["heard_by"]):
        raise Malformed(f"somebody hears twice: {said}")
    answer = Answer(
        verdict=said["verdict"],
        heard_by=frozenset(said["heard_by"]),
        turn=turn,
        promoted=said.get("promoted", False),
        checks=tuple(sorted(said.get("checks", ()))),
        pawn_tries=read_pawn_tries(said.get("pawn_tries")),
        end=read_end(said.get("end")),
    )
    capture = said.get("capture")
    if capture is None:
        return answer
    if not CAPTURE.issuperset(capture):
        raise Malformed(f"unknown field of a capture: {said}")
    return replace(
        answer,
        capture=capture["square"],
        victim=capture.get("victim"),
        en_passant=capture.get("en_passant", False),
    )


def read_pawn_tries(told: Any) -> PawnTries:
    """Pawn tries as JSON has them, squares in order."""
    return tuple(sorted(told)) if isinstance(told, list) else told


def read_end(told: dict[str, Any] | None) -> End | None:
    """The end of a game as JSON has it."""
    return None if told is None else (told["ending"], told["winner"])
