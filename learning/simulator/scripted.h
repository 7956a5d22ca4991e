// Scripted players. They use only what the player to move knows: its own pieces, the announcements,
// and the evidence. They imitate `random`, `semi-random` and `greedy` of crates/krieg-players.
#pragma once
#include "game.h"
#include "random.h"

namespace sim {

enum ScriptedKind : uint8_t { UNCHANGED, RANDOM, SEMI_RANDOM, GREEDY };

/// Visits every sensible move of the side to move. A promotion is visited once, as one to a queen.
template <typename Visit>
SIM_FN void visit_tries(const Game& g, const Memory& m, Visit& visit) {
    const Position& p = g.position;
    for (Bits rest = p.colors[p.turn]; rest;) {
        int from = pop(rest);
        Bits targets = sensible_targets(g, m, from);
        if (!targets) continue;
        int piece = p.piece_on(from);
        uint8_t promotion = is_promotion(p, from) ? uint8_t(QUEEN) : uint8_t(NO_PIECE);
        while (targets) {
            Try t = {uint8_t(from), uint8_t(pop(targets)), promotion, false};
            visit.see(piece, t);
        }
    }
}

/// Draws one of the visited tries, all with the same probability.
struct Draw {
    Random random;
    Bits targets;             // only tries to these squares
    bool only_pawn_captures;  // only these tries
    int seen;
    Try chosen;

    SIM_FN void see(int piece, const Try& t) {
        bool is_pawn_capture = piece == PAWN && file_of(t.from) != file_of(t.to);
        if (!has(targets, t.to) || (only_pawn_captures && !is_pawn_capture)) return;
        // Reservoir sampling: the nth try replaces the choice with probability 1/n.
        if (random.below(++seen) == 0) chosen = t;
    }
};

SIM_FN bool draw_among(
    const Game& g, const Memory& m, Random& random, Bits targets, bool only_pawn_captures, Try& t
) {
    Draw draw = {random, targets, only_pawn_captures, 0, {}};
    visit_tries(g, m, draw);
    if (draw.seen > 0) t = draw.chosen;
    return draw.seen > 0;
}

/// A random sensible try. "Any?" counts as one, a promotion as one with a random piece.
SIM_FN Try random_try(const Game& g, const Memory& m, Random& random) {
    const Position& p = g.position;
    Try t = {0, 0, NO_PIECE, true};
    MoveDraw draw = {0, 0, 0};
    for (Bits rest = p.colors[p.turn]; rest;) {
        int from = pop(rest);
        draw.add(random, from, sensible_targets(g, m, from));
    }
    if (draw.seen == 0 || (can_ask_any(g) && random.below(draw.seen + 1) == 0)) return t;
    t.is_any = false;
    t.from = uint8_t(draw.from);
    t.to = uint8_t(nth(draw.targets, random.below(count(draw.targets))));
    if (is_promotion(p, draw.from)) t.promotion = uint8_t(random.range(KNIGHT, QUEEN));
    return t;
}

/// Whether an own pawn was announced to have a capture.
SIM_FN bool has_announced_pawn_try(const Game& g) {
    const Turn& turn = g.turn[g.position.turn];
    return turn.news == SOME || turn.any == SOME;
}

/// Asks "any?", recaptures, uses pawn tries, and otherwise plays at random.
SIM_FN Try semi_random_try(const Game& g, const Memory& m, Random& random) {
    Try t = {0, 0, NO_PIECE, true};
    if (can_ask_any(g)) return t;
    int lost = g.last[!g.position.turn].capture;
    if (lost != NO_SQUARE && draw_among(g, m, random, bit(lost), false, t)) return t;
    if (has_announced_pawn_try(g) && draw_among(g, m, random, ~Bits(0), true, t)) return t;
    return random_try(g, m, random);
}

/// The value of a piece for `greedy`, in centipawns.
SIM_FN int greedy_value(int piece) {
    if (piece == PAWN) return 100;
    if (piece <= BISHOP) return 300;
    return piece == ROOK ? 500 : piece == QUEEN ? 900 : 0;
}

/// Draws one of the visited tries with the highest heuristic value (`greedy`).
struct Greedy {
    const Game& g;
    const Memory& m;
    Random random;
    Bits reach;    // squares that the opponent's capturing piece may reach
    int capturer;  // its square, or NO_SQUARE
    int passed;    // where a pawn may stand that captured en passant, or NO_SQUARE
    int noise;     // in centipawns
    int seen;      // tries with the highest value
    int best;
    Try chosen;

