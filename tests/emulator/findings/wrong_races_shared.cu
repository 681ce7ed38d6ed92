// Races between threads of one block.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE tile_without_barrier: the transposed read may come before the write
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];  // FINDS race
  out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];  // FINDS race
}
CASE(tile_without_barrier) {
  Buffer<float> in(32 * 32, 1.0f), out(32 * 32, 0.0f);
  transpose<<<dim3(2, 2), dim3(16, 16)>>>(in, out, 32);
}

// CASE second_barrier_missing: the next tile is loaded while others still use this one
__global__ void dot_tiles(const float* a, const float* b, float* out, int n) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int first = 0; first < n; first += 64) {
    tile[threadIdx.x] = b[first + threadIdx.x];  // FINDS race
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += a[threadIdx.x * n + first + k] * tile[k];  // FINDS race
  }
  out[threadIdx.x] = sum;
}
CASE(second_barrier_missing) {
  Buffer<float> a(64 * 256, 1.0f), b(256, 1.0f), out(64, 0.0f);
  std::vector<float> host(256);
  for (int i = 0; i < 256; ++i) host[i] = static_cast<float>(i);
  check(cudaMemcpy(b, host.data(), sizeof(float) * 256, cudaMemcpyHostToDevice));
  dot_tiles<<<1, 64>>>(a, b, out, 256);
}

// CASE reduction_without_barrier: between two steps of the tree
__global__ void reduce(const int* in, int* out) {
  __shared__ int sums[256];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];  // FINDS race
  if (threadIdx.x == 0) *out = sums[0];
}
CASE(reduction_without_barrier) {
  Buffer<int> in(256, 1), out(1, 0);
  reduce<<<1, 256>>>(in, out);
}

// CASE warp_without_syncwarp: the last warp, as it was written before Volta, without volatile
__global__ void reduce_warp(const int* in, int* out) {
  __shared__ int sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  sums[threadIdx.x + 32] = in[threadIdx.x + 32];
  __syncthreads();
  sums[threadIdx.x] += sums[threadIdx.x + 32];  // FINDS race
  sums[threadIdx.x] += sums[threadIdx.x + 16];  // FINDS race
  sums[threadIdx.x] += sums[threadIdx.x + 8];   // FINDS race
  if (threadIdx.x == 0) *out = sums[0];
}
CASE(warp_without_syncwarp) {
  Buffer<int> in(64, 1), out(1, 0);
  reduce_warp<<<1, 32>>>(in, out);
}

// CASE volatile_warp: volatile does not keep lanes in step
__device__ void finish(volatile float* sums, unsigned lane) {
  sums[lane] = sums[lane] + sums[lane + 16];  // FINDS race
  sums[lane] = sums[lane] + sums[lane + 8];   // FINDS race
  sums[lane] = sums[lane] + sums[lane + 4];   // FINDS race
}
__global__ void reduce_volatile(const float* in, float* out) {
  __shared__ float sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) finish(sums, threadIdx.x);
  if (threadIdx.x == 0) *out = sums[0];
}
CASE(volatile_warp) {
  Buffer<float> in(64, 1.0f), out(1, 0.0f);
  reduce_volatile<<<1, 64>>>(in, out);
}

// CASE one_slot_for_all: every thread writes its own value to the same place
__global__ void last_wins(const int* in, int* out) {
  __shared__ int best;
  if (in[threadIdx.x] > 10) best = in[threadIdx.x];  // FINDS race
  __syncthreads();
  out[threadIdx.x] = best;
}
CASE(one_slot_for_all) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = 11 + i;
  Buffer<int> in(64, 0), out(64, 0);
  check(cudaMemcpy(in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  last_wins<<<1, 64>>>(in, out);
}

// CASE histogram_without_atomics: two threads count the same bin
__global__ void histogram(const unsigned char* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[in[threadIdx.x] & 15]++;  // FINDS race
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
CASE(histogram_without_atomics) {
  Buffer<unsigned char> in(128, 5);
  Buffer<int> out(16, 0);
  histogram<<<1, 128>>>(in, out);
}

// CASE scan_in_place: read and write of a step need a barrier in between
template <class T>
__device__ void scan_step(T* values, unsigned distance) {
  if (threadIdx.x >= distance) values[threadIdx.x] += values[threadIdx.x - distance];  // FINDS race
}
__global__ void scan(int* data) {
  __shared__ int values[128];
  values[threadIdx.x] = data[threadIdx.x];
  for (unsigned distance = 1; distance < 128; distance *= 2) {
    __syncthreads();
    scan_step(values, distance);
  }
  __syncthreads();
  data[threadIdx.x] = values[threadIdx.x];
}
CASE(scan_in_place) {
  Buffer<int> data(128, 1);
  scan<<<1, 128>>>(data);
}

// CASE broadcast_without_barrier: one thread computes, all read at once
__global__ void broadcast(const int* in, int* out) {
  __shared__ int factor;
  if (threadIdx.x == 0) factor = in[0] * 3;     // FINDS race
  out[threadIdx.x] = in[threadIdx.x] * factor;  // FINDS race
}
CASE(broadcast_without_barrier) {
  Buffer<int> in(96, 2), out(96, 0);
  broadcast<<<1, 96>>>(in, out);
}

// CASE atomics_then_plain: an atomic protects from atomics only
__global__ void count_positive(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] > 0) atomicAdd(&count, 1);  // FINDS race
  if (threadIdx.x == 40) *out = count;            // FINDS race
}
CASE(atomics_then_plain) {
  Buffer<int> in(128, 1), out(1, 0);
  count_positive<<<1, 128>>>(in, out);
}

