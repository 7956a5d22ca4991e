"""What was played and what was found, added up over games and processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import chess

from answer import ANY, Answer
from chess_facts import en_passant_capturers

ONLY_WITH_ANY = frozenset(["any? yes", "any? no", "owed pawn capture refused"])
OCCURRENCES = (
    "en passant", "illegal en passant", "promotion", "promoting capture", "castling short",
    "castling long", "castling refused", "single check", "double check", "check by rank",
    "check by file", "check by knight", "check by long-diagonal", "check by short-diagonal",
    "any? yes", "any? no", "owed pawn capture refused", "checkmate", "stalemate",
    "insufficient-material",
)  # fmt: skip
"""What must have happened somewhere before a long run may be called a success."""


DECLARED_DRAWS = ("threefold", "fifty-moves")
"""What must have happened in the games that are played with all draw rules on."""


@dataclass(frozen=True)
class Failure:
    """A game in which our umpire and a judge differ, with all that it takes to see it again."""

    judge: str
    ruleset: str
    game: int
    fen: str
    tries: tuple[str, ...]
    what: str

    def report(self, seed: int) -> str:
        """The failure in full."""
        return "\n".join(
            (
                f"FAILED {self.ruleset} with {self.judge}, game {self.game}, seed {seed}",
                f"  {self.what}",
                f"  from   {self.fen}",
                f"  tries  {' '.join(self.tries) or '(none)'}",
                f"  again: conformance.py --judges {self.judge} --rulesets {self.ruleset}"
                f" --seed {seed} --only {self.game}",
            )
        )


@dataclass
class Tally:
    """Counts of one ruleset under one judge."""

    games: int = 0
    plies: int = 0
    attempts: int = 0
    refused: int = 0
    asked: int = 0
    senseless: int = 0
    deviations: Counter[str] = field(default_factory=Counter)
    occurrences: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Adds what another process counted."""
        self.games += other.games
        self.plies += other.plies
        self.attempts += other.attempts
        self.refused += other.refused
        self.asked += other.asked
        self.senseless += other.senseless
        self.deviations += other.deviations
        self.occurrences += other.occurrences
        self.failures += other.failures

    def count(self, tried: str, said: Answer, sensible: bool, owed: bool) -> None:
        """Counts a try and its answer."""
        self.attempts += 1
        self.asked += tried == ANY
        self.senseless += not sensible
        self.plies += said.verdict == "moved"
        if said.verdict == "refused":
            self.refused += 1
            if owed:
                self.occurrences["owed pawn capture refused"] += 1
        if said.verdict in ("yes", "no"):
            self.occurrences[f"any? {said.verdict}"] += 1

    def count_refused_castling(self, board: chess.Board, tried: str) -> None:
        """Notes a sensible try that was refused, if it was castling."""
        if tried != ANY and board.is_castling(chess.Move.from_uci(tried)):
            self.occurrences["castling refused"] += 1

    def count_move(self, board: chess.Board, said: Answer) -> None:
        """Notes what is special about the move just made on this board."""
        note = self.occurrences
        move = board.pop()
        if board.is_en_passant(move):
            note["en passant"] += 1
        if board.is_castling(move):
            note["castling " + ("short" if board.is_kingside_castling(move) else "long")] += 1
        if move.promotion:
            note["promotion"] += 1
            if board.is_capture(move):
                note["promoting capture"] += 1
        board.push(move)
        if said.checks:
            note["double check" if len(said.checks) == 2 else "single check"] += 1
            for direction in said.checks:
                note[f"check by {direction}"] += 1
        if said.end:
            note[said.end[0]] += 1
        self.count_prompt(board)

    def count_prompt(self, board: chess.Board) -> None:
        """Notes a capture in passing that a pawn stands ready for, but that is illegal."""
        if any(not board.is_legal(move) for move in en_passant_capturers(board)):
            self.occurrences["illegal en passant"] += 1