    /// How likely a piece of the opponent is on a square, in percent. A capture by the opponent is
    /// certain, a blocked square is nearly so, and each move of the opponent reduces that.
    SIM_FN int occupancy(int square) const {
        int us = g.position.turn;
        const uint16_t* at = m.stamps + us * EVIDENCE_KINDS * 64 + orient(square, us);
        int seen_empty = at[EMPTY * 64], own_capture = at[CAPTURED * 64];
        int cleared = seen_empty > own_capture ? seen_empty : own_capture;
        int percent = 0;
        if (square == passed) percent = 80;
        const Evidence kinds[3] = {LOST, PUSH_REFUSED, BLOCKED};
        const int percents[3] = {100, 80, 50};
        for (int i = 0; i < 3; i++) {
            int stamp = at[kinds[i] * 64];
            if (stamp <= cleared) continue;
            int value = percents[i];
            int age = g.ply + 1 - stamp;
            for (; age >= 2 && value > 0; age -= 2) value = value * 3 / 5;
            if (value > percent) percent = value;
        }
        return percent;
    }

    SIM_FN int value(int piece, const Try& t) const {
        int value = t.promotion == NO_PIECE ? 0 : 800;
        if (piece == PAWN) {
            bool is_capture = file_of(t.from) != file_of(t.to);
            // Without an announced pawn try the capture is a guess, which has no value.
            return is_capture && has_announced_pawn_try(g) ? value + 350 : value;
        }
        value += occupancy(t.to) * (300 - greedy_value(piece) * 25 / 100) / 100;
        int at_risk = greedy_value(piece) * 15 / 100;
        if (t.to != (capturer == NO_SQUARE ? t.from : capturer)) {
            value += at_risk * (int(has(reach, t.from)) - int(has(reach, t.to)));
        }
        return value;
    }

    SIM_FN void see(int piece, const Try& t) {
        int now = value(piece, t) + (noise > 0 ? random.below(noise) : 0);
        if (seen > 0 && now < best) return;
        seen = seen > 0 && now == best ? seen + 1 : 1;
        best = now;
        if (random.below(seen) == 0) chosen = t;
    }
};

SIM_FN Try greedy_try(const Game& g, const Memory& m, Random& random, int noise) {
    Try t = {0, 0, NO_PIECE, true};
    if (can_ask_any(g)) return t;
    int us = g.position.turn;
    const LastMove &own = g.last[us], &opponent = g.last[!us];
    int capturer = opponent.capture, passed = NO_SQUARE;
    Bits reach = 0, pieces = g.position.colors[us];
    if (capturer != NO_SQUARE) {
        reach = rook_attacks(capturer, pieces) | bishop_attacks(capturer, pieces);
        reach |= knight_attacks(bit(capturer));
        bool is_double_step = own.piece == PAWN && magnitude(own.from - own.to) == 16;
        if (is_double_step && own.to == capturer) passed = (own.from + own.to) / 2;
    }
    Greedy greedy = {g, m, random, reach, capturer, passed, noise, 0, 0, {}};
    visit_tries(g, m, greedy);
    return greedy.seen > 0 ? greedy.chosen : t;
}

/// The try of a scripted player. `temper` is the probability of a random try, times 65536; for
/// `greedy` it is also the largest noise, in units of 300 centipawns.
SIM_FN Try scripted_try(const Game& g, const Memory& m, Random& random, int kind, int temper) {
    if (kind == RANDOM || int(random.next() >> 16) < temper) return random_try(g, m, random);
    if (kind == SEMI_RANDOM) return semi_random_try(g, m, random);
    return greedy_try(g, m, random, 300 * temper >> 16);
}

}  // namespace sim
