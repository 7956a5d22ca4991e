"""Checks the draws that our umpire declares against python-chess.

These are threefold repetition, fifty moves and insufficient material. The other references do not
have the first two. The games are played with legal moves only and all draw rules on. The players
shuffle, so that positions repeat and half-move clocks run up.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

import chess

from chess_rules import end_on_board
from referee_client import Referee, RefereeError
from results import Failure, Results

NAME = "chess"
MAX_PLIES = 400
"""Fifty moves take a hundred plies, often after a capture or two."""

START_POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # losing a castling right changes the position
    "4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1",  # so does an en passant capture that is not made
    "4r1k1/8/8/3pP3/8/8/8/4K2R w - d6 0 1",  # but not one that a pin forbids
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/4p3/8/3P4/8/8/4P3/R3K3 b - - 0 1",
    "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
    "8/8/4k3/8/8/3K4/8/R7 w - - 92 60",
    "8/2b5/4k3/8/8/3K4/5N2/8 w - - 85 90",
    "1k6/8/8/8/8/8/8/QK6 w - - 97 90",  # checkmate on the hundredth ply is checkmate
)


def declared_end(board: chess.Board) -> str | None:
    """The end of the game on this board; if there are several, the one our umpire declares."""
    on_board = end_on_board(board)
    if on_board:
        return on_board
    if board.halfmove_clock >= 100:
        return "fifty-moves"
    return "threefold" if board.is_repetition(3) else None


def play_draw_game(referee: Referee, seed: int, game: int) -> Results:
    """Plays one shuffling game. It is determined by the seed and its number."""
    rng = Random(f"{seed}/{NAME}/{game}")
    fen = rng.choice(START_POSITIONS)
    board = chess.Board(fen)
    results = Results(games=1)
    try:
        _play(referee, board, fen, rng, results, f"{NAME}/{game}")
    except Exception as error:  # A referee that breaks down fails only this game.
        tries = tuple(move.uci() for move in board.move_stack)
        what = f"{type(error).__name__}: {error}"
        results.failures.append(Failure(NAME, "icc", game, fen, tries, what))
    return results


def _play(
    referee: Referee, board: chess.Board, fen: str, rng: Random, results: Results, name: str
) -> None:
    progress = rng.choice((0.0, 0.3, 0.9))
    reply = referee.ask({"cmd": "new", "game": name, "ruleset": "icc", "fen": fen})
    try:
        while True:
            end = reply["announcement"].get("end")
            announced, expected = end and end["ending"], declared_end(board)
            if announced != expected:
                raise ValueError(
                    f"end: our umpire {announced}, python-chess {expected}, after {board.fen()}"
                )
            if announced:
                results.occurrences[announced] += 1
            if announced or results.plies >= MAX_PLIES:
                return
            move = _shuffle(board, rng, progress)
            board.push(move)
            reply = referee.ask({"cmd": "try", "game": name, "move": move.uci()})
            results.attempts += 1
            results.plies += 1
    finally:
        with suppress(RefereeError):
            referee.ask({"cmd": "close", "game": name})


def _shuffle(board: chess.Board, rng: Random, progress: float) -> chess.Move:
    """Moves a piece back to where it came from, or makes a quiet move, or any move."""
    moves = list(board.legal_moves)
    if len(board.move_stack) >= 2 and rng.random() >= progress:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves and rng.random() < 0.8:
            return back
    quiet = [move for move in moves if not board.is_zeroing(move)]
    return rng.choice(quiet if quiet and rng.random() < 0.95 else moves)
