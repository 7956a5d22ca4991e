// Bitboards: sets of squares, and what pieces attack.
//
// Squares are numbered a1 = 0, b1 = 1, ..., h8 = 63. Nothing here needs a table or the C++ library,
// so that the same code runs on the GPU.
#pragma once
#include <cstdint>

#if defined(__CUDACC__)
#define SIM_FN __host__ __device__ inline
#else
#define SIM_FN inline
#endif

namespace sim {

typedef uint64_t Bits;

enum Color : uint8_t { WHITE, BLACK };
enum Piece : uint8_t { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE };

constexpr uint8_t NO_SQUARE = 64;
constexpr uint8_t NO_FILE = 8;
constexpr Bits FILE_A = 0x0101010101010101ull;
constexpr Bits FILE_H = 0x8080808080808080ull;
constexpr Bits RANK_1 = 0xffull;
constexpr Bits RANK_8 = RANK_1 << 56;
constexpr Bits RISING = 0x8040201008040201ull;   // a1-h8
constexpr Bits FALLING = 0x0102040810204080ull;  // h1-a8
constexpr Bits DARK_SQUARES = 0xaa55aa55aa55aa55ull;

SIM_FN Bits bit(int square) { return Bits(1) << square; }
SIM_FN bool has(Bits set, int square) { return (set >> square) & 1; }
SIM_FN int file_of(int square) { return square & 7; }
SIM_FN int rank_of(int square) { return square >> 3; }
SIM_FN int magnitude(int n) { return n < 0 ? -n : n; }

SIM_FN int count(Bits set) {
#if defined(__CUDA_ARCH__)
    return __popcll(set);
#else
    return __builtin_popcountll(set);
#endif
}

/// The lowest square of a set that is not empty.
SIM_FN int first(Bits set) {
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(set)) - 1;
#else
    return __builtin_ctzll(set);
#endif
}

/// Removes and returns the lowest square of a set that is not empty.
SIM_FN int pop(Bits& set) {
    int square = first(set);
    set &= set - 1;
    return square;
}

/// The square with index `n` of a set that has more than `n` squares.
SIM_FN int nth(Bits set, int n) {
    for (; n > 0; n--) set &= set - 1;
    return first(set);
}

SIM_FN Bits mirror_ranks(Bits set) {
#if defined(__CUDA_ARCH__)
    Bits low = __byte_perm(uint32_t(set), 0, 0x0123);
    Bits high = __byte_perm(uint32_t(set >> 32), 0, 0x0123);
    return low << 32 | high;
#else
    return __builtin_bswap64(set);
#endif
}

/// The set in the opposite order of squares: a1 becomes h8.
SIM_FN Bits reverse(Bits set) {
#if defined(__CUDA_ARCH__)
    return __brevll(set);
#else
    set = (set >> 1 & 0x5555555555555555ull) | (set & 0x5555555555555555ull) << 1;
    set = (set >> 2 & 0x3333333333333333ull) | (set & 0x3333333333333333ull) << 2;
    set = (set >> 4 & 0x0f0f0f0f0f0f0f0full) | (set & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(set);
#endif
}

// The four lines through a square, the square included.
SIM_FN Bits rank_line(int square) { return RANK_1 << (square & 56); }
SIM_FN Bits file_line(int square) { return FILE_A << (square & 7); }
SIM_FN Bits rising_line(int square) {
    int shift = 8 * (rank_of(square) - file_of(square));
    return shift >= 0 ? RISING << shift : RISING >> -shift;
}
SIM_FN Bits falling_line(int square) {
    int shift = 8 * (rank_of(square) + file_of(square) - 7);
    return shift >= 0 ? FALLING << shift : FALLING >> -shift;
}

/// The squares that a slider reaches along a line, the first occupied square of each ray included
/// (hyperbola quintessence).
SIM_FN Bits slide(int square, Bits occupied, Bits line) {
    Bits origin = bit(square);
    Bits blockers = occupied & line & ~origin;
    Bits forward = blockers - 2 * origin;
    Bits backward = reverse(reverse(blockers) - 2 * reverse(origin));
    return (forward ^ backward) & line & ~origin;
}

SIM_FN Bits rook_attacks(int square, Bits occupied) {
    return slide(square, occupied, rank_line(square)) | slide(square, occupied, file_line(square));
}

SIM_FN Bits bishop_attacks(int square, Bits occupied) {
    return slide(square, occupied, rising_line(square)) |
           slide(square, occupied, falling_line(square));
}

/// The squares that knights on any of these squares attack.
SIM_FN Bits knight_attacks(Bits knights) {
    Bits left1 = knights >> 1 & ~FILE_H;
    Bits left2 = knights >> 2 & ~(FILE_H | FILE_H >> 1);
    Bits right1 = knights << 1 & ~FILE_A;
    Bits right2 = knights << 2 & ~(FILE_A | FILE_A << 1);
    Bits near = left1 | right1, far = left2 | right2;
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

SIM_FN Bits king_attacks(Bits king) {
    Bits row = king | (king >> 1 & ~FILE_H) | (king << 1 & ~FILE_A);
    return (row | row << 8 | row >> 8) & ~king;
}

/// The squares that pawns of a colour attack along rising diagonals, a1-h8.
SIM_FN Bits pawn_attacks_rising(Bits pawns, int color) {
    return color == WHITE ? (pawns & ~FILE_H) << 9 : (pawns & ~FILE_A) >> 9;
}

/// The squares that pawns of a colour attack along falling diagonals, a8-h1.
SIM_FN Bits pawn_attacks_falling(Bits pawns, int color) {
    return color == WHITE ? (pawns & ~FILE_A) << 7 : (pawns & ~FILE_H) >> 7;
}

SIM_FN Bits pawn_attacks(Bits pawns, int color) {
    return pawn_attacks_rising(pawns, color) | pawn_attacks_falling(pawns, color);
}

/// The steps that pawns of a colour can make on a board with these occupied squares.
SIM_FN Bits pawn_pushes(Bits pawns, int color, Bits occupied) {
    if (color == WHITE) {
        Bits single = pawns << 8 & ~occupied;
        return single | ((single & RANK_1 << 16) << 8 & ~occupied);
    }
    Bits single = pawns >> 8 & ~occupied;
    return single | ((single & RANK_1 << 40) >> 8 & ~occupied);
}

/// The line through two different squares, both included, or nothing.
SIM_FN Bits line_through(int a, int b) {
    if (rank_of(a) == rank_of(b)) return rank_line(a);
    if (file_of(a) == file_of(b)) return file_line(a);
    if (has(rising_line(a), b)) return rising_line(a);
    if (has(falling_line(a), b)) return falling_line(a);
    return 0;
}

/// The squares strictly between two squares of one line, or nothing.
SIM_FN Bits between(int a, int b) {
    if (a == b) return 0;
    int low = a < b ? a : b, high = a < b ? b : a;
    return line_through(a, b) & (bit(high) - 1) & ~(2 * bit(low) - 1);
}

}  // namespace sim
