// Global memory, out of bounds.

#include "tests/emulator/findings/case.hpp"

namespace {

// CASE guard_missing: the grid is rounded up, and nothing stops the threads beyond n
__global__ void double_all(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.0f * in[i];  // FINDS out of bounds
}
CASE(guard_missing) {
  Buffer<float> in(1000, 1.0f), out(1000, 0.0f);
  double_all<<<4, 256>>>(in, out);
}

// CASE guard_off_by_one: <= for <
__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] += 1;  // FINDS out of bounds
}
CASE(guard_off_by_one) {
  Buffer<int> x(500, 0);
  add_one<<<2, 256>>>(x, 500);
}

// CASE negative_index: the first element has no left neighbour
__global__ void difference(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double left = in[i - 1];  // FINDS out of bounds
  out[i] = in[i] - left;
}
CASE(negative_index) {
  Buffer<double> in(256, 1.0), out(256, 0.0);
  difference<<<2, 128>>>(in, out, 256);
}

// CASE unsigned_underflow: an unsigned difference below 0 is a huge index
__global__ void shift_right(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned left = i - 1;
  if (i < n) out[i] = in[left];  // FINDS out of bounds
}
CASE(unsigned_underflow) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  shift_right<<<1, 64>>>(in, out, 64);
}

// CASE in_a_template: the mistake is in a template's device function
template <int Radius, class T>
__device__ T window_sum(const T* in, int i) {
  T sum = 0;
  for (int k = 0; k <= 2 * Radius; ++k) sum += in[i + k];  // FINDS out of bounds
  return sum;
}
template <int Radius>
__global__ void window(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - Radius) out[i] = window_sum<Radius>(in, i);
}
CASE(in_a_template) {
  Buffer<float> in(128, 1.0f), out(128, 0.0f);
  window<3><<<1, 128>>>(in, out, 128);
}

// CASE behind_a_struct: a view with the wrong pitch
struct View {
  float* data;
  int pitch;
  __device__ float& at(int row, int column) const { return data[row * pitch + column]; }
};
__global__ void fill(View view, int rows, int columns) {
  const int column = threadIdx.x, row = threadIdx.y;
  if (row < rows && column < columns) view.at(row, column) = 1.0f;  // FINDS out of bounds
}
CASE(behind_a_struct) {
  Buffer<float> data(16 * 20, 0.0f);
  fill<<<1, dim3(32, 16)>>>(View{data, 21}, 16, 20);
}

// CASE in_a_lambda: the access is in a lambda of the kernel
__global__ void three_point(const float* in, float* out, int n) {
  const auto load = [&](int k) {
    return in[k];  // FINDS out of bounds
  };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = load(i - 1) + load(i) + load(i + 1);
}
CASE(in_a_lambda) {
  Buffer<float> in(300, 1.0f), out(300, 0.0f);
  three_point<<<3, 128>>>(in, out, 300);
}

// CASE rare_branch: only one element takes the branch
__global__ void scatter(const int* keys, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (keys[i] == 41)
    out[n + keys[i]] = i;  // FINDS out of bounds
  else
    out[i] = keys[i];
}
CASE(rare_branch) {
  std::vector<int> host(2000);
  for (int i = 0; i < 2000; ++i) host[i] = i == 1234 ? 41 : 7;
  Buffer<int> keys(2000, 0), out(2000, 0);
  check(cudaMemcpy(keys, host.data(), 2000 * sizeof(int), cudaMemcpyHostToDevice));
  scatter<<<8, 256>>>(keys, out, 2000);
}

// CASE vectors_at_the_end: a size that is not a multiple of 4 is read as float4
__global__ void copy_vectors(const float4* in, float4* out, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < vectors) out[i] = in[i];  // FINDS out of bounds
}
CASE(vectors_at_the_end) {
  Buffer<float> in(1002, 1.0f), out(1004, 0.0f);
  copy_vectors<<<1, 256>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                           reinterpret_cast<float4*>(static_cast<float*>(out)), (1002 + 3) / 4);
}

// CASE rows_for_columns: the guard compares the row with the number of columns
__global__ void scale(float* matrix, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < columns && column < rows) matrix[row * columns + column] *= 2.0f;  // FINDS out of bounds
}
CASE(rows_for_columns) {
  Buffer<float> matrix(17 * 33, 1.0f);
  scale<<<dim3(3, 3), dim3(16, 16)>>>(matrix, 17, 33);
}

// CASE bytes_for_elements: cudaMalloc was given the number of elements
__global__ void iota(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;  // FINDS out of bounds
}
CASE(bytes_for_elements) {
  int* x = nullptr;
  check(cudaMalloc(&x, 1024));
  iota<<<4, 256>>>(x, 1024);
}

// CASE histogram_bin_too_large: one value has no bin
__global__ void count(const int* values, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);  // FINDS out of bounds
}
CASE(histogram_bin_too_large) {
  Buffer<int> values(256, 16), bins(16, 0);
  count<<<1, 256>>>(values, bins, 256);
}

// CASE null_pointer: an optional argument that is used
__global__ void with_bias(const float* in, const float* bias, float* out) {
  out[threadIdx.x] = in[threadIdx.x] + bias[threadIdx.x];  // FINDS out of bounds
}
CASE(null_pointer) {
  Buffer<float> in(64, 1.0f), out(64, 0.0f);
  with_bias<<<1, 64>>>(in, nullptr, out);
}

// CASE device_variable: a __device__ array with fewer elements than blocks
__device__ int block_counters[4];
__global__ void count_block() {
  if (threadIdx.x == 0) block_counters[blockIdx.x * 2] += 1;  // FINDS out of bounds
}
CASE(device_variable) { count_block<<<3, 32>>>(); }

// CASE loop_past_the_row: a grid-stride loop that counts in steps of its own
__global__ void sum_pairs(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 2 * gridDim.x * blockDim.x)
    sum += in[i] + in[i + 1];  // FINDS out of bounds
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
CASE(loop_past_the_row) {
  Buffer<float> in(1001, 1.0f), out(128, 0.0f);
  sum_pairs<<<2, 64>>>(in, out, 1001);
}

// CASE member_array: the member of the last struct has no element 3
struct Particle {
  float position[3];
};
__global__ void move(Particle* particles, int axis) {
  particles[threadIdx.x].position[axis] += 1.0f;  // FINDS out of bounds
}
CASE(member_array) {
  Buffer<Particle> particles(32, Particle{});
  move<<<1, 32>>>(particles, 3);
}

}  // namespace
