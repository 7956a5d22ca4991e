"""Lies to the harness, one at a time, and sees whether it notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess

import deviations
from answer import opponent
from lockstep import PROBE_NAME, play_game
from referee_client import Referee, Reply, Request

README = Path(__file__).with_name("README.md")
SEED = 1
MOST_GAMES = 400
"""So many games may go by before there is an occasion for a lie."""


@dataclass(frozen=True)
class Lie:
    """A change to one of our replies. It says whether there was something to change."""

    name: str
    ruleset: str
    tell: Callable[[Request, Reply], bool]
    judge: str = "kriegspiel"


class LyingReferee(Referee):
    """Our referee, with one of its replies changed."""

    def __init__(self, krieg: str) -> None:
        super().__init__(krieg)
        self.lie: Lie | None = None

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies, the first of which that gives occasion is a lie."""
        replies = super().ask_all(requests)
        for request, reply in zip(requests, replies, strict=True):
            # Of a probe only the verdict is looked at, so there a lie would prove nothing.
            is_probe = request["game"].startswith(PROBE_NAME)
            if self.lie and not is_probe and self.lie.tell(request, reply):
                self.lie = None
        return replies


def self_test(krieg: str, max_plies: int) -> bool:
    """Tells every lie and prints which were noticed, and whether the README is current."""
    current = deviations.table() in README.read_text(encoding="utf-8")
    print(f"{'the table of deviations in the README':<70}{'current' if current else 'OUT OF DATE'}")
    noticed = int(current)
    with LyingReferee(krieg) as referee:
        for lie in LIES:
            verdict = tell(referee, lie, max_plies)
            noticed += verdict.startswith("noticed")
            print(f"{lie.name:<44} {lie.ruleset:<13}{lie.judge:<12}{verdict}")
    wanted = 1 + len(LIES)
    print(f"{noticed} passed, {wanted - noticed} failed")
    return noticed == wanted


def tell(referee: LyingReferee, lie: Lie, max_plies: int) -> str:
    """Plays until the lie is told, and says what came of it."""
    referee.lie = lie
    for game in range(MOST_GAMES):
        tally = play_game(referee, lie.judge, lie.ruleset, SEED, game, max_plies)
        told = referee.lie is None
        if tally.failures:
            what = tally.failures[0].what
            return f"noticed: {what}" if told else f"FAILED without a lie: {what}"
        if told:
            return f"NOT NOTICED in game {game}"
    return f"NEVER TOLD in {MOST_GAMES} games"


def said(reply: Reply) -> dict[str, Any]:
    """What was said, or nothing."""
    return reply.get("said", {})


def drop(field: str) -> Callable[[Request, Reply], bool]:
    """Keeps a field to ourselves."""
    return lambda request, reply: said(reply).pop(field, None) is not None


def drop_of_capture(field: str) -> Callable[[Request, Reply], bool]:
    """Keeps a field of a capture to ourselves."""
    return lambda request, reply: said(reply).get("capture", {}).pop(field, None) is not None


def put(field: str, old: Any, new: Any) -> Callable[[Request, Reply], bool]:
    """Says one thing for another."""

    def tell(request: Request, reply: Reply) -> bool:
        if said(reply).get(field) != old:
            return False
        said(reply)[field] = new
        return True

    return tell


def heard_by(verdict: str, hearers: int, now: list[str]) -> Callable[[Request, Reply], bool]:
    """Has others hear what so many should."""

    def tell(request: Request, reply: Reply) -> bool:
        words = said(reply)
        if words.get("verdict") != verdict or len(words["heard_by"]) != hearers:
            return False
        words["heard_by"] = now
        return True

    return tell


def moved_square(request: Request, reply: Reply) -> bool:
    """Names the wrong square of a capture."""
    capture = said(reply).get("capture")
    if capture:
        capture["square"] = "a1" if capture["square"] != "a1" else "a2"
    return bool(capture)


def one_more_pawn_try(request: Request, reply: Reply) -> bool:
    """Counts a pawn try too many."""
    if not said(reply).get("pawn_tries"):
        return False
    said(reply)["pawn_tries"] += 1
    return True


def one_pawn_less(request: Request, reply: Reply) -> bool:
    """Keeps back the square of a pawn that has a try."""
    squares = said(reply).get("pawn_tries")
    return bool(squares) and bool(squares.pop())


def a_check_too_many(request: Request, reply: Reply) -> bool:
    """Announces a check that is none."""
    words = said(reply)
    if words.get("verdict") != "moved" or "checks" in words or "end" in words:
        return False
    words["checks"] = ["knight"]
    return True


def one_check_of_two(request: Request, reply: Reply) -> bool:
    """Announces half of a double check."""
    checks = said(reply).get("checks", [])
    return len(checks) == 2 and bool(checks.pop())


def end_as(ending: str, field: str, value: Any) -> Callable[[Request, Reply], bool]:
    """Tells another end of the game."""

    def tell(request: Request, reply: Reply) -> bool:
        end = said(reply).get("end")
        if not end or end["ending"] != ending:
            return False
        end[field] = value
        return True

    return tell


def the_other_mates(request: Request, reply: Reply) -> bool:
    """Gives a mate to the side that was mated."""
    end = said(reply).get("end")
    if not end or end["ending"] != "checkmate":
        return False
    end["winner"] = opponent(end["winner"])
    return True


