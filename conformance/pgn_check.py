"""Our extended PGN, opened by a program that knows nothing of Kriegspiel."""

from __future__ import annotations

import io
import logging

import chess
import chess.pgn

UNKNOWN_VARIANT = "unsupported variant: Kriegspiel"
"""What python-chess says of the tag. It then reads the moves as ordinary chess, which they are."""

# That one complaint would be written to standard error for every game.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def moves_in(pgn: str) -> list[chess.Move]:
    """The moves of the one game in this text."""
    game = chess.pgn.read_game(io.StringIO(pgn))
    if game is None:
        raise ValueError("python-chess finds no game in our PGN")
    complaints = [str(error) for error in game.errors if str(error) != UNKNOWN_VARIANT]
    if complaints:
        raise ValueError(f"python-chess on our PGN: {complaints[0]}\n{pgn}")
    return list(game.mainline_moves())
