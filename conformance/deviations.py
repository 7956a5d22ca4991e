"""Where the judges err: the one table of mismatches that are excused, each as narrowly as can be.

A mismatch that no predicate here recognises is a failure of our umpire, or a new line for this
table once somebody has found out whose mistake it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import chess

from answer import ANY, BOTH, NOBODY
from chess_facts import (
    captured_square,
    check_directions,
    en_passant_capturers,
    end_on_board,
    is_pawn_diagonal,
    legal_pawn_captures,
    name_of,
)
from kriegspiel_judge import read_move

THEIRS_ONLY = "try that only the judge offers"
OURS_ONLY = "try that only our umpire offers"


@dataclass(frozen=True)
class Facts:
    """What is known when an answer or a prompt is compared."""

    ruleset: str
    tried: str | None
    """The try that was answered; nothing at a prompt and at the opening."""
    after: chess.Board
    """The board, after the try if it was a legal move."""
    moved: bool
    refused: frozenset[str]
    """The tries refused before in this turn."""
    debt_forgiven: bool
    """A pawn capture that was owed to "any?" was refused in this turn, and nothing is owed now."""
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
        """Whose try it was."""
        return name_of(self.before.turn)


@dataclass(frozen=True)
class Mismatch:
    """One thing in which our umpire and a judge differ."""

    what: str
    ours: Any
    theirs: Any
    facts: Facts


@dataclass(frozen=True)
class Deviation:
    """A judge's error, or a rule of his that is not ours."""

    key: str
    judge: str
    rulesets: tuple[str, ...]
    they: str
    """What the judge does."""
    why: str
    """Why we do not."""
    explains: Callable[[Mismatch], bool]


def _is_unannounced_en_passant(facts: Facts, uci: str | None) -> bool:
    """A capture in passing that is illegal, by a pawn of which no try was announced."""
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


def _offers_refused_again(m: Mismatch) -> bool:
    return m.what == THEIRS_ONLY and m.facts.debt_forgiven and m.theirs in m.facts.refused


def _answers_after_the_end(m: Mismatch) -> bool:
    if not m.facts.over:
        return False
    said = (m.what, m.ours, m.theirs)
    return said in (("verdict", None, "refused"), ("verdict", None, "nonsense")) or (
        m.what == "heard_by" and m.ours == NOBODY and m.facts.mover in m.theirs
    )


def _silent_at_the_opening(m: Mismatch) -> bool:
    if m.facts.tried is not None:
        return False
    if m.what == "pawn_tries":
        return m.theirs is None and m.ours == len(legal_pawn_captures(m.facts.after))
    return m.what == "checks" and m.theirs == () and m.ours == check_directions(m.facts.after)


def _silent_about_checks(m: Mismatch) -> bool:
    return (
        m.what == "checks"
        and m.facts.moved
        and m.theirs == ()
        and m.ours == check_directions(m.facts.after)
    )


def _silent_about_en_passant(m: Mismatch) -> bool:
    if not m.facts.moved or m.theirs is not None:
        return False
    board = m.facts.after
    return m.facts.before.is_en_passant(board.peek()) and (m.what, m.ours) in (
        ("capture", captured_square(board)),
        ("victim", "pawn"),
    )


def _counts_promotions_fourfold(m: Mismatch) -> bool:
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


def _tells_both_of_refusals(m: Mismatch) -> bool:
    return (
        m.what == "heard_by"
        and not m.facts.moved
        and m.ours == frozenset([m.facts.mover])
        and m.theirs == BOTH
    )


def _declares_mate_late(m: Mismatch) -> bool:
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
        judge="kriegspiel",
        rulesets=("icc", "cincinnati", "rand"),
        they="offer a capture in passing that is illegal, by a pin or in check, though no try of "
        "that pawn was announced",
        why="the offer tells the player that an enemy pawn stands beside his own; nothing offered "
        "may reveal what was not said",
        explains=_offers_illegal_en_passant,
    ),
    Deviation(
        key="illegal-en-passant-refused",
        judge="kriegspiel",
        rulesets=("cincinnati", "rand"),
        they="answer that same capture with a refusal",
        why='no try was announced, so it is nonsense like every other diagonal: "refused" would '
        "tell it from them",
        explains=_refuses_illegal_en_passant,
    ),
    Deviation(
        key="refused-tries-return",
        judge="kriegspiel",
        rulesets=("english",),
        they='make their list anew once the pawn capture owed to "any?" was refused, and with it '
        "come tries refused earlier in the same turn",
        why="a try refused this turn is no longer sensible; nothing on the board has changed",
        explains=_offers_refused_again,
    ),
    Deviation(
        key="answers-after-the-end",
        judge="kriegspiel",
        rulesets=("icc", "cincinnati", "english", "rand"),
        they="go on refusing tries when the game is over, and write that down for the players",
        why="after the end nobody is to move, and a try is not accepted",
        explains=_answers_after_the_end,
    ),
    Deviation(
        key="silent-opening",
        judge="open_spiel",
        rulesets=("icc",),
        they="say nothing as a game begins, whatever the position",
        why="the first to move has the same right to hear of checks and pawn tries as later on",
        explains=_silent_at_the_opening,
    ),
    Deviation(
        key="silent-checks",
        judge="open_spiel",
        rulesets=("icc",),
        they="never announce a check",
        why="both players hear check directions; python-chess shows the same checkers",
        explains=_silent_about_checks,
    ),
    Deviation(
        key="silent-en-passant",
        judge="open_spiel",
        rulesets=("icc",),
        they="do not announce a capture in passing as a capture",
        why="a pawn has left the board, and its owner must know",
        explains=_silent_about_en_passant,
    ),
    Deviation(
        key="promotions-counted-fourfold",
        judge="open_spiel",
        rulesets=("icc",),
        they="count a promoting pawn capture four times",
        why="pawn tries are distinct (from, to) captures",
        explains=_counts_promotions_fourfold,
    ),
    Deviation(
        key="every-diagonal-offered",
        judge="open_spiel",
        rulesets=("icc",),
        they="offer diagonal pawn tries also when there is none",
        why="with no try announced they are not sensible",
        explains=_offers_every_diagonal,
    ),
    Deviation(
        key="refusals-heard-by-both",
        judge="open_spiel",
        rulesets=("icc",),
        they="tell both players of a refused try",
        why="on the ICC only the mover hears it",
        explains=_tells_both_of_refusals,
    ),
    Deviation(
        key="late-mate",
        judge="open_spiel",
        rulesets=("icc",),
        they="notice mate and stalemate only when the player has had every try refused",
        why="the umpire declares them the moment they stand on his board",
        explains=_declares_mate_late,
    ),
)


def excuse(judge: str, mismatch: Mismatch) -> Deviation | None:
    """The deviation of this judge that explains a mismatch, if one does."""
    for deviation in DEVIATIONS:
        if (
            deviation.judge == judge
            and mismatch.facts.ruleset in deviation.rulesets
            and deviation.explains(mismatch)
        ):
            return deviation
    return None


def table() -> str:
    """The deviations as a table in Markdown."""
    rows = [("deviation", "judge", "rulesets", "they", "why we do not"), ("---",) * 5]
    for deviation in DEVIATIONS:
        rulesets = ", ".join(f"`{ruleset}`" for ruleset in deviation.rulesets)
        rows.append((deviation.key, deviation.judge, rulesets, deviation.they, deviation.why))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
