"""The judge `kriegspiel` (PyPI): a referee of six rulesets, and our word on who hears what."""

from __future__ import annotations

import chess
from kriegspiel.game import KriegspielGame
from kriegspiel.move import CapturedPieceAnnouncement as Victim
from kriegspiel.move import KriegspielAnswer, KriegspielMove
from kriegspiel.move import MainAnnouncement as Main
from kriegspiel.move import QuestionAnnouncement as Question
from kriegspiel.move import SpecialCaseAnnouncement as Special

from answer import ANY, BOTH, NOBODY, Answer, End, PawnTries
from chess_facts import name_of

RULESETS = {
    "icc": "wild16",
    "cincinnati": "cincinnati",
    "berkeley": "berkeley",
    "berkeley-any": "berkeley_any",
    "english": "english",
    "rand": "rand",
}
"""Our names of the rulesets, and theirs."""

VERDICTS = {
    Main.REGULAR_MOVE: "moved",
    Main.CAPTURE_DONE: "moved",
    Main.ILLEGAL_MOVE: "refused",
    Main.NONSENSE: "nonsense",
    Main.IMPOSSIBLE_TO_ASK: None,
    Main.HAS_ANY: "yes",
    Main.NO_ANY: "no",
}

CHECKS = {
    Special.CHECK_RANK: "rank",
    Special.CHECK_FILE: "file",
    Special.CHECK_LONG_DIAGONAL: "long-diagonal",
    Special.CHECK_SHORT_DIAGONAL: "short-diagonal",
    Special.CHECK_KNIGHT: "knight",
}

ENDS: dict[Special, End] = {
    Special.CHECKMATE_WHITE_WINS: ("checkmate", "white"),
    Special.CHECKMATE_BLACK_WINS: ("checkmate", "black"),
    Special.STALEMATE_WHITE_WINS: ("stalemate", "white"),
    Special.STALEMATE_BLACK_WINS: ("stalemate", "black"),
    Special.DRAW_STALEMATE: ("stalemate", None),
    Special.DRAW_INSUFFICIENT: ("insufficient-material", None),
}

ASK_ANY = KriegspielMove(Question.ASK_ANY)


class KriegspielJudge:
    """One game under `kriegspiel`."""

    name = "kriegspiel"

    def __init__(self, ruleset: str, fen: str) -> None:
        self._game = KriegspielGame(ruleset=RULESETS[ruleset])
        # The library always begins at the start of chess, so the board is put in from behind.
        self._game._board = chess.Board(fen)
        self._game._generate_possible_to_ask_list()

    @property
    def board(self) -> chess.Board:
        """The judge's own board."""
        return self._game._board

    def opening(self) -> Answer:
        """What it would say as the game begins. It has no words for that, so they are asked for."""
        special = self._game._check_special_cases()
        checks, end = read_special(special if isinstance(special, tuple) else (special, []))
        return Answer("begun", BOTH, self._turn(), checks=checks, end=end, **self._pawn_tries())

    def tries(self) -> set[str]:
        """The tries it takes for sensible now."""
        return {
            asked.chess_move.uci()
            for asked in self._game.possible_to_ask
            if asked.question_type is Question.COMMON
        }

    def may_ask(self) -> bool:
        """Whether "any?" may be asked now."""
        return self._game.is_possible_to_ask(ASK_ANY)

    def owes_pawn_capture(self) -> bool:
        """Whether "yes" was heard and must be paid for."""
        return self._game.must_use_pawns

    def judge(self, tried: str) -> Answer:
        """Answers a try of the side to move."""
        mover = self.board.turn
        asked = ASK_ANY if tried == ANY else KriegspielMove(Question.COMMON, read_move(tried))
        return self._read(self._game.ask_for(asked), mover)

    def position_differences(self) -> list[tuple[str, str, str]]:
        """Nothing: its board is the very board that ours is held against."""
        return []

    def final_winner(self, winner: str | None) -> str | None:
        """It names the winner with the last move, where it was compared already."""
        return winner

    def _turn(self) -> str | None:
        return None if self._game.game_over else name_of(self.board.turn)

    def _pawn_tries(self) -> dict[str, PawnTries]:
        game = self._game
        return {
            "pawn_tries": read_pawn_tries(
                game.current_turn_pawn_tries,
                game.current_turn_has_pawn_capture,
                game.current_turn_pawn_try_squares,
            )
        }

    def _read(self, said: KriegspielAnswer, mover: chess.Color) -> Answer:
        checks, end = read_special((said.special_announcement, [said.check_1, said.check_2]))
        square = said.capture_at_square
        victim = said.captured_piece_announcement
        return Answer(
            verdict=VERDICTS[said.main_announcement],
            heard_by=self._hearers(said, mover),
            turn=self._turn(),
            capture=None if square is None else chess.square_name(square),
            victim=None if victim is None else ("pawn" if victim is Victim.PAWN else "piece"),
            en_passant=said.en_passant_announced,
            promoted=said.promotion_announced,
            checks=checks,
            pawn_tries=read_pawn_tries(
                said.next_turn_pawn_tries,
                said.next_turn_has_pawn_capture,
                said.next_turn_pawn_try_squares,
            ),
            end=end,
        )

    def _hearers(self, said: KriegspielAnswer, mover: chess.Color) -> frozenset[str]:
        """A player hears what is written on his scoresheet."""
        sheets = {
            chess.WHITE: self._game._whites_scoresheet,
            chess.BLACK: self._game._blacks_scoresheet,
        }
        hearers = [
            name_of(player)
            for player, sheet in sheets.items()
            if _last_is(sheet.moves_own if player == mover else sheet.moves_opponent, said)
        ]
        return frozenset(hearers) if hearers else NOBODY


def _last_is(turns: list[list[tuple[object, KriegspielAnswer]]], said: KriegspielAnswer) -> bool:
    return bool(turns) and turns[-1][-1][1] is said


def read_move(uci: str) -> chess.Move:
    """A move of coordinates, also one that goes nowhere, which python-chess would not read."""
    promotion = chess.PIECE_SYMBOLS.index(uci[4]) if len(uci) == 5 else None
    return chess.Move(chess.parse_square(uci[:2]), chess.parse_square(uci[2:4]), promotion)


def read_special(
    special: tuple[Special, list[Special | None]],
) -> tuple[tuple[str, ...], End | None]:
    """The checks and the end that one of their special announcements stands for."""
    kind, pair = special
    if kind is Special.NONE:
        return (), None
    if kind is Special.CHECK_DOUBLE:
        return tuple(sorted(CHECKS[check] for check in pair if check is not None)), None
    if kind in CHECKS:
        return (CHECKS[kind],), None
    return (), ENDS[kind]


def read_pawn_tries(
    count: int | None, whether: bool | None, squares: tuple[int, ...] | None
) -> PawnTries:
    """The one of three announcements that the ruleset has."""
    if squares is not None:
        return tuple(sorted(chess.square_name(square) for square in squares))
    return whether if whether is not None else count
