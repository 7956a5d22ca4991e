"""Start positions that lead to what random play from the initial position rarely reaches."""

from __future__ import annotations

import chess

START = chess.STARTING_FEN

EN_PASSANT = (
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # illegal: pinned on the file
    "6kb/8/8/3pP3/8/2K5/8/8 w - d6 0 1",  # illegal: pinned on the other diagonal
    "1b4k1/8/8/3pP3/8/8/7K/8 w - d6 0 1",  # legal: along the diagonal of the pin
    "b5k1/8/8/3pP3/8/8/6K1/8 w - d6 0 1",  # illegal: the captured pawn shields the king
    "8/8/8/K2pP2r/8/8/8/6k1 w - d6 0 1",  # illegal: both pawns leave the rank
    "8/8/8/K1PpP2r/8/8/8/6k1 w - d6 0 1",  # legal both ways: the other pawn stays on the rank
    "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",  # one pawn may, the other is pinned
    "6k1/8/8/3pP3/4K3/8/8/8 w - d6 0 1",  # legal: it captures the checking pawn
    "4b1k1/8/8/3pP3/K7/8/8/8 w - d6 0 1",  # illegal: the double step uncovered a check
    "4r1k1/8/1p6/P2pP3/8/8/8/4K3 w - d6 0 1",  # illegal, but another pawn has a try
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",  # many double steps follow
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "2r1kr2/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/2R1KR2 w - - 0 1",
)

PROMOTION = (
    "n1n1n2k/1P1P4/8/8/8/8/1p1p4/N1N1N2K b - - 0 1",
    "1n3k2/PPPP4/8/8/8/8/pppp4/1N3K2 w - - 0 1",
    "2r2k2/1P1P4/8/8/8/8/6p1/4K2R w K - 0 1",
    "1r1q4/P1P5/8/1K5k/8/8/5p1p/4Q1R1 w - - 0 1",
    "3b4/2P5/1K6/8/8/6k1/5p2/4B3 w - - 0 1",  # pinned along the diagonal: it may capture
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",  # a rook lost at home castles no more
)

CASTLING = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/b7/8/8/B7/P6P/R3K2R w KQkq - 0 1",  # f1 and f8 are attacked
    "r3k2r/8/8/8/1b6/8/8/R3K2R w KQkq - 0 1",  # in check
    "rN2k1Nr/p6p/8/8/8/8/P6P/Rn2K1nR w KQkq - 0 1",  # a piece of the opponent stands between
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # only b1 is attacked: castling is legal
    "r3k2r/7p/5B2/8/8/5b2/7P/R3K2R b KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
)

DOUBLE_CHECK = (
    "4k3/8/4N3/8/8/4R3/8/4K3 w - - 0 1",  # file and knight
    "4k3/8/4B3/8/8/4R3/8/4K3 w - - 0 1",  # file and short diagonal
    "R2N3k/8/8/8/8/8/8/4K3 w - - 0 1",  # rank and knight
    "6k1/8/8/3N4/8/8/B7/4K3 w - - 0 1",  # long diagonal and knight
    "8/4k3/8/3pP3/8/8/8/2K1R3 w - d6 0 1",  # file and diagonal, by en passant
    "r1bqk2r/pppp1Npp/2n5/2b1n3/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 6",
)

ENDINGS = (
    "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/2k5/7r/K7 b - - 0 1",
    "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/1k1bb3/8/K7 b - - 0 1",
    "7k/8/5K2/6N1/2B5/8/8/8 w - - 0 1",
    "7k/5K2/8/6P1/8/8/8/8 w - - 0 1",
    "k7/8/1K6/1P6/8/8/8/8 w - - 0 1",
    "k7/2Q5/8/8/8/8/p7/7K w - - 0 1",
    "5k2/5P2/8/4K3/8/8/8/8 w - - 0 1",
    "8/8/8/3k4/3p4/3K4/8/1B6 w - - 0 1",
    "8/8/3k4/3n4/3B4/3K4/8/8 w - - 0 1",
    "8/8/3k4/3n4/3N4/3K4/8/8 w - - 0 1",
    "4k1b1/8/8/8/8/8/p7/1BK5 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "k7/pp6/8/8/8/8/2r3PP/7K b - - 0 1",
)

CROWDED = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3qk3/2P1P3/8/8/8/8/2p1p3/3QK3 w - - 99 80",  # the half-move clock reaches a hundred
)


def _mirrored(fen: str) -> str:
    """The same position with the colours exchanged."""
    return chess.Board(fen).mirror().fen(en_passant="fen")


KINDS = tuple(
    fens + tuple(_mirrored(fen) for fen in fens)
    for fens in (
        EN_PASSANT,
        EN_PASSANT,  # Twice as often as the others, because most errors occur here.
        PROMOTION,
        CASTLING,
        DOUBLE_CHECK,
        ENDINGS,
        CROWDED,
    )
)
"""The kinds of positions. Each position is included for White and for Black."""
