"""The draws that our umpire declares, held against python-chess: threefold, fifty moves, few men.

The other judges have none of them. These games are played with legal moves only and all draw rules on;
the players shuffle, so that positions come back and clocks run down.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

import chess

from chess_facts import end_on_board
from referee_client import Referee, RefereeError
from tally import Failure, Tally

NAME = "chess"
LONGEST = 400
"""Plies. Fifty moves take a hundred, more often than not after a capture or two."""

SHUFFLING = (
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # a lost right to castle makes another position
    "4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 1",  # so does a capture in passing that was let go by
    "4r1k1/8/8/3pP3/8/8/8/4K2R w - d6 0 1",  # but not one that a pin forbids
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/4p3/8/3P4/8/8/4P3/R3K3 b - - 0 1",
    "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
    "8/8/4k3/8/8/3K4/8/R7 w - - 92 60",
    "8/2b5/4k3/8/8/3K4/5N2/8 w - - 85 90",
    "1k6/8/8/8/8/8/8/QK6 w - - 97 90",  # mate on the hundredth ply is mate
)


def declared_end(board: chess.Board) -> str | None:
    """The end that stands, in the order of weight in which our umpire declares it."""
    on_board = end_on_board(board)
    if on_board:
        return on_board
    if board.halfmove_clock >= 100:
        return "fifty-moves"
    return "threefold" if board.is_repetition(3) else None


def play_draw_game(referee: Referee, seed: int, game: int) -> Tally:
    """One game of shuffling. All its chance comes from the numbers given here."""
    rng = Random(f"{seed}/{NAME}/{game}")
    fen = rng.choice(SHUFFLING)
    board = chess.Board(fen)
    tally = Tally(games=1)
    try:
        _play(referee, board, fen, rng, tally, f"{NAME}/{game}")
    except Exception as error:  # A referee that breaks down fails this game only.
        tries = tuple(move.uci() for move in board.move_stack)
        what = f"{type(error).__name__}: {error}"
        tally.failures.append(Failure(NAME, "icc", game, fen, tries, what))
    return tally


def _play(
    referee: Referee, board: chess.Board, fen: str, rng: Random, tally: Tally, name: str
) -> None:
    patience = rng.choice((0.0, 0.3, 0.9))
    reply = referee.ask({"cmd": "new", "game": name, "ruleset": "icc", "fen": fen})
    try:
        while True:
            end = reply["said"].get("end")
            told, truth = end and end["ending"], declared_end(board)
            if told != truth:
                raise ValueError(f"end: we say {told}, python-chess {truth}, after {board.fen()}")
            if told:
                tally.occurrences[told] += 1
            if told or tally.plies >= LONGEST:
                return
            move = _shuffle(board, rng, patience)
            board.push(move)
            reply = referee.ask({"cmd": "try", "game": name, "move": move.uci()})
            tally.attempts += 1
            tally.plies += 1
    finally:
        with suppress(RefereeError):
            referee.ask({"cmd": "close", "game": name})


def _shuffle(board: chess.Board, rng: Random, patience: float) -> chess.Move:
    """A move back to where the man came from, or one that takes and pushes nothing, or any."""
    moves = list(board.legal_moves)
    if len(board.move_stack) >= 2 and rng.random() >= patience:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves and rng.random() < 0.8:
            return back
    quiet = [move for move in moves if not board.is_zeroing(move)]
    return rng.choice(quiet if quiet and rng.random() < 0.95 else moves)
