// What the simulator does with one game: each operation is a function of the index of the game.
#pragma once
#include <cstring>

#include "observation.h"
#include "scripted.h"
#include "simulator.h"
#include "starts.h"
#include "umpire.h"

namespace sim {

/// The arrays and settings that the loops over games need, copied into each kernel.
struct Games {
    Game* games;
    uint64_t* keys;
    uint16_t* refused;
    uint16_t* stamps;
    uint16_t* ages;
    uint64_t seed;
    Starts starts;
    Limits limits;
    uint32_t count;

    SIM_FN Memory memory(uint32_t i) const {
        return {
            keys + size_t(i) * KEYS, refused + size_t(i) * REFUSED_TRIES,
            stamps + size_t(i) * STAMPS};
    }
    SIM_FN Random random(uint32_t i) const {
        return random_of(seed, i, games[i].episode, &games[i].draws);
    }
    /// Begins the next game in a slot.
    SIM_FN void begin_next(uint32_t i) const {
        Game& g = games[i];
        g.episode++;
        g.draws = 0;
        Random numbers = random(i);
        int ruleset = choose(numbers, starts.ruleset_thresholds, RULESETS);
        begin_game(g, memory(i), limits, start_position(numbers, starts), ruleset);
    }
};


struct Reset {
    Games all;
    SIM_FN void operator()(uint32_t i) const { all.begin_next(i); }
};

struct Step {
    Games all;
    const uint16_t* tries;
    SimEvents events;

    SIM_FN void operator()(uint32_t i) const {
        Game& g = all.games[i];
        int mover = g.position.turn;
        Answer answer = judge(g, all.memory(i), all.limits, decode(tries[i], mover));
        if (events.accepted) events.accepted[i] = answer.verdict == MOVED;
        if (events.done) events.done[i] = g.ending != NOT_ENDED;
        if (events.result) events.result[i] = g.result;
        if (events.ending) events.ending[i] = g.ending;
        if (events.captured) {
            events.captured[i] = answer.captured == NO_PIECE ? 0 : uint8_t(answer.captured + 1);
        }
        if (events.mover) events.mover[i] = uint8_t(mover);
    }
};

/// Replaces games that have ended. Apart from `Step`, so that its kernel needs fewer registers.
struct Replace {
    Games all;
    SIM_FN void operator()(uint32_t i) const {
        if (all.games[i].ending != NOT_ENDED) all.begin_next(i);
    }
};

struct Scripted {
    Games all;
    const uint8_t* kinds;
    const float* temper;
    uint16_t* tries;

    SIM_FN void operator()(uint32_t i) const {
        if (kinds[i] == UNCHANGED) return;
        const Game& g = all.games[i];
        Random numbers = all.random(i);
        float bounded = temper[i] > 0.0f ? (temper[i] < 1.0f ? temper[i] : 1.0f) : 0.0f;
        int scaled = int(bounded * 65536.0f);
        Try t = scripted_try(g, all.memory(i), numbers, kinds[i], scaled);
        tries[i] = encode(t, g.position.turn);
    }
};

struct Info {
    Games all;
    uint8_t* ruleset;
    uint16_t* ply;
    int8_t* material;

    SIM_FN void operator()(uint32_t i) const {
        const Game& g = all.games[i];
        if (ruleset) ruleset[i] = g.ruleset;
        if (ply) ply[i] = g.ply;
        if (!material) return;
        int sum = 0;
        for (int piece = PAWN; piece <= QUEEN; piece++) {
            int value = piece == PAWN ? 1 : piece <= BISHOP ? 3 : piece == ROOK ? 5 : 9;
            int white = count(g.position.of(WHITE, piece));
            sum += value * (white - count(g.position.of(BLACK, piece)));
        }
        material[i] = int8_t(sum);
    }
};

/// One square of one player in one game.
struct Contents {
    Games all;
    uint8_t* out;

    SIM_FN void operator()(uint32_t i) const {
        out[i] = opponent_on(all.games[i >> 7].position, i >> 6 & 1, i & 63);
    }
};

struct Observation {
    Games all;
    uint8_t* planes;
    uint8_t* scalars;
    uint64_t* masks;
    uint8_t* target;
    uint8_t* mover;

    /// Writes what is neither planes nor scalars: the parts of one square.
    SIM_FN void write_square(uint32_t i, int square) const {
        const Game& g = all.games[i];
        int us = g.position.turn;
        if (target) target[size_t(i) * 64 + square] = opponent_on(g.position, us, square);
        if (masks) masks[size_t(i) * MASK_WORDS + square] = mask_word(g, all.memory(i), square);
        if (square != 0) return;
        if (masks) masks[size_t(i) * MASK_WORDS + 64] = can_ask_any(g);
        if (mover) mover[i] = uint8_t(us);
    }
    /// Writes everything about one game.
    SIM_FN void operator()(uint32_t i) const {
        const Game& g = all.games[i];
        for (int square = 0; square < 64; square++) {
            uint32_t words[PLANES / 4];
            write_square(i, square);
            if (!planes) continue;
            observe_square(g, all.memory(i), all.ages, g.position.turn, square, words);
            memcpy(planes + (size_t(i) * 64 + square) * PLANES, words, PLANES);
        }
        if (scalars) write_scalars(g, scalars + size_t(i) * SCALARS);
    }
};

}  // namespace sim