// CASE syncwarp_of_half: the mask leaves out the lanes that are read
__global__ void rotate(int* data) {
  __shared__ int values[32];
  values[threadIdx.x] = data[threadIdx.x];  // FINDS race
  if (threadIdx.x < 16)
    __syncwarp(0x0000ffffu);
  else
    __syncwarp(0xffff0000u);
  data[threadIdx.x] = values[(threadIdx.x + 8) & 31];  // FINDS race
}
CASE(syncwarp_of_half) {
  Buffer<int> data(32, 1);
  rotate<<<1, 32>>>(data);
}

// CASE bytes_of_a_word: neighbouring bytes, one of which is read too early
__global__ void shift_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char row[129];
  row[threadIdx.x] = in[threadIdx.x];  // FINDS race
  if (threadIdx.x == 0) row[128] = 0;
  out[threadIdx.x] = row[threadIdx.x + 1];  // FINDS race
}
CASE(bytes_of_a_word) {
  Buffer<unsigned char> in(128, 1), out(128, 0);
  shift_bytes<<<1, 128>>>(in, out);
}

// CASE double_buffer_parity: both halves are the same half
__global__ void smooth(const float* in, float* out, int steps) {
  __shared__ float buffer[2][66];
  const int i = threadIdx.x + 1;
  buffer[0][i] = in[threadIdx.x];
  if (i == 1) buffer[0][0] = buffer[0][65] = buffer[1][0] = buffer[1][65] = 0.0f;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float* const from = buffer[s & 1];
    float* const to = buffer[s & 1];
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);  // FINDS race
    __syncthreads();
  }
  out[threadIdx.x] = buffer[steps & 1][i];
}
CASE(double_buffer_parity) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  smooth<<<1, 64>>>(in, out, 2);
}

// CASE dynamic_shared_overlaps: two arrays carved from the same bytes
__global__ void carve(const int* in, int* out, int n) {
  extern __shared__ int memory[];
  int* const keys = memory;
  int* const values = memory + n / 2;
  keys[threadIdx.x] = in[threadIdx.x];        // FINDS race
  values[threadIdx.x] = 2 * in[threadIdx.x];  // FINDS race
  __syncthreads();
  out[threadIdx.x] = keys[threadIdx.x] + values[threadIdx.x];
}
CASE(dynamic_shared_overlaps) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i + 1;
  Buffer<int> in(64, 0), out(64, 0);
  check(cudaMemcpy(in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  carve<<<1, 64, 2 * 64 * sizeof(int)>>>(in, out, 64);
}

// CASE rare_race: in the last block only, and behind a pointer
struct Slot {
  int* best;
  __device__ void offer(int value) const {
    *best = value;  // FINDS race
  }
};
__global__ void offers(const int* in, int* out, int limit) {
  __shared__ int best;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  const Slot slot{&best};
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value > limit) slot.offer(value);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = best;
}
CASE(rare_race) {
  std::vector<int> host(512);
  for (int i = 0; i < 512; ++i) host[i] = i;
  Buffer<int> in(512, 0), out(4, 0);
  check(cudaMemcpy(in, host.data(), 512 * sizeof(int), cudaMemcpyHostToDevice));
  offers<<<4, 128>>>(in, out, 500);
}

// CASE added_to_before_it_is_set: the thread that sets the sum adds to it too
__global__ void adds_to_total(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  atomicAdd(&total, in[threadIdx.x]);  // FINDS race
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}
CASE(added_to_before_it_is_set) {
  Buffer<int> in(64, 1), out(1, 0);
  adds_to_total<<<1, 64>>>(in, out);
}

}  // namespace
