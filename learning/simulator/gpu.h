// Loops over games and memory on the GPU.
#pragma once
#include "failure.h"
#include "operations.h"

namespace sim {

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

}  // namespace sim
