// Correct: unusual ways to use memory, between blocks and within a thread. None of
// these may be complained about.

#include <cooperative_groups.h>

#include "tests/emulator/findings/case.hpp"

namespace {

namespace cg = cooperative_groups;

// CASE grid_sync: two phases in one cooperative launch
__global__ void two_phases(int* x, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = i;
  grid.sync();
  out[i] = x[n - 1 - i];
  grid.sync();
  x[n - 1 - i] = out[i];
}
CASE(grid_sync) {
  Buffer<int> x(4 * 64, 0), out(4 * 64, 0);
  int *a = x, *b = out;
  void* arguments[] = {&a, &b};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(two_phases), dim3(4), dim3(64), arguments, 0,
                                    nullptr));
}

// CASE transpose_in_place: the blocks of a pair of tiles swap them; nobody else touches either
__global__ void transpose_in_place(float* matrix, int n) {
  __shared__ float upper[16][17], lower[16][17];
  if (blockIdx.x < blockIdx.y) return;
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * 16, row = blockIdx.y * 16;
  upper[y][x] = matrix[(row + y) * n + column + x];
  lower[y][x] = matrix[(column + y) * n + row + x];
  __syncthreads();
  matrix[(column + y) * n + row + x] = upper[x][y];
  if (blockIdx.x != blockIdx.y) matrix[(row + y) * n + column + x] = lower[x][y];
}
CASE(transpose_in_place) {
  std::vector<float> host(64 * 64);
  for (int i = 0; i < 64 * 64; ++i) host[i] = static_cast<float>(i);
  Buffer<float> matrix(64 * 64, 0.0f);
  check(cudaMemcpy(matrix, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  transpose_in_place<<<dim3(4, 4), dim3(16, 16)>>>(matrix, 64);
}

// CASE ping_pong: each launch reads what the one before wrote, and overwrites what that one read
__global__ void step(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 0.5f * (from[i > 0 ? i - 1 : 0] + from[i < n - 1 ? i + 1 : n - 1]);
}
CASE(ping_pong) {
  Buffer<float> a(300, 1.0f), b(300, 0.0f);
  for (int k = 0; k < 4; ++k) k % 2 == 0 ? step<<<3, 128>>>(a, b, 300) : step<<<3, 128>>>(b, a, 300);
}

// CASE reverse_in_place: a thread swaps a pair that no other thread touches
__global__ void reverse(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int other = x[n - 1 - i];
  x[n - 1 - i] = x[i];
  x[i] = other;
}
CASE(reverse_in_place) {
  Buffer<int> x(501, 1);
  reverse<<<2, 128>>>(x, 501);
}

// CASE padded_structs: copied whole, with padding that nobody ever wrote
struct Padded {
  char kind;
  int value;
  double weight;
  char last;
};
__global__ void make(Padded* out) {
  Padded& p = out[threadIdx.x];
  p.kind = 1;
  p.value = static_cast<int>(threadIdx.x);
  p.weight = 0.5;
  p.last = 2;
}
__global__ void copy(const Padded* in, Padded* out) { out[threadIdx.x] = in[31 - threadIdx.x]; }
CASE(padded_structs) {
  auto in = Buffer<Padded>::fresh(32), out = Buffer<Padded>::fresh(32);
  make<<<1, 32>>>(in);
  copy<<<1, 32>>>(in, out);
}

// CASE unions: written as one type and read as another
union Word {
  float number;
  unsigned bits;
  unsigned char bytes[4];
};
__global__ void exponents(Word* words, unsigned* out) {
  Word& word = words[threadIdx.x];
  word.number = 1.5f * (1 + threadIdx.x);
  out[threadIdx.x] = (word.bits >> 23 & 255u) + word.bytes[3];
}
CASE(unions) {
  auto words = Buffer<Word>::fresh(64);
  Buffer<unsigned> out(64, 0);
  exponents<<<1, 64>>>(words, out);
}

// CASE mixed_widths: floats written one by one, read as float4, rewritten as bytes
__global__ void widths(float* memory) {
  __shared__ float4 rows[32];
  float* const row = reinterpret_cast<float*>(rows);
  for (unsigned k = 0; k < 4; ++k) row[threadIdx.x + 32 * k] = memory[threadIdx.x + 32 * k];
  __syncthreads();
  const float4 mine = rows[31 - threadIdx.x];
  __syncthreads();
  reinterpret_cast<unsigned char*>(rows)[threadIdx.x] = static_cast<unsigned char>(mine.x + mine.w);
  __syncthreads();
  memory[threadIdx.x] = reinterpret_cast<unsigned char*>(rows)[31 - threadIdx.x];
}
CASE(mixed_widths) {
  Buffer<float> memory(128, 1.0f);
  widths<<<1, 32>>>(memory);
}

// CASE constant_table: a table in constant memory, copied in part
__constant__ float table[16];
__global__ void look_up(const int* in, float* out) {
  out[threadIdx.x] = table[in[threadIdx.x] & 15] + table[15];
}
CASE(constant_table) {
  const std::vector<float> host(16, 2.0f);
  check(cudaMemcpyToSymbol(table, host.data(), 16 * sizeof(float)));
  Buffer<int> in(64, 5);
  Buffer<float> out(64, 0.0f);
  look_up<<<1, 64>>>(in, out);
}

// CASE local_arrays: an array of every thread, indexed at run time, its address passed on
__device__ void sort(int* values, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && values[k - 1] > values[k]; --k) {
      const int other = values[k];
      values[k] = values[k - 1];
      values[k - 1] = other;
    }
}
__global__ void medians(const int* in, int* out, int n) {
  int values[9];
  for (int k = 0; k < 9; ++k) values[k] = in[(threadIdx.x * 9 + k * 5) % n];
  sort(values, 9);
  out[threadIdx.x] = values[4];
}
CASE(local_arrays) {
  std::vector<int> host(100);
  for (int i = 0; i < 100; ++i) host[i] = (i * 61) % 97;
  Buffer<int> in(100, 0), out(64, 0);
  check(cudaMemcpy(in, host.data(), 100 * sizeof(int), cudaMemcpyHostToDevice));
  medians<<<1, 64>>>(in, out, 100);
}

// CASE pitched_rows: rows with a pitch, the gap never touched
__global__ void fill_rows(char* base, std::size_t pitch, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (row < rows && column < columns) reinterpret_cast<float*>(base + row * pitch)[column] = 1.0f;
}
CASE(pitched_rows) {
  char* base = nullptr;
  std::size_t pitch = 0;
  check(cudaMallocPitch(reinterpret_cast<void**>(&base), &pitch, 100 * sizeof(float), 7));
  fill_rows<<<dim3(2, 7), 64>>>(base, pitch, 7, 100);
  check(cudaFree(base));
}

// CASE managed_memory: written by the host, then by the kernel, then read by the host
__global__ void increment(int* x) { x[threadIdx.x] += 1; }
CASE(managed_memory) {
  int* x = nullptr;
  check(cudaMallocManaged(&x, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) x[i] = i;
  increment<<<1, 64>>>(x);
  check(cudaDeviceSynchronize());
  if (x[5] != 6) std::printf("wrong\n");
  check(cudaFree(x));
}

// CASE shared_halo: neighbouring blocks read each other's border, and write their own part of another array
__global__ void blur(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char row[66];
  const int i = blockIdx.x * 64 + threadIdx.x;
  row[threadIdx.x + 1] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) row[0] = i > 0 ? in[i - 1] : 0;
  if (threadIdx.x == 63) row[65] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  if (i < n)
    out[i] =
        static_cast<unsigned char>((row[threadIdx.x] + 2 * row[threadIdx.x + 1] + row[threadIdx.x + 2]) / 4);
}
CASE(shared_halo) {
  Buffer<unsigned char> in(1000, 9), out(1000, 0);
  blur<<<16, 64>>>(in, out, 1000);
}

// CASE first_writer_wins: an atomic decides who may write
__global__ void claim(int* owner, int* value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicCAS(owner, -1, i) == -1) *value = i;
}
CASE(first_writer_wins) {
  Buffer<int> owner(1, -1), value(1, 0);
  claim<<<4, 64>>>(owner, value);
}

// CASE append_to_a_list: each thread gets a place of its own from an atomic
__global__ void collect(const int* in, int* list, int* length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) list[atomicAdd(length, 1)] = in[i];
}
CASE(append_to_a_list) {
  std::vector<int> host(500);
  for (int i = 0; i < 500; ++i) host[i] = i;
  Buffer<int> in(500, 0), list(500, 0), length(1, 0);
  check(cudaMemcpy(in, host.data(), 500 * sizeof(int), cudaMemcpyHostToDevice));
  collect<<<4, 128>>>(in, list, length, 500);
}

// CASE all_static_shared: 48 KiB in two arrays, used up to the last element
__global__ void fill_shared(float* out) {
  __shared__ float a[4096];
  __shared__ float b[8192];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) a[i] = 1.0f;
  for (int i = threadIdx.x; i < 2048; i += blockDim.x)
    reinterpret_cast<float4*>(b)[i] = make_float4(1, 2, 3, 4);
  __syncthreads();
  out[threadIdx.x] = a[threadIdx.x] + b[8191];
}
CASE(all_static_shared) {
  Buffer<float> out(256, 0.0f);
  fill_shared<<<1, 256>>>(out);
}

}  // namespace
