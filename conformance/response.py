"""The umpire's response to a try, in one form for our umpire and every reference."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

PLAYERS = ("white", "black")
BOTH = frozenset(PLAYERS)
NO_PLAYER: frozenset[str] = frozenset()

ANY = "any?"

PawnTries = int | bool | tuple[str, ...] | None
"""A number, whether there are any, the squares of the pawns, or `None` if nothing is announced."""

End = tuple[str, str | None]
"""How the game ended, and who won."""

ANNOUNCEMENT_FIELDS = {
    "by", "verdict", "heard_by", "capture", "promoted", "checks", "pawn_tries", "end",
}  # fmt: skip
CAPTURE_FIELDS = {"square", "victim", "en_passant"}


def opponent(player: str) -> str:
    """The other player."""
    return "black" if player == "white" else "white"


class MalformedReply(Exception):
    """Our referee sent something that its protocol does not have."""


@dataclass(frozen=True)
class Response:
    """A response and who hears it. A try that was not processed has no verdict and no hearers."""

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


FIELD_NAMES = tuple(field.name for field in fields(Response))


def differences(ours: Response, theirs: Response) -> list[tuple[str, Any, Any]]:
    """The fields in which two responses differ."""
    if ours == theirs and type(ours.pawn_tries) is type(theirs.pawn_tries):
        return []
    found = []
    for name in FIELD_NAMES:
        our_value, their_value = getattr(ours, name), getattr(theirs, name)
        # In Python `True == 1`, but "there are some" is not "there is one".
        if our_value != their_value or type(our_value) is not type(their_value):
            found.append((name, our_value, their_value))
    return found


def read_response(reply: dict[str, Any], mover: str) -> Response:
    """Our referee's response to a try of `mover`, or the opening with `mover` to move."""
    turn = reply["turn"]
    accepted = reply.get("accepted", True)
    if not accepted:
        if "announcement" in reply or not reply.get("reason"):
            raise MalformedReply(f"expected a reason and no announcement: {reply}")
        return Response(None, NO_PLAYER, turn)
    announcement = reply["announcement"]
    if not reply.get("text"):
        raise MalformedReply(f"the text is missing: {reply}")
    if not ANNOUNCEMENT_FIELDS.issuperset(announcement):
        raise MalformedReply(f"unknown field of an announcement: {announcement}")
    if announcement["by"] != mover:
        raise MalformedReply(f"expected a response to {mover}: {announcement}")
    if len(set(announcement["heard_by"])) != len(announcement["heard_by"]):
        raise MalformedReply(f"a player is listed twice in heard_by: {announcement}")
    response = Response(
        verdict=announcement["verdict"],
        heard_by=frozenset(announcement["heard_by"]),
        turn=turn,
        promoted=announcement.get("promoted", False),
        checks=tuple(sorted(announcement.get("checks", ()))),
        pawn_tries=read_pawn_tries(announcement.get("pawn_tries")),
        end=read_end(announcement.get("end")),
    )
    capture = announcement.get("capture")
    if capture is None:
        return response
    if not CAPTURE_FIELDS.issuperset(capture):
        raise MalformedReply(f"unknown field of a capture: {announcement}")
    return replace(
        response,
        capture=capture["square"],
        victim=capture.get("victim"),
        en_passant=capture.get("en_passant", False),
    )


def read_pawn_tries(value: Any) -> PawnTries:
    """Reads pawn tries from JSON. Squares are sorted."""
    return tuple(sorted(value)) if isinstance(value, list) else value


def read_end(value: dict[str, Any] | None) -> End | None:
    """Reads the end of a game from JSON."""
    return None if value is None else (value["ending"], value["winner"])
