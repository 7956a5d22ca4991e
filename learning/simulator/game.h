// A game: its state, which tries are sensible, the umpire's answers, and the evidence for the
// observations. The umpire's answers are those of crates/krieg-core, one for one.
#pragma once
#include "rules.h"
#include "ruleset.h"

namespace sim {

/// Kinds of evidence, in the order of OBSERVATION.md.
enum Evidence {
    EMPTY, BLOCKED, KING_REFUSED, PUSH_REFUSED, CAPTURE_REFUSED, TARGET_REFUSED, CAPTURED, LOST,
    CHECK_LINE, PAWN_TRY, NO_PAWN_TRY, OPPONENT_PAWN_TRY, OPPONENT_PAWN, NO_OPPONENT_PAWN_TRY,
    KING_LINE, EVIDENCE_KINDS
};

constexpr int MAX_QUIET = 100;      // plies of the fifty-move rule
constexpr int KEYS = 104;           // positions since the last capture or pawn move
constexpr int REFUSED_TRIES = 512;   // more than can be refused in a turn: 180, and 332 sensible
constexpr int SENSELESS_TRIES = 180;  // senseless tries are remembered up to this length
constexpr int STAMPS = 2 * EVIDENCE_KINDS * 64;
constexpr uint16_t ANY = 0x8000;
constexpr uint16_t SENSELESS = 0x8000;  // marks a refused try that was not sensible

/// Directions of check, in the order of the announcements.
enum Direction : uint8_t {
    ALONG_RANK, ALONG_FILE, LONG_DIAGONAL, SHORT_DIAGONAL, KNIGHT_CHECK, NO_CHECK
};

enum Ending : uint8_t {
    NOT_ENDED, CHECKMATE, STALEMATE, INSUFFICIENT, FIFTY_MOVES, THREEFOLD, MAX_PLIES
};

enum Verdict : uint8_t { BEGUN, MOVED, REFUSED, NONSENSE, ANY_YES, ANY_NO, ERROR };

/// What was announced about pawn tries.
enum PawnTryNews : uint8_t { NO_NEWS, NONE, SOME };

/// The kind of a capturing or captured piece, as announced.
enum Kind : uint8_t { UNANNOUNCED, A_PAWN, A_PIECE };

/// The last accepted move of a player, as far as announced.
struct LastMove {
    uint8_t from, to;  // NO_SQUARE before the first move; known to the player alone
    uint8_t piece;     // before a promotion; known to the player alone
    uint8_t capture;   // the announced square, or NO_SQUARE
    uint8_t victim, capturer;
    uint8_t promoted;
    uint8_t reserved;
};

/// A player's present or last turn.
struct Turn {
    uint16_t refusals;
    uint8_t news;    // announced pawn tries
    uint8_t number;  // their number, or that of the announced squares
    uint8_t checks[2];
    uint8_t any;  // the answer to "any?" as news: NO_NEWS if it was not asked
    uint8_t only_pawn_captures;
};

struct Game {
    Position position;
    Bits pawn_try_squares;  // announced for the present turn, or all squares
    LastMove last[2];
    Turn turn[2];
    uint32_t episode;       // how many games this slot has had
    uint32_t draws;         // random numbers drawn in this game
    uint16_t ply;
    uint16_t key_count;
    uint16_t refused_count;
    uint16_t quiet_since[2];  // ply of the last announced capture or own pawn move
    uint8_t captures[2][3];   // by announced kind: pawns, pieces, unannounced
    uint8_t ruleset;
    uint8_t has_pawn_try;
    uint8_t ending;
    int8_t result;  // 1 White won, -1 Black won
    uint8_t reserved[2];
};

/// The larger parts of a game, which stand in arrays of their own.
struct Memory {
    uint64_t* keys;     // [KEYS]
    uint16_t* refused;  // [REFUSED_TRIES] codes of the tries that were refused in this turn
    uint16_t* stamps;   // [2][EVIDENCE_KINDS][64], in each player's orientation; ply + 1, or 0
};

struct Limits {
    uint16_t quiet;
    uint16_t plies;
};

/// A try in absolute coordinates.
struct Try {
    uint8_t from, to;
    uint8_t promotion;  // a piece, or NO_PIECE
    bool is_any;
};

/// The umpire's answer with what the ruleset announces, and the piece that was really captured.
struct Answer {
    uint8_t verdict;
    uint8_t capture;  // the announced square, or NO_SQUARE
    uint8_t victim, capturer;
    bool en_passant, promoted;
    uint8_t captured;  // a piece, or NO_PIECE: not announced
};

SIM_FN int orient(int square, int color) { return color == BLACK ? square ^ 56 : square; }

/// The try with a code of OBSERVATION.md, seen by `color`.
SIM_FN Try decode(uint16_t code, int color) {
    int promotion = code >> 12 & 7;
    Try t;
    t.from = uint8_t(orient(code & 63, color));
    t.to = uint8_t(orient(code >> 6 & 63, color));
    t.promotion = uint8_t(promotion == 0 ? NO_PIECE : promotion > 4 ? KING : promotion);
    t.is_any = code & ANY;
    return t;
}

SIM_FN uint16_t encode(const Try& t, int color) {
    if (t.is_any) return ANY;
    int promotion = t.promotion == NO_PIECE ? 0 : t.promotion;
    return uint16_t(orient(t.from, color) | orient(t.to, color) << 6 | promotion << 12);
}

SIM_FN void mark(const Memory& m, int color, int kind, Bits squares, int now) {
    if (color == BLACK) squares = mirror_ranks(squares);
    uint16_t* row = m.stamps + (color * EVIDENCE_KINDS + kind) * 64;
    while (squares) row[pop(squares)] = uint16_t(now + 1);
}

// Sensible tries ------------------------------------------------------------------------------

/// The pawns whose diagonal moves are sensible.
SIM_FN Bits pawns_that_may_capture(const Game& g) {
    const Turn& turn = g.turn[g.position.turn];
    if (turn.news == NONE || turn.any == NONE) return 0;
    return g.pawn_try_squares;
}

/// The squares strictly between king and rook.
SIM_FN Bits castling_path(int king, bool is_short) {
    return between(king, (king & 56) + (is_short ? 7 : 0));
}

/// The targets of the tries of the piece of the side to move on `from` that are sensible, apart
/// from those that were refused in this turn.
SIM_FN Bits possible_targets(const Game& g, int from) {
    const Position& p = g.position;
    int us = p.turn;
    Bits own = p.colors[us];
    if (!has(own, from)) return 0;
    int piece = p.piece_on(from);
    bool only_pawn_captures = g.turn[us].only_pawn_captures;
    if (piece == PAWN) {
        Bits targets = only_pawn_captures ? 0 : pawn_pushes(bit(from), us, own);
        if (has(pawns_that_may_capture(g), from)) targets |= pawn_attacks(bit(from), us) & ~own;
        return targets;
    }
    if (only_pawn_captures) return 0;
    Bits targets = 0;
    if (piece == KNIGHT) targets = knight_attacks(bit(from));
    if (piece == ROOK || piece == QUEEN) targets |= rook_attacks(from, own);
    if (piece == BISHOP || piece == QUEEN) targets |= bishop_attacks(from, own);
    if (piece == KING) {
        targets = king_attacks(bit(from));
        for (int is_short = 0; is_short <= 1; is_short++) {
            bool has_right = p.castling & castling_bit(us, is_short);
            if (has_right && !(castling_path(from, is_short) & own)) {
                targets |= bit(is_short ? from + 2 : from - 2);
            }
        }
    }
    return targets & ~own;
}

/// The targets that are sensible for the piece on `from`. A promotion is left out if one of its
/// four promotions was refused.
SIM_FN Bits sensible_targets(const Game& g, const Memory& m, int from) {
    Bits targets = possible_targets(g, from);
    for (int i = 0; i < g.refused_count; i++) {
        int code = m.refused[i];
        if ((code & (SENSELESS | 63)) == from) targets &= ~bit(code >> 6 & 63);
    }
    return targets;
}

/// Whether a move of the piece on `from` is a promotion.
SIM_FN bool is_promotion(const Position& p, int from) {
    int last_but_one = p.turn == WHITE ? 6 : 1;
    return rank_of(from) == last_but_one && has(p.of(p.turn, PAWN), from);
}

SIM_FN bool is_sensible(const Game& g, const Memory& m, const Try& t) {
    if (!has(possible_targets(g, t.from), t.to)) return false;
    bool is_piece_named = t.promotion >= KNIGHT && t.promotion <= QUEEN;
    bool is_right = is_promotion(g.position, t.from) ? is_piece_named : t.promotion == NO_PIECE;
    if (!is_right) return false;
    uint16_t code = encode(t, WHITE);
    for (int i = 0; i < g.refused_count; i++) {
        if (m.refused[i] == code) return false;
    }
    return true;
}

SIM_FN bool can_ask_any(const Game& g) {
    return ruleset_at(g.ruleset).has_any() && g.turn[g.position.turn].any == NO_NEWS;
}

// Evidence ------------------------------------------------------------------------------------

/// Marks what both players learn about the pawn tries of the side to move.
SIM_FN void mark_pawn_tries(const Game& g, const Memory& m, bool are_there, bool has_squares) {
    const Position& p = g.position;
    int us = p.turn, them = !us, now = g.ply;
    Bits own = p.colors[us], pawns = p.of(us, PAWN);
    Bits may_capture = are_there ? pawns & g.pawn_try_squares : 0;
    mark(m, us, PAWN_TRY, pawn_attacks(may_capture, us) & ~own, now);
    mark(m, us, NO_PAWN_TRY, pawn_attacks(pawns & ~may_capture, us) & ~own, now);
    if (are_there && has_squares) {
        mark(m, them, OPPONENT_PAWN, may_capture, now);
        return;
    }
    Bits pieces = p.colors[them];
    Bits near = pawn_attacks(pieces, them) & ~pieces & ~RANK_1 & ~RANK_8;
    mark(m, them, are_there ? OPPONENT_PAWN_TRY : NO_OPPONENT_PAWN_TRY, near, now);
}

/// Marks what the mover learns from the refusal of a sensible try.
SIM_FN void mark_refusal(const Game& g, const Memory& m, int piece, int from, int to) {
    int us = g.position.turn, now = g.ply;
    Bits path = between(from, to), target = bit(to);
    if (is_castling(piece, from, to)) {
        mark(m, us, BLOCKED, castling_path(from, to > from), now);
    } else if (piece == KING) {
        mark(m, us, KING_REFUSED, target, now);
    } else if (piece != PAWN) {
        mark(m, us, BLOCKED, path, now);  // a knight has no path
        mark(m, us, TARGET_REFUSED, target, now);
    } else if (file_of(from) != file_of(to)) {
        mark(m, us, CAPTURE_REFUSED, target, now);
    } else if (path) {
        mark(m, us, BLOCKED, path | target, now);
    } else {
        mark(m, us, PUSH_REFUSED, target, now);
    }
}

/// The squares on which the rising diagonal is the longer one: it passes nearer to the centre.
constexpr Bits squares_with_longer_rising() {
    Bits set = 0;
    for (int square = 0; square < 64; square++) {
        int rising = (square & 7) - (square >> 3), falling = (square & 7) + (square >> 3) - 7;
        if (rising * rising < falling * falling) set |= Bits(1) << square;
    }
    return set;
}
constexpr Bits RISING_IS_LONGER = squares_with_longer_rising();

SIM_FN int direction_between(int king, int checker) {
    if (rank_of(king) == rank_of(checker)) return ALONG_RANK;
    if (file_of(king) == file_of(checker)) return ALONG_FILE;
    if (!has(rising_line(king) | falling_line(king), checker)) return KNIGHT_CHECK;
    bool is_rising = has(rising_line(king), checker);
    return is_rising == has(RISING_IS_LONGER, king) ? LONG_DIAGONAL : SHORT_DIAGONAL;
}

/// The squares from which an announced check on `color` may come.
SIM_FN Bits check_line(const Position& p, int color, int direction) {
    int king = p.king(color);
    Bits own = p.colors[color];
    if (direction == KNIGHT_CHECK) return knight_attacks(bit(king)) & ~own;
    bool is_rising = (direction == LONG_DIAGONAL) == has(RISING_IS_LONGER, king);
    Bits line = direction == ALONG_RANK   ? rank_line(king)
                : direction == ALONG_FILE ? file_line(king)
                : is_rising         ? rising_line(king)
                                    : falling_line(king);
    return slide(king, own, line) & ~own;
}

/// The squares on which the opponent's king may stand after a move of `color` gave a check that was
/// announced in this direction.
SIM_FN Bits king_line(const Position& p, int color, int direction) {
    Bits own = p.colors[color], reached = 0;
    if (direction == KNIGHT_CHECK) return knight_attacks(p.of(color, KNIGHT)) & ~own;
    if (direction == ALONG_RANK || direction == ALONG_FILE) {
        bool is_rank = direction == ALONG_RANK;
        for (Bits rest = own & (p.pieces[ROOK] | p.pieces[QUEEN]); rest;) {
            int from = pop(rest);
            reached |= slide(from, own, is_rank ? rank_line(from) : file_line(from));
        }
        return reached & ~own;
    }
    Bits pawns = p.of(color, PAWN);
    Bits rising = pawn_attacks_rising(pawns, color), falling = pawn_attacks_falling(pawns, color);
    for (Bits rest = own & (p.pieces[BISHOP] | p.pieces[QUEEN]); rest;) {
        int from = pop(rest);
        rising |= slide(from, own, rising_line(from));
        falling |= slide(from, own, falling_line(from));
    }
    Bits is_rising = direction == LONG_DIAGONAL ? RISING_IS_LONGER : ~RISING_IS_LONGER;
    return ((rising & is_rising) | (falling & ~is_rising)) & ~own;
}

}  // namespace sim
