// Random numbers: a counter-based generator, so that the GPU and the CPU draw the same numbers.
#pragma once
#include "rules.h"

namespace sim {

struct Random {
    uint64_t key;
    uint32_t* drawn;  // how many numbers were drawn, kept with the game

    SIM_FN uint32_t next() {
        uint64_t n = ++*drawn;
        return uint32_t(mix(key + n * 0x9e3779b97f4a7c15ull) >> 32);
    }
    /// A number below `limit`, which is not 0.
    SIM_FN int below(int limit) { return int(uint64_t(next()) * uint32_t(limit) >> 32); }
    /// A number of `low` to `high`, both included.
    SIM_FN int range(int low, int high) { return low + below(high - low + 1); }
};

/// The generator of a game: its numbers depend on the seed, the slot and the number of the game in
/// that slot.
SIM_FN Random random_of(uint64_t seed, uint32_t slot, uint32_t episode, uint32_t* drawn) {
    return {mix(mix(seed + 0x632be59bd9b4e019ull) ^ (uint64_t(episode) << 32 | slot)), drawn};
}

/// One move chosen among all that were added, each with the same probability.
struct MoveDraw {
    Bits targets;  // of the chosen piece
    int from;
    int seen;

    SIM_FN void add(Random& random, int origin, Bits added) {
        int size = count(added);
        seen += size;
        if (size == 0 || random.below(seen) >= size) return;
        from = origin;
        targets = added;
    }
};

}  // namespace sim
