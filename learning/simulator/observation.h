// The observation of learning/OBSERVATION.md, from what one player knows.
#pragma once
#include "game.h"

namespace sim {

constexpr int PLANES = 48;
constexpr int SCALARS = 64;
constexpr int MASK_WORDS = 65;
constexpr int AGES = 256;

/// Fills the table of `fast(age) | slow(age) << 8`.
inline void fill_age_table(uint16_t* table) {
    int fast = 255, slow = 65280;
    for (int age = 0; age < AGES; age++) {
        table[age] = uint16_t(fast | (slow / 256) << 8);
        fast = fast * 2 / 3;
        slow = slow * 61 / 64;
    }
}

SIM_FN int at_most(int n, int limit) { return n < limit ? n : limit; }

/// The number of pieces among `own` that attack a square, where only `own` pieces block.
SIM_FN int count_attackers(const Position& p, int square, int color) {
    return count(attackers_of(p, square, color, p.colors[color], p.colors[color]));
}

/// Writes the 48 bytes of one square, given in the player's orientation, as 12 words.
SIM_FN void observe_square(
    const Game& g, const Memory& m, const uint16_t* ages, int color, int square, uint32_t* out
) {
    const Position& p = g.position;
    int here = orient(square, color), home = color == WHITE ? 0 : 56;
    const LastMove& last = g.last[color];
    uint64_t low = 0;  // bytes 0 to 7
    if (has(p.colors[color], here)) low |= uint64_t(255) << (8 * p.piece_on(here));
    low |= uint64_t(51 * at_most(count_attackers(p, here, color), 5)) << 48;
    bool is_short_corner = here == home + 7 && (p.castling & castling_bit(color, true));
    bool is_long_corner = here == home && (p.castling & castling_bit(color, false));
    if (is_short_corner || is_long_corner) low |= uint64_t(255) << 56;

    int refused_from = 0, refused_to = 0;
    if (color == p.turn) {
        for (int i = 0; i < g.refused_count; i++) {
            int code = m.refused[i];
            refused_from += (code & 63) == here;
            refused_to += (code >> 6 & 63) == here;
        }
    }
    uint32_t moves = (last.from == here ? 255u : 0u) | (last.to == here ? 255u << 8 : 0u);
    moves |= uint32_t(51 * at_most(refused_from, 5)) << 16;
    moves |= uint32_t(51 * at_most(refused_to, 5)) << 24;
    out[0] = uint32_t(low);
    out[1] = uint32_t(low >> 32);
    out[2] = moves;

    const uint16_t* stamps = m.stamps + color * EVIDENCE_KINDS * 64 + square;
    uint32_t word = 0;
    for (int kind = 0; kind < EVIDENCE_KINDS; kind++) {
        int stamp = stamps[kind * 64];
        uint32_t value = stamp ? ages[at_most(g.ply - (stamp - 1), AGES - 1)] : 0;
        if (kind % 2 == 0) {
            word = value;
        } else {
            out[3 + kind / 2] = word | value << 16;
        }
    }
    out[3 + EVIDENCE_KINDS / 2] = word;
    out[4 + EVIDENCE_KINDS / 2] = 0;
}

SIM_FN uint8_t flag(bool is_set) { return is_set ? 255 : 0; }

/// Writes the announced pawn tries of a turn: some, none, and how many.
SIM_FN void write_pawn_tries(const Turn& turn, uint8_t* out) {
    out[0] = flag(turn.news == SOME);
    out[1] = flag(turn.news == NONE);
    out[2] = uint8_t(51 * at_most(turn.number, 5));
}

/// Writes the 64 scalars of the player to move.
SIM_FN void write_scalars(const Game& g, uint8_t* out) {
    const Position& p = g.position;
    const Ruleset rules = ruleset_at(g.ruleset);
    int us = p.turn, them = !us;
    const Turn &own = g.turn[us], &opponent = g.turn[them];
    const LastMove &own_move = g.last[us], &opponent_move = g.last[them];
    for (int i = 0; i < SCALARS; i++) out[i] = 0;

    out[0] = uint8_t(15 * at_most(count(p.colors[them]), 17));
    out[1] = uint8_t(30 * at_most(g.captures[us][0], 8));
    out[2] = uint8_t(30 * at_most(g.captures[us][1], 8));
    out[3] = uint8_t(15 * at_most(g.captures[us][2], 17));
    write_pawn_tries(own, out + 4);
    write_pawn_tries(opponent, out + 7);
    for (int i = 0; i < 2; i++) {
        if (own.checks[i] != NO_CHECK) {
            out[10 + own.checks[i]] = 255;
            out[15] = uint8_t(out[15] + 127);
        }
        // A check at the start of the game was given by no move.
        if (opponent.checks[i] != NO_CHECK && own_move.from != NO_SQUARE) {
            out[16 + opponent.checks[i]] = 255;
        }
    }
    out[21] = uint8_t(17 * at_most(own.refusals, 15));
    if (rules.both_hear_refusals) out[22] = uint8_t(17 * at_most(opponent.refusals, 15));
    out[23] = flag(opponent_move.capture != NO_SQUARE);
    out[24] = flag(opponent_move.capturer == A_PAWN);
    out[25] = flag(opponent_move.capturer == A_PIECE);
    out[26] = flag(opponent_move.promoted);
    out[27] = flag(own_move.capture != NO_SQUARE);
    out[28] = flag(own_move.victim == A_PAWN);
    out[29] = flag(own_move.victim == A_PIECE);
    out[30] = flag(can_ask_any(g));
    out[31] = flag(own.any == SOME);
    out[32] = flag(own.any == NONE);
    out[33] = flag(own.only_pawn_captures);
    out[34] = flag(opponent.any == SOME);
    out[35] = flag(opponent.any == NONE);
    out[36] = uint8_t(at_most(g.ply, 255));
    out[37] = uint8_t(at_most(g.ply / 4, 255));
    out[38] = uint8_t(at_most(2 * (g.ply - g.quiet_since[us]), 255));
    out[39 + rules.pawn_tries] = 255;
    out[45] = flag(rules.both_hear_refusals);
    out[46] = flag(rules.announces_victim);
    out[47] = flag(rules.announces_capturer);
    out[48] = flag(rules.announces_en_passant);
    out[49] = flag(rules.announces_promotion);
    out[50] = flag(rules.stalemate_loses);
    // The simulator plays with all draw rules.
    out[51] = out[52] = out[53] = 255;
    out[62] = flag(us == BLACK);
}

/// The mask word of a square, given in the orientation of the player to move.
SIM_FN uint64_t mask_word(const Game& g, const Memory& m, int square) {
    int us = g.position.turn;
    Bits targets = sensible_targets(g, m, orient(square, us));
    return us == BLACK ? mirror_ranks(targets) : targets;
}

/// The opponent's piece on a square in the orientation of `color`: 0 none, 1 pawn, ..., 6 king.
SIM_FN uint8_t opponent_on(const Position& p, int color, int square) {
    int here = orient(square, color);
    return has(p.colors[!color], here) ? uint8_t(p.piece_on(here) + 1) : 0;
}

}  // namespace sim
