// The C interface of the simulator: many games of Kriegspiel at once.
//
// In the GPU build all arrays of games are device pointers and `stream` is a cudaStream_t; in the
// CPU build they are host pointers and `stream` is ignored. Functions return 0 on success;
// otherwise `sim_error` tells what to do.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct SimSettings {
    uint32_t games;
    uint64_t seed;
    float ruleset_weights[7];  // icc, cincinnati, berkeley, berkeley-any, english, rand, dutch
    float start_weights[3];    // standard, after random moves, random placement
    int32_t quiet_limit;       // draw after so many plies without capture or pawn move: 1 to 100
    int32_t max_plies;         // draw after so many plies: 1 to 65000
};

/// What happened, for each game; any pointer may be null.
struct SimEvents {
    uint8_t* accepted;  // 1: the try was a legal move
    uint8_t* done;      // 1: the game ended with this try, and a new one stands in its place
    int8_t* result;     // 1 White won, 0 draw, -1 Black won; valid if done
    uint8_t* ending;    // 0 none, 1 checkmate, 2 stalemate, 3 insufficient material,
                        // 4 quiet limit, 5 threefold, 6 max plies
    uint8_t* captured;  // the captured piece: 0 none, 1 pawn, ..., 5 queen
    uint8_t* mover;     // who made the try: 0 White, 1 Black
};

typedef struct Simulator Simulator;

/// The reason of the last failure in this thread: a sentence.
const char* sim_error(void);
/// 1 if this is the GPU build.
int sim_is_gpu(void);

/// Null on failure. The games are not begun: call `sim_reset`.
Simulator* sim_create(const struct SimSettings* settings);
void sim_destroy(Simulator* simulator);

/// Changes what later games begin with, and their limits. The weights are host pointers.
int sim_set_starts(
    Simulator* simulator, const float ruleset_weights[7], const float start_weights[3],
    int32_t quiet_limit, int32_t max_plies, void* stream);
/// Begins all games anew.
int sim_reset(Simulator* simulator, void* stream);

/// Writes the observations of the players to move (OBSERVATION.md); any pointer may be null.
/// planes [games][64][48] with 0 as memory, scalars [games][64] with 0 as kind of opponent,
/// masks [games][65], target [games][64], mover [games]: 0 White, 1 Black.
int sim_observe(
    Simulator* simulator, uint8_t* planes, uint8_t* scalars, uint64_t* masks, uint8_t* target,
    uint8_t* mover, void* stream);
/// Writes [games][2][64]: for each player the opponent's pieces, as `target`.
int sim_contents(Simulator* simulator, uint8_t* contents, void* stream);
/// Writes the ruleset, the number of moves, and White's material minus Black's in pawns (knight and
/// bishop 3, rook 5, queen 9); any pointer may be null.
int sim_info(
    Simulator* simulator, uint8_t* ruleset, uint16_t* ply, int8_t* material, void* stream);

/// Judges one try in each game: `tries` [games] holds codes of OBSERVATION.md.
int sim_step(
    Simulator* simulator, const uint16_t* tries, struct SimEvents events, void* stream);
/// Writes the tries of scripted players. kinds [games]: 0 leaves the entry unchanged, 1 random,
/// 2 semi-random, 3 greedy. temper [games]: the probability of a random try instead, 0 to 1; for
/// greedy it also adds noise to the values.
int sim_scripted(
    Simulator* simulator, const uint8_t* kinds, const float* temper, uint16_t* tries,
    void* stream);

#ifdef __cplusplus
}
#endif
