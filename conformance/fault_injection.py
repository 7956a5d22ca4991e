"""Fault injection: changes one reply of our referee at a time; each change must be detected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess

import deviations
from comparison import PROBE_NAME, play_game
from referee_client import Referee, Reply, Request
from response import opponent

README = Path(__file__).with_name("README.md")
SEED = 1
MAX_GAMES = 400
"""Maximum number of games until a reply occurs in which the fault can be injected."""


Injection = Callable[[Request, Reply], bool]


@dataclass(frozen=True)
class Fault:
    """A change to one reply. `inject` returns whether the reply had something to change."""

    name: str
    ruleset: str
    inject: Injection
    reference: str = "kriegspiel"


class FaultyReferee(Referee):
    """Our referee with one changed reply."""

    def __init__(self, krieg: str) -> None:
        super().__init__(krieg)
        self.fault: Fault | None = None

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies. The fault is injected into the first suitable one."""
        replies = super().ask_all(requests)
        for request, reply in zip(requests, replies, strict=True):
            # Only the verdict of a probe is compared, so a fault there would test nothing.
            is_probe = request["game"].startswith(PROBE_NAME)
            if self.fault and not is_probe and self.fault.inject(request, reply):
                self.fault = None
        return replies


def self_test(krieg: str, max_plies: int) -> bool:
    """Injects every fault, prints which were detected, and checks the table in the README."""
    current = deviations.table() in README.read_text(encoding="utf-8")
    status = "current" if current else "OUT OF DATE"
    print(f"{'the table of deviations in the README':<72}{status}")
    passed = int(current)
    with FaultyReferee(krieg) as referee:
        for fault in FAULTS:
            status = inject(referee, fault, max_plies)
            passed += status.startswith("detected")
            print(f"{fault.name:<46} {fault.ruleset:<13}{fault.reference:<12}{status}")
    total = 1 + len(FAULTS)
    print(f"{passed} passed, {total - passed} failed")
    return passed == total


def inject(referee: FaultyReferee, fault: Fault, max_plies: int) -> str:
    """Plays until the fault is injected, and returns whether it was detected."""
    referee.fault = fault
    for game in range(MAX_GAMES):
        results = play_game(referee, fault.reference, fault.ruleset, SEED, game, max_plies)
        injected = referee.fault is None
        if results.failures:
            what = results.failures[0].what
            return f"detected: {what}" if injected else f"FAILED without a fault: {what}"
        if injected:
            return f"NOT DETECTED in game {game}"
    return f"NEVER INJECTED in {MAX_GAMES} games"


def announcement(reply: Reply) -> dict[str, Any]:
    """The announcement in a reply; empty if there is none."""
    return reply.get("announcement", {})


def drop(field: str) -> Callable[[Request, Reply], bool]:
    """Removes a field of an announcement."""
    return lambda request, reply: announcement(reply).pop(field, None) is not None


def drop_in_capture(field: str) -> Callable[[Request, Reply], bool]:
    """Removes a field of a capture."""

    def inject(request: Request, reply: Reply) -> bool:
        return announcement(reply).get("capture", {}).pop(field, None) is not None

    return inject


def put(field: str, old: Any, new: Any) -> Callable[[Request, Reply], bool]:
    """Replaces the value of a field."""

    def inject(request: Request, reply: Reply) -> bool:
        if announcement(reply).get(field) != old:
            return False
        announcement(reply)[field] = new
        return True

    return inject


def heard_by(verdict: str, hearers: int, now: list[str]) -> Callable[[Request, Reply], bool]:
    """Replaces the hearers of an announcement that has this many."""

    def inject(request: Request, reply: Reply) -> bool:
        changed = announcement(reply)
        if changed.get("verdict") != verdict or len(changed["heard_by"]) != hearers:
            return False
        changed["heard_by"] = now
        return True

    return inject


def wrong_capture_square(request: Request, reply: Reply) -> bool:
    """Changes the square of a capture."""
    capture = announcement(reply).get("capture")
    if capture:
        capture["square"] = "a1" if capture["square"] != "a1" else "a2"
    return bool(capture)


def one_more_pawn_try(request: Request, reply: Reply) -> bool:
    """Adds one to the number of pawn tries."""
    if not announcement(reply).get("pawn_tries"):
        return False
    announcement(reply)["pawn_tries"] += 1
    return True


def one_square_missing(request: Request, reply: Reply) -> bool:
    """Removes the square of a pawn that has a pawn try."""
    squares = announcement(reply).get("pawn_tries")
    return bool(squares) and bool(squares.pop())


def extra_check(request: Request, reply: Reply) -> bool:
    """Announces a check where there is none."""
    changed = announcement(reply)
    if changed.get("verdict") != "moved" or "checks" in changed or "end" in changed:
        return False
    changed["checks"] = ["knight"]
    return True


def one_check_of_two(request: Request, reply: Reply) -> bool:
    """Removes one of the two directions of a double check."""
    checks = announcement(reply).get("checks", [])
    return len(checks) == 2 and bool(checks.pop())


def end_as(ending: str, field: str, value: Any) -> Callable[[Request, Reply], bool]:
    """Changes a field of the end of the game."""

    def inject(request: Request, reply: Reply) -> bool:
        end = announcement(reply).get("end")
        if not end or end["ending"] != ending:
            return False
        end[field] = value
        return True

    return inject


def wrong_winner(request: Request, reply: Reply) -> bool:
    """Declares the checkmated side the winner."""
    end = announcement(reply).get("end")
    if not end or end["ending"] != "checkmate":
        return False
    end["winner"] = opponent(end["winner"])
    return True


