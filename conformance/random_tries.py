"""Random players with different preferences, so that the games reach every rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random

import chess

from chess_rules import en_passant_capturers
from response import ANY

PREFERRED = 0.5
"""Probability that a player follows its preference. Otherwise it draws from all offered tries."""
SENSELESS = 0.03
"""Probability of a try that is probably not sensible."""
ASK = 0.15
"""Probability of "any?" when the player may ask."""
ASK_OUT_OF_TURN = 0.02
"""The same when the ruleset has "any?" but the player may not ask now."""
ASK_WITHOUT_RULE = 0.005
"""The same when the ruleset has no "any?"."""


class Preference(Enum):
    """The kind of try that a player prefers."""

    NONE = "none"
    PAWNS = "pawns"
    CAPTURES = "captures"
    CHECKS = "checks"
    RARE = "castling, promotion, en passant"
    MATES = "mates"


@dataclass(frozen=True)
class Prompt:
    """What a try is drawn from, together with the umpire's board."""

    board: chess.Board
    offered: frozenset[str]
    """The tries that our umpire or the reference considers sensible."""
    legal: tuple[chess.Move, ...]
    refused: frozenset[str]
    ruleset_has_any: bool
    may_ask: bool


def choose(rng: Random, preference: Preference, prompt: Prompt) -> str:
    """Draws a try, in most cases a sensible one."""
    if rng.random() < _probability_of_asking(prompt):
        return ANY
    if rng.random() < SENSELESS:
        return _senseless(rng, prompt)
    if rng.random() < PREFERRED:
        preferred = [uci for uci in _preferred(preference, prompt) if uci in prompt.offered]
        if preferred:
            return rng.choice(preferred)
    return rng.choice(sorted(prompt.offered))


def _probability_of_asking(prompt: Prompt) -> float:
    if prompt.may_ask:
        return ASK
    return ASK_OUT_OF_TURN if prompt.ruleset_has_any else ASK_WITHOUT_RULE


def _preferred(preference: Preference, prompt: Prompt) -> list[str]:
    board = prompt.board
    match preference:
        case Preference.NONE:
            preferred = []
        case Preference.PAWNS:
            pawns = board.pieces(chess.PAWN, board.turn)
            return [uci for uci in sorted(prompt.offered) if chess.parse_square(uci[:2]) in pawns]
        case Preference.CAPTURES:
            preferred = [move for move in prompt.legal if board.is_capture(move)]
        case Preference.RARE:
            # Illegal en passant captures are included: references make mistakes there.
            preferred = [move for move in prompt.legal if _is_rare(board, move)]
            preferred += en_passant_capturers(board)
        case Preference.CHECKS:
            checks = [move for move in prompt.legal if board.gives_check(move)]
            double = [move for move in checks if _checkers(board, move) == 2]
            preferred = double or checks
        case Preference.MATES:
            preferred = [move for move in prompt.legal if _leaves_no_move(board, move)]
    return [move.uci() for move in preferred]


def _is_rare(board: chess.Board, move: chess.Move) -> bool:
    return bool(move.promotion) or board.is_castling(move)


def _checkers(board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    checkers = len(board.checkers())
    board.pop()
    return checkers


def _leaves_no_move(board: chess.Board, move: chess.Move) -> bool:
    """Whether the move leaves the opponent without a legal move: checkmate or stalemate."""
    board.push(move)
    ends = not any(board.generate_legal_moves())
    board.pop()
    return ends


def _senseless(rng: Random, prompt: Prompt) -> str:
    """A try that is probably not sensible, of one of the kinds that a careless player makes."""
    kinds = [_anywhere, _refused_before, _opponents_piece, _diagonal, _wrong_promotion]
    return rng.choice(kinds)(rng, prompt)


def _anywhere(rng: Random, prompt: Prompt) -> str:
    # Never from a1 to a1, which python-chess reads as a null move.
    return rng.choice(chess.SQUARE_NAMES[1:]) + rng.choice(chess.SQUARE_NAMES) + _letter(rng, 0.2)


def _refused_before(rng: Random, prompt: Prompt) -> str:
    return rng.choice(sorted(prompt.refused)) if prompt.refused else _anywhere(rng, prompt)


def _opponents_piece(rng: Random, prompt: Prompt) -> str:
    board = prompt.board
    square = rng.choice(list(chess.SquareSet(board.occupied_co[not board.turn])))
    reach = list(board.attacks(square)) or list(chess.SQUARES)
    return chess.square_name(square) + chess.square_name(rng.choice(reach))


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


def _letter(rng: Random, probability: float) -> str:
    return rng.choice("nbrq") if rng.random() < probability else ""
