// The C interface: runs the games on the GPU if it is compiled by nvcc, and on the CPU otherwise.
#include "simulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "observation.h"
#include "scripted.h"
#include "starts.h"
#include "umpire.h"

#if !defined(__CUDACC__)
#include <thread>
#include <vector>
#endif

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

// One operation on one game each ----------------------------------------------------------------

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
        bool is_done = g.ending != NOT_ENDED;
        if (events.accepted) events.accepted[i] = answer.verdict == MOVED;
        if (events.done) events.done[i] = is_done;
        if (events.result) events.result[i] = g.result;
        if (events.ending) events.ending[i] = g.ending;
        if (events.captured) {
            events.captured[i] = answer.captured == NO_PIECE ? 0 : uint8_t(answer.captured + 1);
        }
        if (events.mover) events.mover[i] = uint8_t(mover);
        if (is_done) all.begin_next(i);
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

// Loops -------------------------------------------------------------------------------------------

thread_local char error_text[256] = "";

static int fail(const char* reason) {
    snprintf(error_text, sizeof error_text, "%s", reason);
    return 1;
}

#if defined(__CUDACC__)

constexpr int BLOCK = 128;
constexpr int GAMES_PER_BLOCK = 4;  // of the kernel for observations: 64 threads each

template <typename Operation>
__global__ void __launch_bounds__(BLOCK) each_kernel(Operation operation, uint32_t n) {
    uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) operation(i);
}

static int check(cudaError_t code) {
    if (code == cudaSuccess) return 0;
    snprintf(error_text, sizeof error_text, "The GPU reports: %s.", cudaGetErrorString(code));
    return 1;
}

template <typename Operation>
static int for_each(const Operation& operation, uint32_t n, void* stream) {
    uint32_t blocks = (n + BLOCK - 1) / BLOCK;
    each_kernel<<<blocks, BLOCK, 0, static_cast<cudaStream_t>(stream)>>>(operation, n);
    return check(cudaGetLastError());
}

/// One thread per square. Planes and scalars are collected in shared memory, so that they are
/// written in whole lines.
__global__ void __launch_bounds__(64 * GAMES_PER_BLOCK) observe_kernel(Observation to) {
    constexpr int PLANE_QUADS = 64 * PLANES / 16, SCALAR_QUADS = SCALARS / 16;
    __shared__ uint16_t ages[AGES];
    __shared__ uint4 planes[GAMES_PER_BLOCK][PLANE_QUADS];
    __shared__ uint4 scalars[GAMES_PER_BLOCK][SCALAR_QUADS];
    int square = threadIdx.x & 63, local = threadIdx.x >> 6;
    uint32_t i = blockIdx.x * GAMES_PER_BLOCK + local;
    bool is_game = i < to.all.count;
    for (int age = threadIdx.x; age < AGES; age += 64 * GAMES_PER_BLOCK) {
        ages[age] = to.all.ages[age];
    }
    __syncthreads();
    if (is_game) {
        const Game& g = to.all.games[i];
        to.write_square(i, square);
        if (to.planes) {
            uint32_t* words = reinterpret_cast<uint32_t*>(planes[local]) + square * PLANES / 4;
            observe_square(g, to.all.memory(i), ages, g.position.turn, square, words);
        }
        if (to.scalars && square == 0) {
            write_scalars(g, reinterpret_cast<uint8_t*>(scalars[local]));
        }
    }
    __syncthreads();
    if (!is_game) return;
    if (to.planes) {
        uint4* out = reinterpret_cast<uint4*>(to.planes) + size_t(i) * PLANE_QUADS;
        for (int quad = square; quad < PLANE_QUADS; quad += 64) out[quad] = planes[local][quad];
    }
    if (to.scalars && square < SCALAR_QUADS) {
        reinterpret_cast<uint4*>(to.scalars)[size_t(i) * SCALAR_QUADS + square] =
            scalars[local][square];
    }
}

static int observe_all(const Observation& to, void* stream) {
    auto is_odd = [](const void* array) { return reinterpret_cast<uintptr_t>(array) % 16 != 0; };
    if (is_odd(to.planes) || is_odd(to.scalars)) {
        return fail("Pass arrays for planes and scalars that are aligned to 16 bytes.");
    }
    uint32_t blocks = (to.all.count + GAMES_PER_BLOCK - 1) / GAMES_PER_BLOCK;
    auto queue = static_cast<cudaStream_t>(stream);
    observe_kernel<<<blocks, 64 * GAMES_PER_BLOCK, 0, queue>>>(to);
    return check(cudaGetLastError());
}

template <typename Item>
static int allocate(Item** array, size_t items) {
    if (check(cudaMalloc(reinterpret_cast<void**>(array), items * sizeof(Item)))) return 1;
    return check(cudaMemset(*array, 0, items * sizeof(Item)));
}

static int copy_in(uint16_t* to, const uint16_t* from, size_t items) {
    return check(cudaMemcpy(to, from, items * sizeof *to, cudaMemcpyHostToDevice));
}

static void release(void* array) { cudaFree(array); }

constexpr int IS_GPU = 1;

#else

/// The number of threads: `KRIEG_SIMULATOR_THREADS`, or 1.
static uint32_t thread_count() {
    const char* text = getenv("KRIEG_SIMULATOR_THREADS");
    int threads = text ? atoi(text) : 1;
    return threads < 1 ? 1 : threads > 256 ? 256 : uint32_t(threads);
}

