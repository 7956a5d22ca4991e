"""The deviations of the references: a table of excused mismatches, each defined narrowly.

A mismatch that no predicate here recognises is an error of our umpire, or a new entry of this
table once it is clear that the reference is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import chess

from chess_rules import (
    captured_square,
    check_directions,
    en_passant_capturers,
    end_on_board,
    is_pawn_diagonal,
    legal_pawn_captures,
    name_of,
)
from kriegspiel_reference import read_move
from response import ANY, BOTH, NO_PLAYER

THEIRS_ONLY = "try that only the reference offers"
OURS_ONLY = "try that only our umpire offers"


@dataclass(frozen=True)
class Facts:
    """What is known when a response or the list of tries is compared."""

    ruleset: str
    tried: str | None
    """The try; `None` when the list of tries or the opening is compared."""
    after: chess.Board
    """The board, after the try if it was a legal move."""
    moved: bool
    refused: frozenset[str]
    """The tries refused earlier in this turn."""
    obligation_ended: bool
    """In this turn a pawn capture owed after "any?" was refused, and none is owed any more."""
    over: bool
    """The game had ended before this try."""

    @cached_property
    def before(self) -> chess.Board:
        """The board on which the try was made."""
        if not self.moved:
            return self.after
        board = self.after.copy()
        board.pop()
        return board

    @property
    def mover(self) -> str:
        """The player who made the try."""
        return name_of(self.before.turn)


@dataclass(frozen=True)
class Mismatch:
    """One field in which our umpire and a reference differ."""

    what: str
    ours: Any
    theirs: Any
    facts: Facts


@dataclass(frozen=True)
class Deviation:
    """An error of a reference, or a rule in which it differs from ours."""

    key: str
    reference: str
    rulesets: tuple[str, ...]
    they: str
    """What the reference does."""
    why: str
    """Why our umpire does not."""
    explains: Callable[[Mismatch], bool]


def _is_unannounced_en_passant(facts: Facts, uci: str | None) -> bool:
    """An illegal en passant capture by a pawn for which no pawn try was announced."""
    if uci is None or uci == ANY:
        return False
    board, move = facts.before, read_move(uci)
    announced = legal_pawn_captures(board)
    if facts.ruleset == "rand":
        announced = {capture for capture in announced if capture[0] == move.from_square}
    return move in en_passant_capturers(board) and not board.is_legal(move) and not announced


def _offers_illegal_en_passant(m: Mismatch) -> bool:
    return (
        m.what == THEIRS_ONLY
        and m.theirs not in m.facts.refused
        and _is_unannounced_en_passant(m.facts, m.theirs)
    )


def _refuses_illegal_en_passant(m: Mismatch) -> bool:
    return (
        (m.what, m.ours, m.theirs) == ("verdict", "nonsense", "refused")
        and m.facts.tried not in m.facts.refused
        and _is_unannounced_en_passant(m.facts, m.facts.tried)
    )


def _offers_refused_try_again(m: Mismatch) -> bool:
    return m.what == THEIRS_ONLY and m.facts.obligation_ended and m.theirs in m.facts.refused


def _responds_after_the_end(m: Mismatch) -> bool:
    if not m.facts.over:
        return False
    verdicts = (m.what, m.ours, m.theirs)
    return verdicts in (("verdict", None, "refused"), ("verdict", None, "nonsense")) or (
        m.what == "heard_by" and m.ours == NO_PLAYER and m.facts.mover in m.theirs
    )


def _opening_is_not_announced(m: Mismatch) -> bool:
    if m.facts.tried is not None:
        return False
    if m.what == "pawn_tries":
        return m.theirs is None and m.ours == len(legal_pawn_captures(m.facts.after))
    return m.what == "checks" and m.theirs == () and m.ours == check_directions(m.facts.after)


def _check_is_not_announced(m: Mismatch) -> bool:
    return (
        m.what == "checks"
        and m.facts.moved
        and m.theirs == ()
        and m.ours == check_directions(m.facts.after)
    )


def _en_passant_is_not_announced(m: Mismatch) -> bool:
    if not m.facts.moved or m.theirs is not None:
        return False
    board = m.facts.after
    return m.facts.before.is_en_passant(board.peek()) and (m.what, m.ours) in (
        ("capture", captured_square(board)),
        ("victim", "pawn"),
    )


def _promotions_are_counted_fourfold(m: Mismatch) -> bool:
    if m.what != "pawn_tries" or m.ours is None or m.theirs is None:
        return False
    captures = legal_pawn_captures(m.facts.after)
    promoting = sum(chess.square_rank(to) in (0, 7) for _, to in captures)
    return m.ours == len(captures) and m.theirs - m.ours == 3 * promoting > 0


def _offers_every_diagonal(m: Mismatch) -> bool:
    board = m.facts.before
    return (
        m.what == THEIRS_ONLY
        and is_pawn_diagonal(board, read_move(m.theirs))
        and not legal_pawn_captures(board)
    )


def _refusal_is_heard_by_both(m: Mismatch) -> bool:
    return (
        m.what == "heard_by"
        and not m.facts.moved
        and m.ours == frozenset([m.facts.mover])
        and m.theirs == BOTH
    )


def _mate_is_declared_late(m: Mismatch) -> bool:
    board = m.facts.after
    ending = end_on_board(board)
    if not m.facts.moved or ending not in ("checkmate", "stalemate"):
        return False
    winner = name_of(not board.turn) if ending == "checkmate" else None
    return (m.what, m.ours, m.theirs) in (
        ("end", (ending, winner), None),
        ("turn", None, name_of(board.turn)),
        ("pawn_tries", None, 0),
    )


DEVIATIONS = (
    Deviation(
        key="illegal-en-passant-offered",
        reference="kriegspiel",
        rulesets=("icc", "cincinnati", "rand"),
        they="offer an en passant capture that is illegal because of a pin or a check, although no "
        "try of that pawn was announced",
        why="the offer tells the player that an opponent's pawn is beside their own; offered tries "
        "must not reveal what was not announced",
        explains=_offers_illegal_en_passant,
    ),
    Deviation(
        key="illegal-en-passant-refused",
        reference="kriegspiel",
        rulesets=("cincinnati", "rand"),
        they="refuse that same capture",
        why='no try was announced, so it is nonsense like every other diagonal; "refused" would '
        "distinguish it from the others",
        explains=_refuses_illegal_en_passant,
    ),
    Deviation(
        key="refused-tries-return",
        reference="kriegspiel",
        rulesets=("english",),
        they='offer tries refused earlier in the same turn again, after the pawn capture owed to '
        '"any?" was refused',
        why="a try refused in this turn is no longer sensible; the board has not changed",
        explains=_offers_refused_try_again,
    ),
    Deviation(
        key="responses-after-the-end",
        reference="kriegspiel",
        rulesets=("icc", "cincinnati", "english", "rand"),
        they="refuse tries after the end of the game, and announce that to the players",
        why="after the end no player is to move, and tries are not processed",
        explains=_responds_after_the_end,
    ),
    Deviation(
        key="silent-opening",
        reference="open_spiel",
        rulesets=("icc",),
        they="announce nothing at the beginning of a game, whatever the position",
        why="the first player has the same right to hear checks and pawn tries as later",
        explains=_opening_is_not_announced,
    ),
    Deviation(
        key="silent-checks",
        reference="open_spiel",
        rulesets=("icc",),
        they="never announce a check",
        why="both players hear check directions; python-chess finds the same checks",
        explains=_check_is_not_announced,
    ),
    Deviation(
        key="silent-en-passant",
        reference="open_spiel",
        rulesets=("icc",),
        they="do not announce an en passant capture as a capture",
        why="a pawn has left the board, and its owner must know",
        explains=_en_passant_is_not_announced,
    ),
    Deviation(
        key="promotions-counted-fourfold",
        reference="open_spiel",
        rulesets=("icc",),
        they="count a promoting pawn capture four times",
        why="pawn tries are distinct (from, to) captures",
        explains=_promotions_are_counted_fourfold,
    ),
    Deviation(
        key="every-diagonal-offered",
        reference="open_spiel",
        rulesets=("icc",),
        they="offer diagonal pawn tries even when there is none",
        why="if no pawn try is announced, they are not sensible",
        explains=_offers_every_diagonal,
    ),
    Deviation(
        key="refusals-heard-by-both",
        reference="open_spiel",
        rulesets=("icc",),
        they="announce a refused try to both players",
        why="on the Internet Chess Club only the mover hears it",
        explains=_refusal_is_heard_by_both,
    ),
    Deviation(
        key="late-mate",
        reference="open_spiel",
        rulesets=("icc",),
        they="notice checkmate and stalemate only when every try of the player has been refused",
        why="the umpire declares them as soon as they are on the board",
        explains=_mate_is_declared_late,
    ),
)


def explanation(reference: str, mismatch: Mismatch) -> Deviation | None:
    """The deviation of this reference that explains a mismatch, if there is one."""
    for deviation in DEVIATIONS:
        if (
            deviation.reference == reference
            and mismatch.facts.ruleset in deviation.rulesets
            and deviation.explains(mismatch)
        ):
            return deviation
    return None


def table() -> str:
    """The deviations as a Markdown table."""
    rows = [("deviation", "reference", "rulesets", "they", "why we do not"), ("---",) * 5]
    for deviation in DEVIATIONS:
        rulesets = ", ".join(f"`{ruleset}`" for ruleset in deviation.rulesets)
        rows.append((deviation.key, deviation.reference, rulesets, deviation.they, deviation.why))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
