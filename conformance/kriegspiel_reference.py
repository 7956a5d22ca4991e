"""The reference `kriegspiel` (PyPI): an umpire of six rulesets that records who hears what."""

from __future__ import annotations

import chess
from kriegspiel.game import KriegspielGame
from kriegspiel.move import CapturedPieceAnnouncement as Victim
from kriegspiel.move import KriegspielAnswer, KriegspielMove
from kriegspiel.move import MainAnnouncement as Main
from kriegspiel.move import QuestionAnnouncement as Question
from kriegspiel.move import SpecialCaseAnnouncement as Special

from chess_rules import name_of
from response import ANY, BOTH, NO_PLAYER, End, PawnTries, Response

RULESETS = {
    "icc": "wild16",
    "cincinnati": "cincinnati",
    "berkeley": "berkeley",
    "berkeley-any": "berkeley_any",
    "english": "english",
    "rand": "rand",
}
"""Our names of the rulesets, and the names in the package."""

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


class KriegspielReference:
    """One game under `kriegspiel`."""

    name = "kriegspiel"

    def __init__(self, ruleset: str, fen: str) -> None:
        self._game = KriegspielGame(ruleset=RULESETS[ruleset])
        # The package always begins with the initial position, so private fields are set here.
        self._game._board = chess.Board(fen)
        self._game._generate_possible_to_ask_list()

    @property
    def board(self) -> chess.Board:
        """The board of the reference."""
        return self._game._board

    def opening(self) -> Response:
        """The announcement at the beginning, computed with private functions of the package."""
        special = self._game._check_special_cases()
        checks, end = read_special(special if isinstance(special, tuple) else (special, []))
        return Response("begun", BOTH, self._turn(), checks=checks, end=end, **self._pawn_tries())

    def tries(self) -> set[str]:
        """The tries that it considers sensible now."""
        return {
            asked.chess_move.uci()
            for asked in self._game.possible_to_ask
            if asked.question_type is Question.COMMON
        }

    def may_ask(self) -> bool:
        """Whether "any?" may be asked now."""
        return self._game.is_possible_to_ask(ASK_ANY)

    def owes_pawn_capture(self) -> bool:
        """Whether "any?" was answered with "yes" and no pawn capture has been tried."""
        return self._game.must_use_pawns

    def respond(self, tried: str) -> Response:
        """The response to a try of the side to move."""
        mover = self.board.turn
        asked = ASK_ANY if tried == ANY else KriegspielMove(Question.COMMON, read_move(tried))
        return self._read(self._game.ask_for(asked), mover)

    def position_differences(self) -> list[tuple[str, str, str]]:
        """None: its board is the one that our umpire is compared with."""
        return []

    def final_winner(self, winner: str | None) -> str | None:
        """The announced winner, which was compared with the last move."""
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

    def _read(self, answer: KriegspielAnswer, mover: chess.Color) -> Response:
        special = (answer.special_announcement, [answer.check_1, answer.check_2])
        checks, end = read_special(special)
        square = answer.capture_at_square
        victim = answer.captured_piece_announcement
        return Response(
            verdict=VERDICTS[answer.main_announcement],
            heard_by=self._hearers(answer, mover),
            turn=self._turn(),
            capture=None if square is None else chess.square_name(square),
            victim=None if victim is None else ("pawn" if victim is Victim.PAWN else "piece"),
            en_passant=answer.en_passant_announced,
            promoted=answer.promotion_announced,
            checks=checks,
            pawn_tries=read_pawn_tries(
                answer.next_turn_pawn_tries,
                answer.next_turn_has_pawn_capture,
                answer.next_turn_pawn_try_squares,
            ),
            end=end,
        )

    def _hearers(self, answer: KriegspielAnswer, mover: chess.Color) -> frozenset[str]:
        """The players on whose scoresheets the answer is written."""
        sheets = {
            chess.WHITE: self._game._whites_scoresheet,
            chess.BLACK: self._game._blacks_scoresheet,
        }
        hearers = [
            name_of(player)
            for player, sheet in sheets.items()
            if _last_is(sheet.moves_own if player == mover else sheet.moves_opponent, answer)
        ]
        return frozenset(hearers) if hearers else NO_PLAYER


def _last_is(turns: list[list[tuple[object, KriegspielAnswer]]], answer: KriegspielAnswer) -> bool:
    return bool(turns) and turns[-1][-1][1] is answer


def read_move(uci: str) -> chess.Move:
    """Reads a move in coordinates, even with equal squares, which python-chess rejects."""
    promotion = chess.PIECE_SYMBOLS.index(uci[4]) if len(uci) == 5 else None
    return chess.Move(chess.parse_square(uci[:2]), chess.parse_square(uci[2:4]), promotion)


def read_special(
    special: tuple[Special, list[Special | None]],
) -> tuple[tuple[str, ...], End | None]:
    """The checks and the end in a special announcement of the package."""
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
