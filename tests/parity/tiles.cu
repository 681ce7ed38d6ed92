// Tiles in shared memory: transposes with padding and swizzling, sums, products, a halo.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

// The transpose of 50 rows and 70 columns

static constexpr int rows = 50, cols = 70;

template <class Kernel>
static void run_transpose(Kernel kernel, dim3 block, int tile) {
  const auto values = numbers<int>(rows * cols);
  const Array<int> in(values), out(rows * cols, -1);
  kernel<<<dim3(blocks_for(cols, tile), blocks_for(rows, tile)), block>>>(in, out);
  expect_equal(out, [&](std::size_t i) { return values[i % rows * cols + i / rows]; });
}

__global__ void transpose_tile_16(const int* in, int* out) {
  __shared__ int tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
PARITY_CASE(transpose_tile_16, "tiles") { run_transpose(transpose_tile_16, dim3(16, 16), 16); }

__global__ void transpose_tile_32(const int* in, int* out) {
  __shared__ int tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
PARITY_CASE(transpose_tile_32, "tiles") { run_transpose(transpose_tile_32, dim3(32, 32), 32); }

__global__ void transpose_tile_padded(const int* in, int* out) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
PARITY_CASE(transpose_tile_padded, "tiles") { run_transpose(transpose_tile_padded, dim3(32, 32), 32); }

__global__ void transpose_tile_rows(const int* in, int* out) {
  __shared__ int tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
#pragma unroll 1
  for (int r = threadIdx.y; r < 32; r += 8)
    if (x < cols && y + r < rows) tile[r][threadIdx.x] = in[(y + r) * cols + x];
  __syncthreads();
#pragma unroll 1
  for (int r = threadIdx.y; r < 32; r += 8)
    if (y + static_cast<int>(threadIdx.x) < rows && static_cast<int>(blockIdx.x) * 32 + r < cols)
      out[(blockIdx.x * 32 + r) * rows + y + threadIdx.x] = tile[threadIdx.x][r];
}
PARITY_CASE(transpose_tile_rows, "tiles") { run_transpose(transpose_tile_rows, dim3(32, 8), 32); }

__global__ void transpose_tile_swizzled(const int* in, int* out) {
  __shared__ int tile[32 * 32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y * 32 + (threadIdx.x ^ threadIdx.y)] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x * 32 + (threadIdx.x ^ threadIdx.y)];
}
PARITY_CASE(transpose_tile_swizzled, "tiles") { run_transpose(transpose_tile_swizzled, dim3(32, 32), 32); }

__global__ void tile_block_33x3(const int* in, int* out) {
  __shared__ int tile[3][33];
  const int i = (blockIdx.x * 3 + threadIdx.y) * 33 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.y][threadIdx.x] + tile[(threadIdx.y + 1) % 3][threadIdx.x];
}
PARITY_CASE(tile_block_33x3, "tiles") {
  const auto values = numbers<int>(198);
  const Array<int> in(values), out(198, -1);
  tile_block_33x3<<<2, dim3(33, 3)>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    return values[i] + values[i / 99 * 99 + (i / 33 % 3 + 1) % 3 * 33 + i % 33];
  });
}

__global__ void row_sums(const float* in, float* out) {
  __shared__ float tile[64][64];
#pragma unroll 1
  for (int r = 0; r < 64; ++r) tile[r][threadIdx.x] = in[r * 64 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int c = 0; c < 64; ++c) sum += tile[threadIdx.x][c];
  out[threadIdx.x] = sum;
}
PARITY_CASE(row_sums, "tiles") {
  const auto values = numbers<float>(4096);
  const Array<float> in(values), out(64, -1);
  row_sums<<<1, 64>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    float sum = 0;
    for (int c = 0; c < 64; ++c) sum += values[i * 64 + c];
    return sum;
  });
}

template <int unrolled>
__device__ __forceinline__ float tile_product(const float (&a)[16][16], const float (&b)[16][16]) {
  float sum = 0;
#pragma unroll unrolled
  for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
  return sum;
}
__global__ void matmul_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int first = 0; first < n; first += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[y * n + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + x];
    __syncthreads();
    sum += tile_product<1>(tile_a, tile_b);
    __syncthreads();
  }
  c[y * n + x] = sum;
}
__global__ void matmul_tile_unrolled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[y * n + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + x];
    __syncthreads();
    sum += tile_product<16>(tile_a, tile_b);
    __syncthreads();
  }
  c[y * n + x] = sum;
}
template <class Kernel>
static void run_matmul(Kernel kernel) {
  constexpr int n = 48;
  const auto a = numbers<float>(n * n, 8), b = numbers<float>(n * n, 8, 2);
  const Array<float> in_a(a), in_b(b), out(n * n, -1);
  kernel<<<dim3(3, 3), dim3(16, 16)>>>(in_a, in_b, out, n);
  expect_equal(out, [&](std::size_t i) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
    return sum;
  });
}
PARITY_CASE(matmul_tile, "tiles") { run_matmul(matmul_tile); }
PARITY_CASE(matmul_tile_unrolled, "tiles") { run_matmul(matmul_tile_unrolled); }

__global__ void convolution_with_halo(const int* in, int* out, int n) {
  __shared__ int tile[64 + 4];
  const int first = blockIdx.x * 64 - 2;
#pragma unroll 1
  for (int i = threadIdx.x; i < 68; i += 64) tile[i] = first + i >= 0 && first + i < n ? in[first + i] : 0;
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 5; ++k) sum += (k + 1) * tile[threadIdx.x + k];
  out[i] = sum;
}
PARITY_CASE(convolution_with_halo, "tiles") {
  const auto values = numbers<int>(200);
  const Array<int> in(values), out(200, -1);
  convolution_with_halo<<<4, 64>>>(in, out, 200);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < 5; ++k) {
      const int at = static_cast<int>(i) + k - 2;
      if (at >= 0 && at < 200) sum += (k + 1) * values[at];
    }
    return sum;
  });
}
