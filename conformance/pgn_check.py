"""Reads our extended PGN with python-chess, which knows nothing of Kriegspiel."""

from __future__ import annotations

import io
import logging

import chess
import chess.pgn

# Problems are reported with the game, not on standard error.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def moves_in(pgn: str) -> list[chess.Move]:
    """The moves of the only game in this text."""
    game = chess.pgn.read_game(io.StringIO(pgn))
    if game is None:
        raise ValueError("python-chess finds no game in our PGN")
    if game.errors:
        raise ValueError(f"python-chess cannot read our PGN: {game.errors[0]}\n{pgn}")
    return list(game.mainline_moves())
