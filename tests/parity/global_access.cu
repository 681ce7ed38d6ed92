// Global memory: widths, strides, alignment, block shapes.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

// --- One element per thread, side by side

__global__ void copy_bytes(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void copy_shorts(const short* in, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void copy_floats(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void copy_doubles(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T, class Kernel>
static void run_copy(Kernel kernel, int n, int block) {
  const auto values = numbers<T>(n);
  const Array<T> in(values), out(n, T(101));
  kernel<<<blocks_for(n, block), block>>>(in, out, n);
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

PARITY_CASE(copy_bytes, "coalesced") { run_copy<unsigned char>(copy_bytes, 1000, 128); }
PARITY_CASE(copy_shorts, "coalesced") { run_copy<short>(copy_shorts, 1000, 96); }
PARITY_CASE(copy_floats, "coalesced") { run_copy<float>(copy_floats, 1021, 256); }
PARITY_CASE(copy_doubles, "coalesced") { run_copy<double>(copy_doubles, 333, 48); }

__global__ void copy_float2s(const float2* in, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
PARITY_CASE(copy_float2s, "coalesced") {
  const auto values = numbers<float>(2 * 300);
  const Array<float> in(values), out(2 * 300, -1);
  copy_float2s<<<5, 64>>>(reinterpret_cast<float2*>(static_cast<float*>(in)),
                          reinterpret_cast<float2*>(static_cast<float*>(out)), 300);
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

__global__ void copy_as_float4(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i < n) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
PARITY_CASE(copy_as_float4, "coalesced") {
  const auto values = numbers<float>(1000);
  const Array<float> in(values), out(1000, -1);
  copy_as_float4<<<3, 100>>>(in, out, 1000);
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
PARITY_CASE(saxpy, "coalesced") {
  const auto x = numbers<float>(777), y = numbers<float>(777, 100, 2);
  const Array<float> in(x), inout(y);
  saxpy<<<7, 128>>>(3, in, inout, 777);
  expect_equal(inout, [&](std::size_t i) { return 3 * x[i] + y[i]; });
}

__global__ void grid_stride_copy(const int* in, int* out, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
PARITY_CASE(grid_stride_copy, "coalesced") {
  const auto values = numbers<int>(1000);
  const Array<int> in(values), out(1000, -1);
  grid_stride_copy<<<2, 96>>>(in, out, 1000);
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

__global__ void reverse_copy(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
PARITY_CASE(reverse_copy, "coalesced") {
  const auto values = numbers<int>(1000);
  const Array<int> in(values), out(1000, -1);
  reverse_copy<<<8, 128>>>(in, out, 1000);
  expect_equal(out, [&](std::size_t i) { return values[999 - i]; });
}

// --- Block shapes: a matrix of 50 rows and 70 columns

static constexpr int rows = 50, cols = 70;

template <class Kernel>
static void run_matrix(Kernel kernel, dim3 block, bool across) {
  const auto values = numbers<int>(rows * cols);
  const Array<int> in(values), out(rows * cols, -1);
  const dim3 grid = across ? dim3(blocks_for(cols, block.x), blocks_for(rows, block.y))
                           : dim3(blocks_for(rows, block.x), blocks_for(cols, block.y));
  kernel<<<grid, block>>>(in, out);
  expect_equal(out, [&](std::size_t i) { return values[i] + 1; });
}

__global__ void matrix_block_2x32(const int* in, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x] + 1;
}
PARITY_CASE(matrix_block_2x32, "block shapes") { run_matrix(matrix_block_2x32, dim3(2, 32), true); }

__global__ void matrix_block_32x8(const int* in, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x] + 1;
}
PARITY_CASE(matrix_block_32x8, "block shapes") { run_matrix(matrix_block_32x8, dim3(32, 8), true); }

__global__ void matrix_block_33x3(const int* in, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x] + 1;
}
PARITY_CASE(matrix_block_33x3, "block shapes") { run_matrix(matrix_block_33x3, dim3(33, 3), true); }

__global__ void matrix_down_columns(const int* in, int* out) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x] + 1;
}
PARITY_CASE(matrix_down_columns, "block shapes") { run_matrix(matrix_down_columns, dim3(16, 16), false); }

__global__ void volume_block_4x4x4(const int* in, int* out, int side) {
  const int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
            z = blockIdx.z * 4 + threadIdx.z;
  if (x < side && y < side && z < side) out[(z * side + y) * side + x] = in[(x * side + y) * side + z];
}
PARITY_CASE(volume_block_4x4x4, "block shapes") {
  constexpr int side = 10;
  const auto values = numbers<int>(side * side * side);
  const Array<int> in(values), out(values.size(), -1);
  volume_block_4x4x4<<<dim3(3, 3, 3), dim3(4, 4, 4)>>>(in, out, side);
  expect_equal(out, [&](std::size_t i) {
    return values[((i % side) * side + i / side % side) * side + i / (side * side)];
  });
}

// --- Strides and alignment

__global__ void read_stride_2(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[2 * i];
}
__global__ void read_stride_4(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[4 * i];
}
__global__ void read_stride_9(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[9 * i];
}
__global__ void read_stride_32(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[32 * i];
}
template <class Kernel>
static void run_stride(Kernel kernel, std::size_t stride) {
  const auto values = numbers<float>(300 * stride);
  const Array<float> in(values), out(300, -1);
  kernel<<<5, 64>>>(in, out, 300);
  expect_equal(out, [&](std::size_t i) { return values[i * stride]; });
}
PARITY_CASE(read_stride_2, "strided") { run_stride(read_stride_2, 2); }
PARITY_CASE(read_stride_4, "strided") { run_stride(read_stride_4, 4); }
PARITY_CASE(read_stride_9, "strided") { run_stride(read_stride_9, 9); }
PARITY_CASE(read_stride_32, "strided") { run_stride(read_stride_32, 32); }

__global__ void write_stride_5(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[5 * i] = in[i];
}
PARITY_CASE(write_stride_5, "strided") {
  const auto values = numbers<double>(200);
  const Array<double> in(values), out(1000, -1);
  write_stride_5<<<4, 64>>>(in, out, 200);
  expect_equal(out, [&](std::size_t i) { return i % 5 ? -1 : values[i / 5]; });
}

__global__ void misaligned_floats(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + 3] = in[i + 1];
}
PARITY_CASE(misaligned_floats, "misaligned") {
  const auto values = numbers<float>(1001);
  const Array<float> in(values), out(1003, -1);
  misaligned_floats<<<8, 128>>>(in, out, 1000);
  expect_equal(out, [&](std::size_t i) { return i < 3 ? -1 : values[i - 2]; });
}

__global__ void misaligned_bytes(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + 29] = in[i + 7];
}
PARITY_CASE(misaligned_bytes, "misaligned") {
  const auto values = numbers<unsigned char>(507);
  const Array<unsigned char> in(values), out(529, 255);
  misaligned_bytes<<<4, 128>>>(in, out, 500);
  expect_equal(out, [&](std::size_t i) { return i < 29 ? static_cast<unsigned char>(255) : values[i - 22]; });
}

__global__ void misaligned_float4s(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}
PARITY_CASE(misaligned_float4s, "misaligned") {
  const auto values = numbers<float>(4 * 201);
  const Array<float> in(values), out(4 * 200, -1);
  misaligned_float4s<<<2, 128>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                                 reinterpret_cast<float4*>(static_cast<float*>(out)), 200);
  expect_equal(out, [&](std::size_t i) { return values[i + 4]; });
}

// --- Addresses from data

__global__ void gather(const int* index, const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
PARITY_CASE(gather, "gather") {
  const auto index = numbers<int>(500, 2000);
  const auto values = numbers<float>(2000);
  const Array<int> where(index);
  const Array<float> in(values), out(500, -1);
  gather<<<4, 128>>>(where, in, out, 500);
  expect_equal(out, [&](std::size_t i) { return values[index[i]]; });
}

__global__ void scatter(const short* in, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * 37 % n] = in[i];
}
PARITY_CASE(scatter, "gather") {
  const auto values = numbers<short>(500);
  const Array<short> in(values), out(500, -1);
  scatter<<<4, 128>>>(in, out, 500);
  std::vector<short> right(500);
  for (int i = 0; i < 500; ++i) right[i * 37 % 500] = values[i];
  expect_equal(out, [&](std::size_t i) { return right[i]; });
}

__global__ void broadcast_global(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[blockIdx.x] + i;
}
PARITY_CASE(broadcast_global, "broadcast") {
  const auto values = numbers<int>(6);
  const Array<int> in(values), out(500, -1);
  broadcast_global<<<6, 96>>>(in, out, 500);
  expect_equal(out, [&](std::size_t i) { return values[i / 96] + static_cast<int>(i); });
}

__global__ void neighbours_share(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / 4];
}
PARITY_CASE(neighbours_share, "broadcast") {
  const auto values = numbers<double>(75);
  const Array<double> in(values), out(300, -1);
  neighbours_share<<<3, 128>>>(in, out, 300);
  expect_equal(out, [&](std::size_t i) { return values[i / 4]; });
}

__global__ void stencil_of_three(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i] + in[i + 1];
}
PARITY_CASE(stencil_of_three, "misaligned") {
  const auto values = numbers<int>(600);
  const Array<int> in(values), out(600, -1);
  stencil_of_three<<<5, 128>>>(in, out, 600);
  expect_equal(out, [&](std::size_t i) {
    return i == 0 || i == 599 ? -1 : values[i - 1] + values[i] + values[i + 1];
  });
}

// --- Loops that a compiler may take for memset or memcpy, or unroll

__global__ void fill_words(int* out, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (int k = 0; k < 7; ++k) out[7 * i + k] = value + k;
}
PARITY_CASE(fill_words, "fill and copy loops") {
  const Array<int> out(700, -1);
  fill_words<<<2, 64>>>(out, 5, 100);
  expect_equal(out, [&](std::size_t i) { return 5 + static_cast<int>(i % 7); });
}

__global__ void zero_bytes(unsigned char* out, int n, int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (int k = 0; k < each; ++k) out[i * each + k] = 0;
}
PARITY_CASE(zero_bytes, "fill and copy loops") {
  const Array<unsigned char> out(1000, 9);
  zero_bytes<<<2, 64>>>(out, 100, 10);
  expect_equal(out, [](std::size_t) { return static_cast<unsigned char>(0); });
}

__global__ void zero_ints_interleaved(int* out, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 0;
}
PARITY_CASE(zero_ints_interleaved, "fill and copy loops") {
  const Array<int> out(1000, 9);
  zero_ints_interleaved<<<1, 96>>>(out, 1000);
  expect_equal(out, [](std::size_t) { return 0; });
}

__global__ void copy_rows_of_10(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (int k = 0; k < 10; ++k) out[10 * i + k] = in[10 * i + k];
}
PARITY_CASE(copy_rows_of_10, "fill and copy loops") {
  const auto values = numbers<int>(700);
  const Array<int> in(values), out(700, -1);
  copy_rows_of_10<<<2, 40>>>(in, out, 70);
  expect_equal(out, [&](std::size_t i) { return values[i]; });
}

__global__ void sum_unrolled(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += in[k * n + i];
  out[i] = sum;
}
PARITY_CASE(sum_unrolled, "fill and copy loops") {
  const auto values = numbers<float>(800);
  const Array<float> in(values), out(100, -1);
  sum_unrolled<<<2, 64>>>(in, out, 100);
  expect_equal(out, [&](std::size_t i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += values[k * 100 + i];
    return sum;
  });
}
