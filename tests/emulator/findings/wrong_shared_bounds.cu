// Shared and constant memory, out of bounds; memory that must not be written; misaligned accesses.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE shared_off_by_one: the last thread has no right neighbour
__global__ void right_neighbour(float* out) {
  __shared__ float row[128];
  row[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x + 1];  // FINDS out of bounds
}
CASE(shared_off_by_one) {
  Buffer<float> out(128, 0.0f);
  right_neighbour<<<1, 128>>>(out);
}

// CASE shared_tile_end: only the last corner of the tile leaves it
__global__ void corners(float* out) {
  __shared__ float tile[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = 1.0f;
  __syncthreads();
  out[y * 16 + x] = tile[y][x] + (&tile[0][0])[y * 16 + x + 1];  // FINDS out of bounds
}
CASE(shared_tile_end) {
  Buffer<float> out(256, 0.0f);
  corners<<<1, dim3(16, 16)>>>(out);
}

// CASE shared_write_in_device_function: through a pointer to shared memory
__device__ void put(float* row, int i, float value) {
  row[i] = value;  // FINDS out of bounds
}
__global__ void with_halo(const float* in, float* out) {
  __shared__ float row[66];
  const int i = threadIdx.x;
  put(row, i + 1, in[i]);
  if (i < 2) put(row, i + 65, 0.0f);
  if (i == 0) row[0] = 0.0f;
  __syncthreads();
  out[i] = row[i] + row[i + 1];
}
CASE(shared_write_in_device_function) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  with_halo<<<1, 64>>>(in, out);
}

// CASE dynamic_shared_too_small: its size is given in elements
__global__ void reverse(int* x) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = x[threadIdx.x];  // FINDS out of bounds
  __syncthreads();
  x[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
CASE(dynamic_shared_too_small) {
  Buffer<int> x(256, 1);
  reverse<<<1, 256, 256>>>(x);
}

// CASE dynamic_shared_before_start: an index of -1
__global__ void left_neighbour(const float* in, float* out) {
  extern __shared__ float left[];
  left[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int i = static_cast<int>(threadIdx.x) - 1;
  out[threadIdx.x] = left[i];  // FINDS out of bounds
}
CASE(dynamic_shared_before_start) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  left_neighbour<<<1, 64, 64 * sizeof(float)>>>(in, out);
}

// CASE dynamic_shared_forgotten: the launch asks for none
__global__ void stage(const double* in, double* out) {
  extern __shared__ double staged[];
  staged[threadIdx.x] = in[threadIdx.x];  // FINDS out of bounds
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x ^ 1];
}
CASE(dynamic_shared_forgotten) {
  Buffer<double> in(64, 1.0), out(64, 0.0);
  stage<<<1, 64>>>(in, out);
}

// CASE shared_array_into_the_next: one array runs over into another one
__global__ void two_arrays(const int* in, int* out) {
  __shared__ int keys[64];
  __shared__ int sums[64];
  const int i = threadIdx.x;
  sums[i] = 0;
  __syncthreads();
  keys[in[i]] = i;  // FINDS out of bounds
  __syncthreads();
  out[i] = sums[i] + keys[0];
}
CASE(shared_array_into_the_next) {
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) host[i] = i == 63 ? 64 : i;
  Buffer<int> in(64, 0), out(64, 0);
  check(cudaMemcpy(in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  two_arrays<<<1, 64>>>(in, out);
}

// CASE constant_off_by_one: a filter of 5 taps is read 6 times
__constant__ float taps[5];
__global__ void filter(const float* in, float* out, int width) {
  float sum = 0.0f;
  for (int k = 0; k <= width; ++k) sum += in[threadIdx.x + k] * taps[k];  // FINDS out of bounds
  out[threadIdx.x] = sum;
}
CASE(constant_off_by_one) {
  Buffer<float> in(64, 1.0f), out(32, 0.0f);
  filter<<<1, 32>>>(in, out, 5);
}

// CASE constant_through_a_pointer: a negative index into constant memory
__constant__ int offsets[8];
__device__ int look_up(const int* table, int i) {
  return table[i];  // FINDS out of bounds
}
__global__ void gather(int* out) { out[threadIdx.x] = look_up(offsets, static_cast<int>(threadIdx.x) - 1); }
CASE(constant_through_a_pointer) {
  Buffer<int> out(8, 0);
  gather<<<1, 8>>>(out);
}

// CASE constant_written: constness cast away
__constant__ int limits[4];
__device__ void raise(const int* limit) {
  *const_cast<int*>(limit) = 9;  // FINDS write to constant memory
}
__global__ void raise_limit(const int* others, bool mine) { raise((mine ? limits : others) + threadIdx.x); }
CASE(constant_written) {
  Buffer<int> others(4, 0);
  raise_limit<<<1, 4>>>(others, true);
}

// CASE misaligned_vector: a float4 at an odd float
__global__ void load_vector(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 1 + 4 * threadIdx.x);  // FINDS misaligned
  out[threadIdx.x] = v.x + v.w;
}
CASE(misaligned_vector) {
  Buffer<float> in(256, 1.0f), out(32, 0.0f);
  load_vector<<<1, 32>>>(in, out);
}

// CASE misaligned_header: an int after one byte
__device__ int parse(const char* message) {
  return *reinterpret_cast<const int*>(message + 1);  // FINDS misaligned
}
__global__ void read_messages(const char* messages, int* out) {
  out[threadIdx.x] = parse(messages + 8 * threadIdx.x);
}
CASE(misaligned_header) {
  Buffer<char> messages(256, 1);
  Buffer<int> out(32, 0);
  read_messages<<<1, 32>>>(messages, out);
}

// CASE misaligned_store_in_a_branch: a double among floats
template <class T>
__device__ void store(float* memory, int i, T value) {
  *reinterpret_cast<T*>(memory + i) = value;  // FINDS misaligned
}
__global__ void mixed(float* memory, int odd) {
  if (threadIdx.x == 17) store<double>(memory, odd, 1.0);
}
CASE(misaligned_store_in_a_branch) {
  Buffer<float> memory(64, 0.0f);
  mixed<<<2, 32>>>(memory, 7);
}

// CASE misaligned_shared: an int2 in shared memory at an odd int
__global__ void pairs(int* out) {
  __shared__ int values[66];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 2) values[64 + threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int2 pair = *reinterpret_cast<const int2*>(&values[2 * threadIdx.x + 1]);  // FINDS misaligned
    out[threadIdx.x] = pair.x + pair.y;
  }
}
CASE(misaligned_shared) {
  Buffer<int> out(64, 0);
  pairs<<<1, 64>>>(out);
}

}  // namespace
