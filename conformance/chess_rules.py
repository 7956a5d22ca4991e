"""Facts about a position from python-chess, against which umpires and deviations are checked."""

from __future__ import annotations

import chess

CLOCK_CAP = 100
"""Our umpire's half-move clock stops here, because nothing depends on it past fifty moves."""


def name_of(color: chess.Color) -> str:
    """The name of a colour in our protocol."""
    return chess.COLOR_NAMES[color]


def en_passant_capturers(board: chess.Board) -> list[chess.Move]:
    """The pseudo-legal en passant captures."""
    if board.ep_square is None:
        return []
    pawns = board.attackers(board.turn, board.ep_square) & board.pieces(chess.PAWN, board.turn)
    return [chess.Move(pawn, board.ep_square) for pawn in pawns]


def legal_pawn_captures(board: chess.Board) -> set[tuple[int, int]]:
    """The pawn tries of the side to move: distinct (from, to), en passant included."""
    return {
        (move.from_square, move.to_square)
        for move in board.generate_legal_moves(from_mask=board.pawns)
        if board.is_capture(move)
    }


def is_pawn_diagonal(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn of the side to move goes one step diagonally, not onto an own piece."""
    return (
        board.piece_at(move.from_square) == chess.Piece(chess.PAWN, board.turn)
        and move.to_square in board.attacks(move.from_square)
        and board.color_at(move.to_square) != board.turn
    )


def check_directions(board: chess.Board) -> tuple[str, ...]:
    """The directions of all checks, as seen from the king of the side to move."""
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
    checked, other = (rising, falling) if files == ranks else (falling, rising)
    return "long-diagonal" if checked > other else "short-diagonal"


def _diagonal_length(square: int, slope: int) -> int:
    """The length of a diagonal through a square; slope 1 goes up to the right, -1 down."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    to_the_right = min(7 - file, 7 - rank if slope == 1 else rank)
    to_the_left = min(file, rank if slope == 1 else 7 - rank)
    return 1 + to_the_right + to_the_left


def end_on_board(board: chess.Board) -> str | None:
    """The end of the game by the position alone, as our protocol names it."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    return "insufficient-material" if board.is_insufficient_material() else None


def captured_square(board: chess.Board) -> str | None:
    """The square of the piece that the last move captured."""
    if not board.move_stack:
        return None
    move = board.pop()
    square = move.to_square if board.is_capture(move) else None
    if board.is_en_passant(move):
        file, rank = chess.square_file(move.to_square), chess.square_rank(move.from_square)
        square = chess.square(file, rank)
    board.push(move)
    return None if square is None else chess.square_name(square)


def pieces_of(board: chess.Board, color: chess.Color) -> str:
    """One side's pieces as the first field of a FEN, without the other side's."""
    alone = chess.BaseBoard.empty()
    for square in chess.scan_forward(board.occupied_co[color]):
        alone.set_piece_at(square, board.piece_at(square))
    return alone.board_fen()


def castling_of(board: chess.Board, color: chess.Color) -> str:
    """One side's castling rights as in a FEN."""
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
    """The FEN that our umpire writes: en passant after every double step, clock capped."""
    pieces, turn, castling, en_passant, clock, number = board.fen(en_passant="fen").split(" ")
    clock = str(min(int(clock), CLOCK_CAP))
    return " ".join((pieces, turn, castling, en_passant, clock, number))
