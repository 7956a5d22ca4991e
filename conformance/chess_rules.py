"""What python-chess says of a position: the truth that every judge and excuse is held against."""

from __future__ import annotations

import chess

CLOCK_CAP = 100
"""Our umpire's half-move clock stops here: past fifty moves nothing depends on it."""


def name_of(color: chess.Color) -> str:
    """White or black, as our protocol writes it."""
    return chess.COLOR_NAMES[color]


def en_passant_capturers(board: chess.Board) -> list[chess.Move]:
    """The captures in passing that pawns stand ready for, legal or not."""
    if board.ep_square is None:
        return []
    ready = board.attackers(board.turn, board.ep_square) & board.pieces(chess.PAWN, board.turn)
    return [chess.Move(pawn, board.ep_square) for pawn in ready]


def legal_pawn_captures(board: chess.Board) -> set[tuple[int, int]]:
    """The pawn tries of the side to move: distinct (from, to), en passant included."""
    return {
        (move.from_square, move.to_square)
        for move in board.generate_legal_moves(from_mask=board.pawns)
        if board.is_capture(move)
    }


def is_pawn_diagonal(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn of the side to move would go one step diagonally, not onto its own man."""
    return (
        board.piece_at(move.from_square) == chess.Piece(chess.PAWN, board.turn)
        and move.to_square in board.attacks(move.from_square)
        and board.color_at(move.to_square) != board.turn
    )


def check_directions(board: chess.Board) -> tuple[str, ...]:
    """From where the side to move is in check, as seen from its king."""
    king = board.king(board.turn)
    assert king is not None
    return tuple(sorted(_direction(king, checker) for checker in board.checkers()))


def _direction(king: int, checker: int) -> str:
    files = chess.square_file(checker) - chess.square_file(king)
    ranks = chess.square_rank(checker) - chess.square_rank(king)
    if files == 0:
        return "file"
    if ranks == 0:
        return "rank"
    if abs(files) != abs(ranks):
        return "knight"
    rising = _diagonal_length(king, 1)
    falling = _diagonal_length(king, -1)
    here, other = (rising, falling) if files == ranks else (falling, rising)
    return "long-diagonal" if here > other else "short-diagonal"


def _diagonal_length(square: int, slope: int) -> int:
    """How many squares a diagonal has: the one that goes up (1) or down (-1) to the right."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    to_the_right = min(7 - file, 7 - rank if slope == 1 else rank)
    to_the_left = min(file, rank if slope == 1 else 7 - rank)
    return 1 + to_the_right + to_the_left


def end_on_board(board: chess.Board) -> str | None:
    """The end that stands on the board, as our protocol names it."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    return "insufficient-material" if board.is_insufficient_material() else None


def captured_square(board: chess.Board) -> str | None:
    """The square of the man that the last move captured."""
    if not board.move_stack:
        return None
    move = board.pop()
    square = move.to_square if board.is_capture(move) else None
    if board.is_en_passant(move):
        file, rank = chess.square_file(move.to_square), chess.square_rank(move.from_square)
        square = chess.square(file, rank)
    board.push(move)
    return None if square is None else chess.square_name(square)


def men_of(board: chess.Board, color: chess.Color) -> str:
    """One side's men in the manner of a FEN, on a board without the others."""
    alone = chess.BaseBoard.empty()
    for square in chess.scan_forward(board.occupied_co[color]):
        alone.set_piece_at(square, board.piece_at(square))
    return alone.board_fen()


def castling_of(board: chess.Board, color: chess.Color) -> str:
    """One side's castling rights in the manner of a FEN."""
    letters = [
        letter
        for letter, right in (
            ("K", board.has_kingside_castling_rights(color)),
            ("Q", board.has_queenside_castling_rights(color)),
        )
        if right
    ]
    rights = "".join(letters) or "-"
    return rights if color == chess.WHITE else rights.lower()


def umpires_fen(board: chess.Board) -> str:
    """The position as our umpire writes it: en passant after every double step, clock capped."""
    men, turn, castling, en_passant, clock, number = board.fen(en_passant="fen").split(" ")
    clock = str(min(int(clock), CLOCK_CAP))
    return " ".join((men, turn, castling, en_passant, clock, number))
