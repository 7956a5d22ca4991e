// The rules of chess on bitboards: legality, pawn tries, checks and draws.
#pragma once
#include "bitboard.h"

namespace sim {

/// The pieces of both sides, and what else the rules of chess depend on.
struct Position {
    Bits colors[2];
    Bits pieces[6];
    uint8_t turn;
    uint8_t castling;    // bits: 1 White short, 2 White long, 4 Black short, 8 Black long
    uint8_t en_passant;  // file of a pawn that has just made a double step, or NO_FILE
    uint8_t quiet;       // plies without capture or pawn move, at most 100
    uint16_t number;     // the number of the move, as in FEN
    uint16_t reserved;

    SIM_FN Bits occupied() const { return colors[0] | colors[1]; }
    SIM_FN Bits of(int color, int piece) const { return colors[color] & pieces[piece]; }
    SIM_FN int king(int color) const { return first(of(color, KING)); }
    SIM_FN int piece_on(int square) const {
        for (int piece = PAWN; piece <= KING; piece++) {
            if (has(pieces[piece], square)) return piece;
        }
        return NO_PIECE;
    }
    SIM_FN void toggle(int color, int piece, int square) {
        colors[color] ^= bit(square);
        pieces[piece] ^= bit(square);
    }
    /// The square that a pawn of the side to move lands on when it captures en passant.
    SIM_FN int en_passant_target() const {
        if (en_passant == NO_FILE) return NO_SQUARE;
        return en_passant + (turn == WHITE ? 40 : 16);
    }
};

/// The pieces among `attackers` that attack a square.
SIM_FN Bits attackers_of(const Position& p, int square, int by, Bits occupied, Bits attackers) {
    Bits straight = p.pieces[ROOK] | p.pieces[QUEEN], diagonal = p.pieces[BISHOP] | p.pieces[QUEEN];
    Bits found = knight_attacks(bit(square)) & p.pieces[KNIGHT];
    found |= king_attacks(bit(square)) & p.pieces[KING];
    found |= pawn_attacks(bit(square), !by) & p.pieces[PAWN];
    found |= rook_attacks(square, occupied) & straight;
    found |= bishop_attacks(square, occupied) & diagonal;
    return found & attackers;
}

/// The pieces that give check to the side to move.
SIM_FN Bits checkers_of(const Position& p) {
    int us = p.turn;
    return attackers_of(p, p.king(us), !us, p.occupied(), p.colors[!us]);
}

/// The pieces of the side to move that are pinned to its king.
SIM_FN Bits pinned_of(const Position& p) {
    int us = p.turn, king = p.king(us);
    Bits own = p.colors[us], occupied = p.occupied();
    Bits straight = p.colors[!us] & (p.pieces[ROOK] | p.pieces[QUEEN]);
    Bits diagonal = p.colors[!us] & (p.pieces[BISHOP] | p.pieces[QUEEN]);
    straight &= rook_attacks(king, p.colors[!us]);
    diagonal &= bishop_attacks(king, p.colors[!us]);
    Bits pinned = 0;
    for (Bits pinners = straight | diagonal; pinners;) {
        Bits blockers = between(king, pop(pinners)) & occupied;
        if (count(blockers) == 1) pinned |= blockers & own;
    }
    return pinned;
}

/// Whether an own king on `king` is safe from the pieces `opponents`.
SIM_FN bool is_safe(const Position& p, int king, Bits occupied, Bits opponents) {
    return !attackers_of(p, king, !p.turn, occupied, opponents);
}

/// Whether the capture en passant by the pawn on `from` leaves the own king safe.
SIM_FN bool is_en_passant_legal(const Position& p, int from) {
    int us = p.turn, to = p.en_passant_target();
    Bits victim = bit(us == WHITE ? to - 8 : to + 8);
    Bits occupied = (p.occupied() ^ bit(from) ^ victim) | bit(to);
    return is_safe(p, p.king(us), occupied, p.colors[!us] & ~victim);
}

/// The bit of `Position::castling` for a side and a wing.
SIM_FN int castling_bit(int color, bool is_short) { return (is_short ? 1 : 2) << (2 * color); }

/// Whether the side to move may castle. The right and the absence of own pieces between king and
/// rook are checked too.
SIM_FN bool is_castling_legal(const Position& p, bool is_short) {
    int us = p.turn, home = us == WHITE ? 0 : 56, king = home + 4;
    if (!(p.castling & castling_bit(us, is_short))) return false;
    if (p.occupied() & between(king, home + (is_short ? 7 : 0))) return false;
    for (int step = 0; step <= 2; step++) {
        int square = is_short ? king + step : king - step;
        if (!is_safe(p, square, p.occupied() ^ bit(king), p.colors[!us])) return false;
    }
    return true;
}

SIM_FN bool is_castling(int piece, int from, int to) {
    return piece == KING && magnitude(file_of(from) - file_of(to)) == 2;
}

/// Whether a move is legal that is possible on a board without the opponent's pieces.
SIM_FN bool is_legal(const Position& p, int piece, int from, int to) {
    int us = p.turn;
    Bits occupied = p.occupied(), opponents = p.colors[!us];
    if (is_castling(piece, from, to)) return is_castling_legal(p, to > from);
    if (between(from, to) & occupied) return false;
    if (piece == PAWN) {
        if (file_of(from) == file_of(to)) {
            if (has(occupied, to)) return false;
        } else if (!has(opponents, to)) {
            return to == p.en_passant_target() && is_en_passant_legal(p, from);
        }
    }
    Bits after = (occupied ^ bit(from)) | bit(to);
    int king = piece == KING ? to : p.king(us);
    return is_safe(p, king, after, opponents & ~bit(to));
}

/// The pawn tries of the side to move.
struct PawnTries {
    Bits from;      // the pawns that have a legal capture
    uint8_t count;  // distinct pairs of origin and target
    bool en_passant;
};

SIM_FN PawnTries pawn_tries_of(const Position& p, Bits checkers, Bits pinned) {
    PawnTries tries = {0, 0, false};
    int us = p.turn;
    // In check a capture must take the checking piece, and in double check only the king moves.
    if (checkers & (checkers - 1)) return tries;
    Bits victims = p.colors[!us] & (checkers ? checkers : ~Bits(0));
    Bits pawns = p.of(us, PAWN), unpinned = pawns & ~pinned;
    Bits rising = pawn_attacks_rising(unpinned, us) & victims;
    Bits falling = pawn_attacks_falling(unpinned, us) & victims;
    tries.count = uint8_t(count(rising) + count(falling));
    tries.from = pawn_attacks_rising(rising, !us) | pawn_attacks_falling(falling, !us);
    if (!checkers) {
        for (Bits rest = pawns & pinned; rest;) {
            int pawn = pop(rest);
            Bits captures = pawn_attacks(bit(pawn), us) & victims;
            captures &= line_through(p.king(us), pawn);
            tries.count = uint8_t(tries.count + count(captures));
            if (captures) tries.from |= bit(pawn);
        }
    }
    if (p.en_passant != NO_FILE) {
        for (Bits rest = pawn_attacks(bit(p.en_passant_target()), !us) & pawns; rest;) {
            int pawn = pop(rest);
            if (is_en_passant_legal(p, pawn)) {
                tries.count++;
                tries.from |= bit(pawn);
                tries.en_passant = true;
            }
        }
    }
    return tries;
}

/// The targets of the legal moves of the piece on `from`.
SIM_FN Bits legal_targets(const Position& p, int from, Bits checkers, Bits pinned) {
    int us = p.turn, piece = p.piece_on(from), king = p.king(us);
    Bits occupied = p.occupied(), own = p.colors[us];
    Bits targets = 0;
    if (piece == KING) {
        for (Bits rest = king_attacks(bit(from)) & ~own; rest;) {
            int to = pop(rest);
            if (is_legal(p, KING, from, to)) targets |= bit(to);
        }
        if (is_castling_legal(p, true)) targets |= bit(from + 2);
        if (is_castling_legal(p, false)) targets |= bit(from - 2);
        return targets;
    }
    Bits allowed = ~own;
    if (checkers & (checkers - 1)) return 0;
    if (checkers) allowed &= between(first(checkers), king) | checkers;
    if (has(pinned, from)) allowed &= line_through(king, from);
    if (piece == PAWN) {
        targets = pawn_pushes(bit(from), us, occupied);
        Bits diagonals = pawn_attacks(bit(from), us);
        targets = (targets | (diagonals & p.colors[!us])) & allowed;
        int passed = p.en_passant_target();
        if (passed != NO_SQUARE && has(diagonals, passed) && is_en_passant_legal(p, from)) {
            targets |= bit(passed);
        }
        return targets;
    }
    if (piece == KNIGHT) targets = knight_attacks(bit(from));
    if (piece == ROOK || piece == QUEEN) targets |= rook_attacks(from, occupied);
    if (piece == BISHOP || piece == QUEEN) targets |= bishop_attacks(from, occupied);
    return targets & allowed;
}

/// Whether the side to move has a legal move. `has_en_passant`: it can capture en passant.
SIM_FN bool can_move(const Position& p, Bits checkers, Bits pinned, bool has_en_passant) {
    if (has_en_passant) return true;
    int us = p.turn, king = p.king(us);
    Bits occupied = p.occupied(), own = p.colors[us];
    if (!(checkers & (checkers - 1))) {
        Bits allowed = ~own;
        if (checkers) allowed &= between(first(checkers), king) | checkers;
        Bits pawns = p.of(us, PAWN) & ~pinned;
        if (pawn_pushes(pawns, us, occupied) & allowed) return true;
        if (pawn_attacks(pawns, us) & p.colors[!us] & allowed) return true;
        if (knight_attacks(p.of(us, KNIGHT) & ~pinned) & allowed) return true;
    }
    for (Bits rest = king_attacks(bit(king)) & ~own; rest;) {
        int to = pop(rest);
        Bits after = (occupied ^ bit(king)) | bit(to);
        if (is_safe(p, to, after, p.colors[!us] & ~bit(to))) return true;
    }
    // Castling needs no look: where it is legal, the king's single step to that side is legal too.
    if (checkers & (checkers - 1)) return false;
    // A pinned piece cannot end a check, and a pinned knight cannot move.
    Bits others = own & ~bit(king) & ~p.pieces[KNIGHT];
    others &= checkers ? ~pinned & ~p.pieces[PAWN] : pinned | ~p.pieces[PAWN];
    while (others) {
        if (legal_targets(p, pop(others), checkers, pinned)) return true;
    }
    return false;
}

SIM_FN bool is_insufficient_material(const Position& p) {
    if (p.pieces[PAWN] | p.pieces[ROOK] | p.pieces[QUEEN]) return false;
    Bits knights = p.pieces[KNIGHT], bishops = p.pieces[BISHOP];
    if (knights) return count(knights) == 1 && !bishops;
    return !(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES);
}

/// Plays a legal move. `promotion` is a piece, or NO_PIECE.
/// Returns the square of the captured piece, or NO_SQUARE.
SIM_FN int play(Position& p, int piece, int from, int to, int promotion, int& captured) {
    int us = p.turn, home = us == WHITE ? 0 : 56;
    int victim = has(p.colors[!us], to) ? to : NO_SQUARE;
    if (piece == PAWN && victim == NO_SQUARE && file_of(from) != file_of(to)) {
        victim = us == WHITE ? to - 8 : to + 8;
    }
    captured = NO_PIECE;
    if (victim != NO_SQUARE) {
        captured = p.piece_on(victim);
        p.toggle(!us, captured, victim);
    }
    p.toggle(us, piece, from);
    p.toggle(us, promotion == NO_PIECE ? piece : promotion, to);
    if (is_castling(piece, from, to)) {
        p.toggle(us, ROOK, home + (to > from ? 7 : 0));
        p.toggle(us, ROOK, home + (to > from ? 5 : 3));
    }
    if (piece == KING) p.castling &= uint8_t(~(3 << (2 * us)));
    Bits touched = bit(from) | bit(to);
    if (has(touched, 7)) p.castling &= uint8_t(~castling_bit(WHITE, true));
    if (has(touched, 0)) p.castling &= uint8_t(~castling_bit(WHITE, false));
    if (has(touched, 63)) p.castling &= uint8_t(~castling_bit(BLACK, true));
    if (has(touched, 56)) p.castling &= uint8_t(~castling_bit(BLACK, false));
    bool is_double_step = piece == PAWN && magnitude(from - to) == 16;
    p.en_passant = is_double_step ? uint8_t(file_of(to)) : NO_FILE;
    bool is_quiet = piece != PAWN && victim == NO_SQUARE;
    p.quiet = is_quiet ? uint8_t(p.quiet < 100 ? p.quiet + 1 : 100) : 0;
    if (us == BLACK) p.number++;
    p.turn = uint8_t(!us);
    return victim;
}

SIM_FN uint64_t mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/// A key that is equal for positions that count as repetitions of each other. The en passant file
/// is part of it only if an en passant capture is legal.
SIM_FN uint64_t repetition_key(const Position& p, bool has_en_passant) {
    uint64_t rights = p.turn | p.castling << 1 | (has_en_passant ? p.en_passant + 1 : 0) << 5;
    uint64_t key = mix(p.colors[WHITE] + 0x9e3779b97f4a7c15ull * (rights + 1));
    for (int piece = PAWN; piece <= KING; piece++) {
        key = mix(key * 0x9e3779b97f4a7c15ull + p.pieces[piece]);
    }
    return key;
}

}  // namespace sim
