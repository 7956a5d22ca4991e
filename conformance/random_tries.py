"""Random players, each with a temper, so that every rule of the game comes to be needed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random

import chess

from answer import ANY
from chess_facts import en_passant_capturers

FAVOURITE = 0.5
"""How often a player follows his temper. Otherwise he draws from everything he is offered."""
SENSELESS = 0.03
ASK = 0.15
ASK_OUT_OF_TURN = 0.02
ASK_WHERE_NOBODY_ASKS = 0.005


class Temper(Enum):
    """What a player likes to try."""

    NONE = "none"
    PAWNS = "pawns"
    CAPTURES = "captures"
    CHECKS = "checks"
    RARE = "castling, promotion, en passant"
    MATES = "mates"


@dataclass(frozen=True)
class Prompt:
    """What a player chooses from, and what the umpire's board shows to those behind the screen."""

    board: chess.Board
    offered: frozenset[str]
    """What our umpire or the judge takes for sensible."""
    legal: tuple[chess.Move, ...]
    refused: frozenset[str]
    ruleset_has_any: bool
    may_ask: bool


def choose(rng: Random, temper: Temper, prompt: Prompt) -> str:
    """Draws a try: mostly a sensible one."""
    if rng.random() < _asking(prompt):
        return ANY
    if rng.random() < SENSELESS:
        return _senseless(rng, prompt)
    if rng.random() < FAVOURITE:
        liked = [uci for uci in _favourites(temper, prompt) if uci in prompt.offered]
        if liked:
            return rng.choice(liked)
    return rng.choice(sorted(prompt.offered))


def _asking(prompt: Prompt) -> float:
    if prompt.may_ask:
        return ASK
    return ASK_OUT_OF_TURN if prompt.ruleset_has_any else ASK_WHERE_NOBODY_ASKS


def _favourites(temper: Temper, prompt: Prompt) -> list[str]:
    board = prompt.board
    match temper:
        case Temper.NONE:
            liked = []
        case Temper.PAWNS:
            pawns = board.pieces(chess.PAWN, board.turn)
            return [uci for uci in sorted(prompt.offered) if chess.parse_square(uci[:2]) in pawns]
        case Temper.CAPTURES:
            liked = [move for move in prompt.legal if board.is_capture(move)]
        case Temper.RARE:
            # A capture in passing is as welcome where it is illegal: that is what judges mistake.
            liked = [move for move in prompt.legal if _is_rare(board, move)]
            liked += en_passant_capturers(board)
        case Temper.CHECKS:
            checks = [move for move in prompt.legal if board.gives_check(move)]
            double = [move for move in checks if _checkers(board, move) == 2]
            liked = double or checks
        case Temper.MATES:
            liked = [move for move in prompt.legal if _ends(board, move)]
    return [move.uci() for move in liked]


def _is_rare(board: chess.Board, move: chess.Move) -> bool:
    return bool(move.promotion) or board.is_castling(move)


def _checkers(board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    checkers = len(board.checkers())
    board.pop()
    return checkers


def _ends(board: chess.Board, move: chess.Move) -> bool:
    """Whether the opponent would be left without a move: mated, or stalemated."""
    board.push(move)
    ends = not any(board.generate_legal_moves())
    board.pop()
    return ends


def _senseless(rng: Random, prompt: Prompt) -> str:
    """A try that is probably none, of one of the kinds that a careless player makes."""
    kinds = [_anywhere, _refused_before, _enemys_man, _diagonal, _wrong_promotion]
    return rng.choice(kinds)(rng, prompt)


def _anywhere(rng: Random, prompt: Prompt) -> str:
    # Not from a1 to a1, which python-chess takes for passing.
    return rng.choice(chess.SQUARE_NAMES[1:]) + rng.choice(chess.SQUARE_NAMES) + _letter(rng, 0.2)


def _refused_before(rng: Random, prompt: Prompt) -> str:
    return rng.choice(sorted(prompt.refused)) if prompt.refused else _anywhere(rng, prompt)


def _enemys_man(rng: Random, prompt: Prompt) -> str:
    board = prompt.board
    man = rng.choice(list(chess.SquareSet(board.occupied_co[not board.turn])))
    reach = list(board.attacks(man)) or list(chess.SQUARES)
    return chess.square_name(man) + chess.square_name(rng.choice(reach))


def _diagonal(rng: Random, prompt: Prompt) -> str:
    board = prompt.board
    pawns = list(board.pieces(chess.PAWN, board.turn))
    if not pawns:
        return _anywhere(rng, prompt)
    pawn = rng.choice(pawns)
    to = rng.choice(list(board.attacks(pawn)))
    promotes = chess.square_rank(to) in (0, 7)
    return chess.square_name(pawn) + chess.square_name(to) + _letter(rng, 1.0 if promotes else 0.0)


def _wrong_promotion(rng: Random, prompt: Prompt) -> str:
    sensible = rng.choice(sorted(prompt.offered))
    return sensible[:4] + ("" if len(sensible) == 5 else _letter(rng, 1.0))


def _letter(rng: Random, chance: float) -> str:
    return rng.choice("nbrq") if rng.random() < chance else ""
