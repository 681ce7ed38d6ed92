// Correct: threads of a block and of a warp that share memory. None of these may be complained about.

#include <cooperative_groups.h>

#include "tests/emulator/findings/case.hpp"

namespace {

namespace cg = cooperative_groups;

// CASE warp_reduction: with __syncwarp() between read and write
__global__ void reduce_warp(const float* in, float* out) {
  __shared__ float sums[64];
  const unsigned lane = threadIdx.x;
  sums[lane] = in[lane];
  sums[lane + 32] = in[lane + 32];
  __syncwarp();
  for (unsigned distance = 32; distance > 0; distance /= 2) {
    const float other = sums[lane + (lane < distance ? distance : 0)];
    __syncwarp();
    if (lane < distance) sums[lane] += other;
    __syncwarp();
  }
  if (lane == 0) *out = sums[0];
}
CASE(warp_reduction) {
  Buffer<float> in(64, 1.0f), out(1, 0.0f);
  reduce_warp<<<1, 32>>>(in, out);
}

// CASE half_warps: each half of a warp waits only for itself
__global__ void rotate_halves(int* data) {
  __shared__ int values[64];
  const unsigned half = threadIdx.x / 16, lane = threadIdx.x % 16;
  values[threadIdx.x] = data[threadIdx.x];
  __syncwarp(half % 2 == 0 ? 0x0000ffffu : 0xffff0000u);
  data[threadIdx.x] = values[half * 16 + (lane + 5) % 16];
}
CASE(half_warps) {
  Buffer<int> data(64, 1);
  rotate_halves<<<1, 64>>>(data);
}

// CASE tiles: cooperative groups' tiles of 8 threads exchange through shared memory
__global__ void tile_prefix(int* data) {
  __shared__ int values[128];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int* const mine = values + threadIdx.x / 8 * 8;
  mine[tile.thread_rank()] = data[threadIdx.x];
  tile.sync();
  for (unsigned distance = 1; distance < 8; distance *= 2) {
    const int other = tile.thread_rank() >= distance ? mine[tile.thread_rank() - distance] : 0;
    tile.sync();
    mine[tile.thread_rank()] += other;
    tile.sync();
  }
  data[threadIdx.x] = mine[tile.thread_rank()];
}
CASE(tiles) {
  Buffer<int> data(128, 1);
  tile_prefix<<<1, 128>>>(data);
}

// CASE shuffles_ragged: a reduction by shuffles whose last warp is not full
__global__ void reduce_ragged(const int* in, int* out, int n) {
  __shared__ int sums[4];
  const int i = threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (i % 32 == 0) sums[i / 32] = value;
  __syncthreads();
  if (i == 0) *out = sums[0] + sums[1] + sums[2] + sums[3];
}
CASE(shuffles_ragged) {
  Buffer<int> in(100, 1), out(1, 0);
  reduce_ragged<<<1, 128>>>(in, out, 100);
}

// CASE double_buffer: one barrier per step, since each step writes the half that nobody reads
__global__ void smooth(float* data, int steps) {
  __shared__ float buffer[2][130];
  const unsigned i = threadIdx.x + 1;
  buffer[0][i] = data[threadIdx.x];
  if (i == 1) buffer[0][0] = buffer[0][129] = buffer[1][0] = buffer[1][129] = 0.0f;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float* const from = buffer[s & 1];
    buffer[(s + 1) & 1][i] = 0.5f * (from[i - 1] + from[i + 1]);
    __syncthreads();
  }
  data[threadIdx.x] = buffer[steps & 1][i];
}
CASE(double_buffer) {
  Buffer<float> data(128, 1.0f);
  smooth<<<1, 128>>>(data, 5);
}

// CASE block_scan: warps scan by shuffles, the first warp scans their sums
__global__ void scan(int* data) {
  __shared__ int sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = data[threadIdx.x];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += other;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, sum, distance);
      if (lane >= distance) sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  data[threadIdx.x] = value + (warp > 0 ? sums[warp - 1] : 0);
}
CASE(block_scan) {
  Buffer<int> data(256, 1);
  scan<<<1, 256>>>(data);
}

