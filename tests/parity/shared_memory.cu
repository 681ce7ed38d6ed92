// Shared memory: widths, strides, broadcast, tiles, padding, swizzling, dynamic size, reductions.
#include "tests/parity/parity.hpp"

using namespace warplab::parity;

template <class T, class Kernel>
static void run_permutation(Kernel kernel, int n, int block, int (*source)(int)) {
  const auto values = numbers<T>(n);
  const Array<T> in(values), out(n, T(101));
  kernel<<<n / block, block>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    const int first = static_cast<int>(i) / block * block;
    return values[first + source(static_cast<int>(i) - first)];
  });
}

__global__ void shared_reverse(const int* in, int* out) {
  __shared__ int tile[96];
  const int i = blockIdx.x * 96 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[95 - threadIdx.x];
}
PARITY_CASE(shared_reverse, "shared") {
  run_permutation<int>(shared_reverse, 288, 96, [](int i) { return 95 - i; });
}

__global__ void shared_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 5 % 128];
}
PARITY_CASE(shared_bytes, "shared") {
  run_permutation<unsigned char>(shared_bytes, 256, 128, [](int i) { return i * 5 % 128; });
}

__global__ void shared_shorts(const short* in, short* out) {
  __shared__ short tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x * 2 % 128 + threadIdx.x / 64] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x];
}
PARITY_CASE(shared_shorts, "shared") {
  run_permutation<short>(shared_shorts, 256, 128, [](int i) { return i / 2 + i % 2 * 64; });
}

__global__ void shared_doubles(const double* in, double* out) {
  __shared__ double tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}
PARITY_CASE(shared_doubles, "shared") {
  run_permutation<double>(shared_doubles, 192, 64, [](int i) { return i ^ 1; });
}

__global__ void shared_doubles_strided(const double* in, double* out) {
  __shared__ double tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x * 8 % 128 + threadIdx.x / 16] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x];
}
PARITY_CASE(shared_doubles_strided, "shared") {
  run_permutation<double>(shared_doubles_strided, 256, 128, [](int i) { return i / 8 + i % 8 * 16; });
}

__global__ void shared_float4s(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 3 % 64];
}
PARITY_CASE(shared_float4s, "shared") {
  const auto values = numbers<float>(512);
  const Array<float> in(values), out(512, -1);
  shared_float4s<<<2, 64>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                            reinterpret_cast<float4*>(static_cast<float*>(out)));
  expect_equal(out, [&](std::size_t i) { return values[i / 256 * 256 + i % 256 / 4 * 3 % 64 * 4 + i % 4]; });
}

__global__ void shared_stride_2(const int* in, int* out) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x * 2 % 64 + threadIdx.x / 32];
}
PARITY_CASE(shared_stride_2, "shared") {
  run_permutation<int>(shared_stride_2, 192, 64, [](int i) { return i * 2 % 64 + i / 32; });
}

__global__ void shared_stride_32(const int* in, int* out) {
  __shared__ int tile[1024];
  const int i = threadIdx.x;
  tile[i % 32 * 32 + i / 32] = in[i];
  __syncthreads();
  out[i] = tile[i];
}
PARITY_CASE(shared_stride_32, "shared") {
  run_permutation<int>(shared_stride_32, 1024, 1024, [](int i) { return i % 32 * 32 + i / 32; });
}

__global__ void shared_broadcast(const int* in, int* out) {
  __shared__ int tile[80];
  const int i = blockIdx.x * 80 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockIdx.x] + tile[threadIdx.x / 16];
}
PARITY_CASE(shared_broadcast, "shared") {
  const auto values = numbers<int>(240);
  const Array<int> in(values), out(240, -1);
  shared_broadcast<<<3, 80>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    const std::size_t block = i / 80;
    return values[block * 80 + block] + values[block * 80 + i % 80 / 16];
  });
}

__global__ void shared_broadcast_wide(const float4* in, float4* out) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x / 8];
}
PARITY_CASE(shared_broadcast_wide, "shared") {
  const auto values = numbers<float>(128);
  const Array<float> in(values), out(128, -1);
  shared_broadcast_wide<<<1, 32>>>(reinterpret_cast<float4*>(static_cast<float*>(in)),
                                   reinterpret_cast<float4*>(static_cast<float*>(out)));
  expect_equal(out, [&](std::size_t i) { return values[i / 32 * 4 + i % 4]; });
}

__global__ void dynamic_shared_two_arrays(const int* in, int* out, int n) {
  extern __shared__ int memory[];
  int* low = memory;
  int* high = memory + n;
  const int i = threadIdx.x;
  low[i] = in[i];
  high[n - 1 - i] = 2 * in[i];
  __syncthreads();
  out[i] = low[n - 1 - i] + high[i];
}
PARITY_CASE(dynamic_shared_two_arrays, "shared") {
  const auto values = numbers<int>(100);
  const Array<int> in(values), out(100, -1);
  dynamic_shared_two_arrays<<<1, 100, 200 * sizeof(int)>>>(in, out, 100);
  expect_equal(out, [&](std::size_t i) { return 3 * values[99 - i]; });
}

// --- Tiles: the transpose of 50 rows and 70 columns
// ---------------------------------------------------------------------

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

// --- Reductions: 200 elements a block of 128 threads
// ---------------------------------------------------------------------

template <class Kernel>
static void run_reduction(Kernel kernel) {
  const auto values = numbers<int>(500);
  const Array<int> in(values), out(4, -1);
  kernel<<<4, 128>>>(in, out, 500);
  expect_equal(out, [&](std::size_t block) {
    int sum = 0;
    for (std::size_t i = 128 * block; i < 500 && i < 128 * (block + 1); ++i) sum += values[i];
    return sum;
  });
}

__global__ void reduce_interleaved(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 128; step *= 2) {
    if (t % (2 * step) == 0) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_interleaved, "reductions") { run_reduction(reduce_interleaved); }

__global__ void reduce_strided_index(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 128; step *= 2) {
    const int at = 2 * step * t;
    if (at < 128) sums[at] += sums[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_strided_index, "reductions") { run_reduction(reduce_strided_index); }

__global__ void reduce_sequential(const int* in, int* out, int n) {
  __shared__ int sums[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
PARITY_CASE(reduce_sequential, "reductions") { run_reduction(reduce_sequential); }

__global__ void reduce_shuffle(const int* in, int* out, int n) {
  __shared__ int sums[4];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  int sum = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < 4 ? sums[t] : 0;
    for (int step = 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (t == 0) out[blockIdx.x] = sum;
  }
}
PARITY_CASE(reduce_shuffle, "reductions") { run_reduction(reduce_shuffle); }

__global__ void scan_in_a_block(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 64; step *= 2) {
    int left = 0;
    if (t >= step) left = sums[t - step];
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  out[t] = sums[t];
}
PARITY_CASE(scan_in_a_block, "reductions") {
  const auto values = numbers<int>(64);
  const Array<int> in(values), out(64, -1);
  scan_in_a_block<<<1, 64>>>(in, out);
  expect_equal(out, [&](std::size_t i) {
    int sum = 0;
    for (std::size_t k = 0; k <= i; ++k) sum += values[k];
    return sum;
  });
}

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