def announced_refusal(request: Request, reply: Reply) -> bool:
    """Announces a refusal of a try that was not processed."""
    if reply.get("accepted", True):
        return False
    reply.pop("reason")
    by = request["player"]
    refusal = {"by": by, "verdict": "refused", "heard_by": ["white", "black"]}
    reply.update(accepted=True, announcement=refusal, text="Illegal.")
    return True


def in_view(change: Callable[[dict[str, Any]], bool]) -> Callable[[Request, Reply], bool]:
    """Changes a player's view."""
    return lambda request, reply: "view" in reply and change(reply["view"])


def extra_refusal(view: dict[str, Any]) -> bool:
    """Adds a refusal to the view of the player who is not to move."""
    if view["tries"]:
        return False
    view["refusals"] += 1
    return True


def extra_ply(view: dict[str, Any]) -> bool:
    """Adds one to the number of plies."""
    view["ply"] += 1
    return True


def missing_try(view: dict[str, Any]) -> bool:
    """Removes a sensible try."""
    return bool(view["tries"]) and bool(view["tries"].pop())


def missing_diagonal(view: dict[str, Any]) -> bool:
    """Removes a diagonal pawn try that is sensible, because a pawn try was announced."""
    pieces = chess.BaseBoard(view["pieces"])
    for uci in view["tries"]:
        is_pawn = pieces.piece_type_at(chess.parse_square(uci[:2])) == chess.PAWN
        if uci[0] != uci[2] and is_pawn:
            view["tries"].remove(uci)
            return True
    return False


def extra_try(view: dict[str, Any]) -> bool:
    """Adds a try that no own piece can make."""
    if view["tries"]:
        view["tries"].append("a1h7")
    return bool(view["tries"])


def changed_fen(field: int, value: str) -> Callable[[Request, Reply], bool]:
    """Changes a field of the position."""

    def inject(request: Request, reply: Reply) -> bool:
        fields = reply.get("fen", "").split(" ")
        if len(fields) != 6 or fields[field] == value:
            return False
        fields[field] = value
        reply["fen"] = " ".join(fields)
        return True

    return inject


BOTH = ["white", "black"]

FAULTS = (
    Fault("a capture is not announced", "icc", drop("capture")),
    Fault("a capture is not announced", "icc", drop("capture"), "open_spiel"),
    Fault("a capture has the wrong square", "berkeley", wrong_capture_square),
    Fault("the victim is not announced", "cincinnati", drop_in_capture("victim")),
    Fault("en passant is not announced", "english", drop_in_capture("en_passant")),
    Fault("a promotion is not announced", "rand", drop("promoted")),
    Fault("a check is not announced", "berkeley", drop("checks")),
    Fault("a check is not announced", "icc", drop("checks"), "open_spiel"),
    Fault("a check is announced where there is none", "icc", extra_check, "open_spiel"),
    Fault("a check by rank is announced as by file", "rand", put("checks", ["rank"], ["file"])),
    Fault("only half of a double check is announced", "english", one_check_of_two),
    Fault("the pawn tries are not announced", "icc", drop("pawn_tries"), "open_spiel"),
    Fault("a pawn try too many", "icc", one_more_pawn_try),
    Fault("a pawn try too many", "icc", one_more_pawn_try, "open_spiel"),
    Fault("a pawn try where there is none", "cincinnati", put("pawn_tries", False, True)),
    Fault("the square of a pawn with a try is missing", "rand", one_square_missing),
    Fault("no instead of yes", "english", put("verdict", "yes", "no")),
    Fault("refused instead of nonsense", "cincinnati", put("verdict", "nonsense", "refused")),
    Fault("nonsense instead of refused", "rand", put("verdict", "refused", "nonsense")),
    Fault("nonsense instead of refused", "english", put("verdict", "refused", "nonsense")),
    Fault("refused instead of moved", "icc", put("verdict", "moved", "refused"), "open_spiel"),
    Fault("a try that was not processed is refused", "berkeley", announced_refusal),
    Fault("both hear a private refusal", "icc", heard_by("refused", 1, BOTH)),
    Fault("only one hears a public refusal", "english", heard_by("refused", 2, ["white"])),
    Fault("only one hears nonsense", "rand", heard_by("nonsense", 2, ["black"])),
    Fault("only one hears a move", "icc", heard_by("moved", 2, ["white"]), "open_spiel"),
    Fault("only one hears the answer to any?", "berkeley-any", heard_by("no", 2, ["white"])),
    Fault("mate instead of stalemate", "berkeley-any", end_as("stalemate", "ending", "checkmate")),
    Fault("a stalemate wins nothing", "rand", end_as("stalemate", "winner", None)),
    Fault("the wrong side wins by checkmate", "icc", wrong_winner, "open_spiel"),
    Fault("the end is not announced", "icc", drop("end"), "open_spiel"),
    Fault("a try is missing", "icc", in_view(missing_try)),
    Fault("a diagonal is missing", "icc", in_view(missing_diagonal)),
    Fault("a diagonal is missing", "rand", in_view(missing_diagonal)),
    Fault("a diagonal is missing", "icc", in_view(missing_diagonal), "open_spiel"),
    Fault("a try too many", "berkeley", in_view(extra_try)),
    Fault("a try too many", "icc", in_view(extra_try), "open_spiel"),
    Fault("a view has a refusal that was not announced", "icc", in_view(extra_refusal)),
    Fault("a view is a ply ahead", "english", in_view(extra_ply)),
    Fault("the castling rights are missing", "icc", changed_fen(2, "-")),
    Fault("the en passant square is missing", "icc", changed_fen(3, "-"), "open_spiel"),
    Fault("the half-move clock stands still", "rand", changed_fen(4, "0")),
)
