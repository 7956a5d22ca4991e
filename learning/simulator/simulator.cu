// The C interface: runs the games on the GPU if it is compiled by nvcc, and on the CPU otherwise.
#include "simulator.h"

#include <new>

#if defined(__CUDACC__)
#include "gpu.h"
#else
#include "cpu.h"
#endif

namespace sim {

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
    sim::Replace replace = {simulator->all};
    return sim::for_each(step, simulator->all.count, stream) ||
           sim::for_each(replace, simulator->all.count, stream);
}

int sim_scripted(
    Simulator* simulator, const uint8_t* kinds, const float* temper, uint16_t* tries,
    void* stream
) {
    sim::Scripted scripted = {simulator->all, kinds, temper, tries};
    return sim::for_each(scripted, simulator->all.count, stream);
}

}  // extern "C"