template <typename Operation>
static int for_each(const Operation& operation, uint32_t n, void*) {
    auto run = [&operation](uint32_t begin, uint32_t end) {
        for (uint32_t i = begin; i < end; i++) operation(i);
    };
    uint32_t threads = thread_count();
    if (threads == 1 || n < 64) {
        run(0, n);
        return 0;
    }
    std::vector<std::thread> others;
    for (uint32_t k = 1; k < threads; k++) {
        others.emplace_back(run, uint32_t(uint64_t(n) * k / threads),
                            uint32_t(uint64_t(n) * (k + 1) / threads));
    }
    run(0, n / threads);
    for (auto& other : others) other.join();
    return 0;
}

static int observe_all(const Observation& to, void* stream) {
    return for_each(to, to.all.count, stream);
}

template <typename Item>
static int allocate(Item** array, size_t items) {
    *array = static_cast<Item*>(calloc(items, sizeof(Item)));
    return *array ? 0 : fail("There is not enough memory: use fewer games.");
}

static int copy_in(uint16_t* to, const uint16_t* from, size_t items) {
    memcpy(to, from, items * sizeof *to);
    return 0;
}

static void release(void* array) { free(array); }

constexpr int IS_GPU = 0;

#endif

// Settings ----------------------------------------------------------------------------------------

/// Turns weights into thresholds for random numbers of 31 bits.
static bool set_thresholds(const float* weights, int kinds, uint32_t* thresholds) {
    double sum = 0, before = 0;
    for (int i = 0; i < kinds; i++) {
        if (!(weights[i] >= 0 && weights[i] < 1e30f)) return false;
        sum += weights[i];
    }
    for (int i = 0; i < kinds - 1; i++) {
        before += weights[i];
        thresholds[i] = sum > 0 ? uint32_t(before / sum * 2147483648.0) : 0;
    }
    return sum > 0;
}

static int set_starts(
    Games& all, const float* rulesets, const float* starts, int32_t quiet, int32_t plies
) {
    Starts next;
    if (!set_thresholds(rulesets, RULESETS, next.ruleset_thresholds) ||
        !set_thresholds(starts, START_KINDS, next.start_thresholds)) {
        return fail("Give weights of rulesets and starts that are not negative and not all 0.");
    }
    if (quiet < 1 || quiet > MAX_QUIET) return fail("Give a quiet limit from 1 to 100 plies.");
    if (plies < 1 || plies > 65000) return fail("Give a limit from 1 to 65000 plies.");
    all.starts = next;
    all.limits = {uint16_t(quiet), uint16_t(plies)};
    return 0;
}

static int allocate_all(Games& all, uint32_t games) {
    uint16_t ages[AGES];
    fill_age_table(ages);
    all.count = games;
    return allocate(&all.games, games) || allocate(&all.keys, size_t(games) * KEYS) ||
           allocate(&all.refused, size_t(games) * REFUSED_TRIES) ||
           allocate(&all.stamps, size_t(games) * STAMPS) || allocate(&all.ages, AGES) ||
           copy_in(all.ages, ages, AGES);
}

}  // namespace sim

struct Simulator {
    sim::Games all;
};

extern "C" {

const char* sim_error(void) { return sim::error_text; }

int sim_is_gpu(void) { return sim::IS_GPU; }

Simulator* sim_create(const SimSettings* settings) {
    if (settings->games < 1 || settings->games > 1u << 24) {
        sim::fail("Give a number of games from 1 to 16777216.");
        return nullptr;
    }
    Simulator* simulator = new (std::nothrow) Simulator();
    if (!simulator) {
        sim::fail("There is not enough memory: use fewer games.");
        return nullptr;
    }
    sim::Games& all = simulator->all;
    all.seed = settings->seed;
    int failure = sim::set_starts(
        all, settings->ruleset_weights, settings->start_weights, settings->quiet_limit,
        settings->max_plies);
    if (failure || sim::allocate_all(all, settings->games)) {
        sim_destroy(simulator);
        return nullptr;
    }
    return simulator;
}

void sim_destroy(Simulator* simulator) {
    if (!simulator) return;
    sim::Games& all = simulator->all;
    sim::release(all.games);
    sim::release(all.keys);
    sim::release(all.refused);
    sim::release(all.stamps);
    sim::release(all.ages);
    delete simulator;
}

int sim_set_starts(
    Simulator* simulator, const float ruleset_weights[7], const float start_weights[3],
    int32_t quiet_limit, int32_t max_plies, void*
) {
    return sim::set_starts(
        simulator->all, ruleset_weights, start_weights, quiet_limit, max_plies);
}

int sim_reset(Simulator* simulator, void* stream) {
    return sim::for_each(sim::Reset{simulator->all}, simulator->all.count, stream);
}

int sim_observe(
    Simulator* simulator, uint8_t* planes, uint8_t* scalars, uint64_t* masks, uint8_t* target,
    uint8_t* mover, void* stream
) {
    sim::Observation to = {simulator->all, planes, scalars, masks, target, mover};
    return sim::observe_all(to, stream);
}

int sim_contents(Simulator* simulator, uint8_t* contents, void* stream) {
    sim::Contents to = {simulator->all, contents};
    return sim::for_each(to, simulator->all.count * 128, stream);
}

int sim_info(
    Simulator* simulator, uint8_t* ruleset, uint16_t* ply, int8_t* material, void* stream
) {
    sim::Info to = {simulator->all, ruleset, ply, material};
    return sim::for_each(to, simulator->all.count, stream);
}

int sim_step(Simulator* simulator, const uint16_t* tries, SimEvents events, void* stream) {
    sim::Step step = {simulator->all, tries, events};
    return sim::for_each(step, simulator->all.count, stream);
}

int sim_scripted(
    Simulator* simulator, const uint8_t* kinds, const float* temper, uint16_t* tries,
    void* stream
) {
    sim::Scripted scripted = {simulator->all, kinds, temper, tries};
    return sim::for_each(scripted, simulator->all.count, stream);
}

}  // extern "C"
