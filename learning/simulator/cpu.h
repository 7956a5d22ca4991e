// Loops over games and memory on the CPU, with the same functions as gpu.h.
#pragma once
#include <cstdlib>
#include <thread>
#include <vector>

#include "failure.h"
#include "operations.h"

namespace sim {

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

}  // namespace sim