def answered_after_all(request: Request, reply: Reply) -> bool:
    """Refuses aloud what was not accepted."""
    if reply.get("accepted", True):
        return False
    reply.pop("reason")
    by = request["player"]
    words = {"by": by, "verdict": "refused", "heard_by": ["white", "black"]}
    reply.update(accepted=True, said=words, words="No.")
    return True


def in_view(change: Callable[[dict[str, Any]], bool]) -> Callable[[Request, Reply], bool]:
    """Changes a player's view."""
    return lambda request, reply: "view" in reply and change(reply["view"])


def an_extra_refusal(view: dict[str, Any]) -> bool:
    """Lets a player know of a refusal while the other is to move."""
    if view["tries"]:
        return False
    view["refusals"] += 1
    return True


def an_extra_ply(view: dict[str, Any]) -> bool:
    """Counts a move that was not made."""
    view["ply"] += 1
    return True


def one_try_less(view: dict[str, Any]) -> bool:
    """Withholds a sensible try."""
    return bool(view["tries"]) and bool(view["tries"].pop())


def one_diagonal_less(view: dict[str, Any]) -> bool:
    """Withholds a diagonal pawn try that is sensible, for there was a pawn try announced."""
    men = chess.BaseBoard(view["pieces"])
    for uci in view["tries"]:
        if uci[0] != uci[2] and men.piece_type_at(chess.parse_square(uci[:2])) == chess.PAWN:
            view["tries"].remove(uci)
            return True
    return False


def an_extra_try(view: dict[str, Any]) -> bool:
    """Offers a move that no own man can make."""
    if view["tries"]:
        view["tries"].append("a1h7")
    return bool(view["tries"])


def another_fen(field: int, value: str) -> Callable[[Request, Reply], bool]:
    """Changes a field of the position."""

    def tell(request: Request, reply: Reply) -> bool:
        fields = reply.get("fen", "").split(" ")
        if len(fields) != 6 or fields[field] == value:
            return False
        fields[field] = value
        reply["fen"] = " ".join(fields)
        return True

    return tell


BOTH = ["white", "black"]

LIES = (
    Lie("a capture is not told", "icc", drop("capture")),
    Lie("a capture is not told", "icc", drop("capture"), "open_spiel"),
    Lie("a capture names another square", "berkeley", moved_square),
    Lie("the victim's kind is not told", "cincinnati", drop_of_capture("victim")),
    Lie("en passant is not said to be one", "english", drop_of_capture("en_passant")),
    Lie("a promotion is not told", "rand", drop("promoted")),
    Lie("a check is not told", "berkeley", drop("checks")),
    Lie("a check is not told", "icc", drop("checks"), "open_spiel"),
    Lie("a check is told that is none", "icc", a_check_too_many, "open_spiel"),
    Lie("a check by rank is told as by file", "rand", put("checks", ["rank"], ["file"])),
    Lie("half of a double check is told", "english", one_check_of_two),
    Lie("the pawn tries are not told", "icc", drop("pawn_tries"), "open_spiel"),
    Lie("a pawn try too many", "icc", one_more_pawn_try),
    Lie("a pawn try too many", "icc", one_more_pawn_try, "open_spiel"),
    Lie("there is a pawn try where there is none", "cincinnati", put("pawn_tries", False, True)),
    Lie("a pawn with a try is not named", "rand", one_pawn_less),
    Lie("no for yes", "english", put("verdict", "yes", "no")),
    Lie("refused for nonsense", "cincinnati", put("verdict", "nonsense", "refused")),
    Lie("nonsense for refused", "rand", put("verdict", "refused", "nonsense")),
    Lie("nonsense for refused", "english", put("verdict", "refused", "nonsense")),
    Lie("refused for moved", "icc", put("verdict", "moved", "refused"), "open_spiel"),
    Lie("an answer to what was not accepted", "berkeley", answered_after_all),
    Lie("both hear a private refusal", "icc", heard_by("refused", 1, BOTH)),
    Lie("one hears a public refusal", "english", heard_by("refused", 2, ["white"])),
    Lie("one hears nonsense", "rand", heard_by("nonsense", 2, ["black"])),
    Lie("one hears a move", "icc", heard_by("moved", 2, ["white"]), "open_spiel"),
    Lie("one hears the answer to any?", "berkeley-any", heard_by("no", 2, ["white"])),
    Lie("mate for stalemate", "berkeley-any", end_as("stalemate", "ending", "checkmate")),
    Lie("a stalemate wins nothing", "rand", end_as("stalemate", "winner", None)),
    Lie("the wrong side mates", "icc", the_other_mates, "open_spiel"),
    Lie("the end by want of men is not told", "icc", drop("end"), "open_spiel"),
    Lie("a try is missing", "icc", in_view(one_try_less)),
    Lie("a diagonal is missing", "icc", in_view(one_diagonal_less)),
    Lie("a diagonal is missing", "rand", in_view(one_diagonal_less)),
    Lie("a diagonal is missing", "icc", in_view(one_diagonal_less), "open_spiel"),
    Lie("a try too many", "berkeley", in_view(an_extra_try)),
    Lie("a try too many", "icc", in_view(an_extra_try), "open_spiel"),
    Lie("a view knows of a refusal nobody told", "icc", in_view(an_extra_refusal)),
    Lie("a view is a move ahead", "english", in_view(an_extra_ply)),
    Lie("the castling rights are gone", "icc", another_fen(2, "-")),
    Lie("no pawn made a double step", "icc", another_fen(3, "-"), "open_spiel"),
    Lie("the clock stands still", "rand", another_fen(4, "0")),
)
