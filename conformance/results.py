"""What was played and found, summed over games and processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import chess

from chess_rules import en_passant_capturers
from response import ANY, Response

ONLY_WITH_ANY = frozenset(["any? yes", "any? no", "owed pawn capture refused"])
OCCURRENCES = (
    "en passant", "illegal en passant", "promotion", "promoting capture", "castling short",
    "castling long", "castling refused", "single check", "double check", "check by rank",
    "check by file", "check by knight", "check by long-diagonal", "check by short-diagonal",
    "any? yes", "any? no", "owed pawn capture refused", "checkmate", "stalemate",
    "insufficient-material",
)  # fmt: skip
"""Events that must occur in a long run; otherwise the run tests too little."""

DRAW_ENDINGS = ("threefold", "fifty-moves")
"""The same for games with all draw rules on."""


@dataclass(frozen=True)
class Failure:
    """A game in which our umpire and a reference differ, with all that is needed to repeat it."""

    reference: str
    ruleset: str
    game: int
    fen: str
    tries: tuple[str, ...]
    what: str

    def report(self, seed: int) -> str:
        """The failure as text."""
        return "\n".join(
            (
                f"FAILED {self.ruleset} with {self.reference}, game {self.game}, seed {seed}",
                f"  {self.what}",
                f"  from   {self.fen}",
                f"  tries  {' '.join(self.tries) or '(none)'}",
                f"  repeat: conformance.py --references {self.reference} --rulesets {self.ruleset}"
                f" --seed {seed} --only {self.game}",
            )
        )


@dataclass
class Results:
    """Counts for one ruleset and one reference."""

    games: int = 0
    plies: int = 0
    attempts: int = 0
    refused: int = 0
    asked: int = 0
    senseless: int = 0
    deviations: Counter[str] = field(default_factory=Counter)
    occurrences: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Results) -> None:
        """Adds the counts of another process."""
        self.games += other.games
        self.plies += other.plies
        self.attempts += other.attempts
        self.refused += other.refused
        self.asked += other.asked
        self.senseless += other.senseless
        self.deviations += other.deviations
        self.occurrences += other.occurrences
        self.failures += other.failures

    def count(self, tried: str, response: Response, sensible: bool, owed: bool) -> None:
        """Counts a try and the response to it."""
        self.attempts += 1
        self.asked += tried == ANY
        self.senseless += not sensible
        self.plies += response.verdict == "moved"
        if response.verdict == "refused":
            self.refused += 1
            if owed:
                self.occurrences["owed pawn capture refused"] += 1
        if response.verdict in ("yes", "no"):
            self.occurrences[f"any? {response.verdict}"] += 1

    def count_refused_castling(self, board: chess.Board, tried: str) -> None:
        """Counts a sensible try that was refused, if it was castling."""
        if tried != ANY and board.is_castling(chess.Move.from_uci(tried)):
            self.occurrences["castling refused"] += 1

    def count_move(self, board: chess.Board, response: Response) -> None:
        """Counts what is special about the last move on this board."""
        counts = self.occurrences
        move = board.pop()
        if board.is_en_passant(move):
            counts["en passant"] += 1
        if board.is_castling(move):
            counts["castling " + ("short" if board.is_kingside_castling(move) else "long")] += 1
        if move.promotion:
            counts["promotion"] += 1
            if board.is_capture(move):
                counts["promoting capture"] += 1
        board.push(move)
        if response.checks:
            counts["double check" if len(response.checks) == 2 else "single check"] += 1
            for direction in response.checks:
                counts[f"check by {direction}"] += 1
        if response.end:
            counts[response.end[0]] += 1
        self.count_prompt(board)

    def count_prompt(self, board: chess.Board) -> None:
        """Counts a board with a pseudo-legal en passant capture that is illegal."""
        if any(not board.is_legal(move) for move in en_passant_capturers(board)):
            self.occurrences["illegal en passant"] += 1