// CASE bytes_side_by_side: each thread owns one byte of a word
__global__ void invert(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char row[128];
  row[threadIdx.x] = static_cast<unsigned char>(255 - in[blockIdx.x * 128 + threadIdx.x]);
  row[threadIdx.x] ^= 1;
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = row[127 - threadIdx.x];
}
CASE(bytes_side_by_side) {
  Buffer<unsigned char> in(512, 7), out(512, 0);
  invert<<<4, 128>>>(in, out);
}

// CASE several_dynamic_arrays: one dynamic array, carved into a double, an int and a char part
__global__ void carve(double* out) {
  extern __shared__ double memory[];
  double* const values = memory;
  int* const keys = reinterpret_cast<int*>(values + blockDim.x);
  char* const flags = reinterpret_cast<char*>(keys + blockDim.x);
  const unsigned i = threadIdx.x;
  values[i] = 0.5 * i;
  keys[i] = static_cast<int>(blockDim.x - 1 - i);
  flags[i] = static_cast<char>(i % 2);
  __syncthreads();
  out[i] = flags[keys[i]] != 0 ? values[keys[i]] : 0.0;
}
CASE(several_dynamic_arrays) {
  Buffer<double> out(96, 0.0);
  carve<<<1, 96, 96 * (sizeof(double) + sizeof(int) + sizeof(char))>>>(out);
}

// CASE early_exits: threads leave, and no barrier follows
__global__ void collatz(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], steps = 0;
  while (x != 1) {
    if (steps > 100) return;
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  out[i] = steps;
}
CASE(early_exits) {
  std::vector<int> host(200);
  for (int i = 0; i < 200; ++i) host[i] = i + 1;
  Buffer<int> in(200, 0), out(200, 0);
  check(cudaMemcpy(in, host.data(), 200 * sizeof(int), cudaMemcpyHostToDevice));
  collatz<<<2, 128>>>(in, out, 200);
}

// CASE barriers_that_count: __syncthreads_count and its kin are barriers too
__global__ void compact(const int* in, int* out) {
  __shared__ int values[128];
  values[threadIdx.x] = in[threadIdx.x];
  const int positive = __syncthreads_count(in[threadIdx.x] > 0);
  out[threadIdx.x] = values[127 - threadIdx.x] + positive;
  if (__syncthreads_or(positive > 200)) return;
  values[127 - threadIdx.x] = positive;
  __syncthreads();
  out[threadIdx.x] += values[threadIdx.x];
}
CASE(barriers_that_count) {
  Buffer<int> in(128, 1), out(128, 0);
  compact<<<1, 128>>>(in, out);
}

// CASE transpose_with_padding: several rows per thread, two barriers per tile
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  for (int first = 0; first < n; first += 32) {
    for (unsigned k = 0; k < 32; k += 8)
      tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.x * 32 + threadIdx.y + k) * n + first + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < 32; k += 8)
      out[(first + threadIdx.y + k) * n + blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
    __syncthreads();
  }
}
CASE(transpose_with_padding) {
  Buffer<float> in(64 * 64, 1.0f), out(64 * 64, 0.0f);
  transpose<<<2, dim3(32, 8)>>>(in, out, 64);
}

// CASE broadcast_after_barrier: thread 0 computes, a barrier, all read; again in a loop
__global__ void normalise(float* data, int steps) {
  __shared__ float factor;
  for (int s = 0; s < steps; ++s) {
    if (threadIdx.x == 0) factor = 1.0f / (1.0f + data[0]);
    __syncthreads();
    const float mine = factor;
    __syncthreads();
    data[threadIdx.x] *= mine;
    __syncthreads();
  }
}
CASE(broadcast_after_barrier) {
  Buffer<float> data(96, 1.0f);
  normalise<<<1, 96>>>(data, 3);
}

// CASE fences_then_barrier: each thread fences what it wrote, the block waits, one thread signs in for all
__global__ void sum_by_last(float* parts, unsigned* tickets, float* out) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  float sum = 0.0f;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b * blockDim.x + threadIdx.x];
  atomicAdd(out, sum);
}
CASE(fences_then_barrier) {
  Buffer<float> parts(4 * 64, 0.0f), out(1, 0.0f);
  Buffer<unsigned> tickets(1, 0u);
  sum_by_last<<<4, 64>>>(parts, tickets, out);
}

}  // namespace
