// Memory that is no longer, or not yet, what it should be: freed, the host's, never written, never freed.

#include <cuda_fp16.h>

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE use_after_free: the simplest form
__global__ void read_freed(const int* freed, int* out) {
  out[threadIdx.x] = freed[threadIdx.x];  // FINDS use after free
}
CASE(use_after_free) {
  int* freed = nullptr;
  check(cudaMalloc(&freed, 4096));
  check(cudaMemset(freed, 0, 4096));
  check(cudaFree(freed));
  Buffer<int> out(32, 0);
  read_freed<<<1, 32>>>(freed, out);
}

// CASE use_after_free_in_a_table: one pointer of a table
__global__ void write_rows(float** rows, int n) {
  for (int r = 0; r < n; ++r) rows[r][threadIdx.x] = 1.0f;  // FINDS use after free
}
CASE(use_after_free_in_a_table) {
  float* rows[4] = {};
  for (float*& row : rows) check(cudaMalloc(&row, 1024));
  check(cudaFree(rows[2]));
  Buffer<float*> table(4, nullptr);
  check(cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice));
  write_rows<<<1, 32>>>(table, 4);
}

// CASE freed_between_launches: the buffers are swapped, and the wrong one freed
__global__ void step(const float* from, float* to) {
  to[threadIdx.x] = from[threadIdx.x] + 1.0f;  // FINDS use after free
}
CASE(freed_between_launches) {
  float *a = nullptr, *b = nullptr;
  check(cudaMalloc(&a, 256));
  check(cudaMalloc(&b, 256));
  check(cudaMemset(a, 0, 256));
  step<<<1, 64>>>(a, b);
  check(cudaFree(b));
  step<<<1, 64>>>(b, a);
}

// CASE host_pointer_in_a_struct: the struct was passed by value, what it points to stayed behind
struct Table {
  const float* values;
  int n;
};
__global__ void use_table(Table table, float* out) {
  if (static_cast<int>(threadIdx.x) < table.n)
    out[threadIdx.x] = table.values[threadIdx.x];  // FINDS host memory
}
CASE(host_pointer_in_a_struct) {
  float* const values = static_cast<float*>(std::malloc(1 << 20));
  for (int i = 0; i < 1 << 18; ++i) values[i] = 1.0f;
  Buffer<float> out(32, 0.0f);
  use_table<<<1, 32>>>(Table{values, 32}, out);
  cudaDeviceSynchronize();
  std::free(values);
}

// CASE other_threads_variable: the address of a local variable is shared with the block
__global__ void share_local(int* out) {
  __shared__ int* shared;
  volatile int mine[4];
  for (int k = 0; k < 4; ++k) mine[k] = threadIdx.x + k;
  if (threadIdx.x == 0) shared = const_cast<int*>(mine);
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x & 3];  // FINDS out of bounds
  __syncthreads();
}
CASE(other_threads_variable) {
  Buffer<int> out(32, 0);
  share_local<<<1, 32>>>(out);
}

// CASE never_written: cudaMalloc does not clear
__global__ void accumulate(float* sums) {
  sums[threadIdx.x] += 1.0f;  // FINDS uninitialised read
}
CASE(never_written) {
  auto sums = Buffer<float>::fresh(64);
  accumulate<<<1, 64>>>(sums);
}

// CASE half_copied: cudaMemcpy was given elements for bytes
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];  // FINDS uninitialised read
}
CASE(half_copied) {
  auto in = Buffer<float>::fresh(1024);
  Buffer<float> out(1024, 0.0f);
  const std::vector<float> host(1024, 1.0f);
  check(cudaMemcpy(in, host.data(), 1024, cudaMemcpyHostToDevice));
  scale<<<4, 256>>>(in, out, 1024);
}

// CASE counter_not_cleared: an atomic reads as well
__global__ void append(int* counter, int* list) {
  list[atomicAdd(counter, 1) & 63] = threadIdx.x;  // FINDS uninitialised read
}
CASE(counter_not_cleared) {
  auto counter = Buffer<int>::fresh(1);
  Buffer<int> list(64, 0);
  append<<<1, 64>>>(counter, list);
}

// CASE shared_histogram_not_cleared: shared memory starts with whatever was there
__global__ void histogram(const unsigned char* in, unsigned* bins) {
  __shared__ unsigned local[256];
  atomicAdd(&local[in[threadIdx.x]], 1u);  // FINDS uninitialised read
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);  // FINDS uninitialised read
}
CASE(shared_histogram_not_cleared) {
  Buffer<unsigned char> in(256, 3);
  Buffer<unsigned> bins(256, 0);
  histogram<<<1, 256>>>(in, bins);
}

// CASE halo_not_loaded: the tile's border is read but only its inside was loaded
template <int Width>
__global__ void blur(const float* in, float* out, int n) {
  __shared__ float tile[Width + 2];
  const int i = blockIdx.x * Width + threadIdx.x;
  tile[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0 && i > 0) tile[0] = in[i - 1];
  if (threadIdx.x == Width - 1 && i + 1 < n) tile[Width + 1] = in[i + 1];
  __syncthreads();
  if (i < n)
    out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // FINDS uninitialised read
}
CASE(halo_not_loaded) {
  Buffer<float> in(256, 1.0f), out(256, 0.0f);
  blur<64><<<4, 64>>>(in, out, 256);
}

// CASE tile_edge_not_cleared: the last block loads a part of its tile and sums all of it
__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];  // FINDS uninitialised read
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
CASE(tile_edge_not_cleared) {
  Buffer<int> in(300, 1), out(3, 0);
  block_sums<<<3, 128>>>(in, out, 300);
}

// CASE half_not_written: two-byte elements
__global__ void sum_halves(const __half* in, float* out) {
  out[threadIdx.x] = __half2float(in[threadIdx.x]);  // FINDS uninitialised read
}
CASE(half_not_written) {
  auto in = Buffer<__half>::fresh(256);
  check(cudaMemset(in, 0, 100 * sizeof(__half)));
  Buffer<float> out(256, 0.0f);
  sum_halves<<<1, 256>>>(in, out);
}

// CASE member_not_written: the kernel that fills the structs forgets a member
struct Body {
  double mass;
  double charge;
};
__global__ void make_bodies(Body* bodies) { bodies[threadIdx.x].mass = 1.0; }
__global__ void total(const Body* bodies, double* out) {
  const Body* const body = bodies + threadIdx.x;
  out[threadIdx.x] = body->mass * body->charge;  // FINDS uninitialised read
}
CASE(member_not_written) {
  auto bodies = Buffer<Body>::fresh(32);
  Buffer<double> out(32, 0.0);
  make_bodies<<<1, 32>>>(bodies);
  total<<<1, 32>>>(bodies, out);
}

// CASE leak: allocated and never freed
__global__ void touch(int* x) { x[threadIdx.x] = 1; }
CASE(leak) {
  int* x = nullptr;
  check(cudaMalloc(&x, 256));  // FINDS leak
  touch<<<1, 32>>>(x);
}

// CASE leak_in_a_loop: each turn allocates, the last one frees
CASE(leak_in_a_loop) {
  float* scratch = nullptr;
  for (int turn = 0; turn < 3; ++turn) {
    check(cudaMalloc(&scratch, 1000));  // FINDS leak
    touch<<<1, 32>>>(reinterpret_cast<int*>(scratch));
  }
  check(cudaFree(scratch));
}

}  // namespace
