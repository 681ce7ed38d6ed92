// Tensor cores through nvcuda::wmma: loads and stores of fragments in global and shared memory.
#include <cuda_fp16.h>
#include <mma.h>

#include "tests/parity/parity.hpp"

using namespace warplab::parity;
namespace wmma = nvcuda::wmma;

static std::vector<__half> small_halves(std::size_t n, std::uint32_t seed) {
  std::vector<__half> values;
  for (const float v : numbers<float>(n, 8, seed)) values.push_back(__float2half(v));
  return values;
}

template <int M, int N, class A, class B, class C>
static void expect_product(const Array<C>& out, int depth, A a, B b, bool columns_first = false) {
  const auto result = out.host();
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < depth; ++k) sum += __half2float(a(m, k)) * __half2float(b(k, n));
      const auto got = static_cast<float>(result[columns_first ? n * M + m : m * N + n]);
      if (got != sum)
        throw std::runtime_error("row " + std::to_string(m) + ", column " + std::to_string(n) + " is " +
                                 std::to_string(got) + "; it must be " + std::to_string(sum));
    }
}

__global__ void wmma_16x16x16(const __half* a, const __half* b, float* c, int depth) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
#pragma unroll 1
  for (int k = 0; k < depth; k += 16) {
    wmma::load_matrix_sync(fa, a + k, depth);
    wmma::load_matrix_sync(fb, b + k * 16, 16);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
PARITY_CASE(wmma_16x16x16, "wmma") {
  const auto a = small_halves(16 * 48, 1), b = small_halves(48 * 16, 2);
  const Array<__half> in_a(a), in_b(b);
  const Array<float> out(256, -1);
  wmma_16x16x16<<<1, 32>>>(in_a, in_b, out, 48);
  expect_product<16, 16>(
      out, 48, [&](int m, int k) { return a[m * 48 + k]; }, [&](int k, int n) { return b[k * 16 + n]; });
}

__global__ void wmma_16x16x16_columns(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_col_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}
PARITY_CASE(wmma_16x16x16_columns, "wmma") {
  const auto a = small_halves(256, 1), b = small_halves(256, 2);
  const Array<__half> in_a(a), in_b(b);
  const Array<float> inout(256, 0);
  wmma_16x16x16_columns<<<1, 32>>>(in_a, in_b, inout);
  expect_product<16, 16>(
      inout, 16, [&](int m, int k) { return a[k * 16 + m]; }, [&](int k, int n) { return b[n * 16 + k]; },
      true);
}

__global__ void wmma_32x8x16(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 8);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}
PARITY_CASE(wmma_32x8x16, "wmma") {
  const auto a = small_halves(512, 1), b = small_halves(128, 2);
  const Array<__half> in_a(a), in_b(b);
  const Array<float> out(256, -1);
  wmma_32x8x16<<<1, 32>>>(in_a, in_b, out);
  expect_product<32, 8>(
      out, 16, [&](int m, int k) { return a[m * 16 + k]; }, [&](int k, int n) { return b[k * 8 + n]; });
}

__global__ void wmma_8x32x16(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 32, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 32, wmma::mem_row_major);
}
PARITY_CASE(wmma_8x32x16, "wmma") {
  const auto a = small_halves(128, 1), b = small_halves(512, 2);
  const Array<__half> in_a(a), in_b(b);
  const Array<float> out(256, -1);
  wmma_8x32x16<<<1, 32>>>(in_a, in_b, out);
  expect_product<8, 32>(
      out, 16, [&](int m, int k) { return a[m * 16 + k]; }, [&](int k, int n) { return b[n * 16 + k]; });
}

__global__ void wmma_half_sum(const __half* a, const __half* b, __half* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
PARITY_CASE(wmma_half_sum, "wmma") {
  const auto a = small_halves(256, 1), b = small_halves(256, 2);
  const Array<__half> in_a(a), in_b(b), inout(256, __float2half(0));
  wmma_half_sum<<<1, 32>>>(in_a, in_b, inout);
  expect_product<16, 16>(
      inout, 16, [&](int m, int k) { return a[m * 16 + k]; }, [&](int k, int n) { return b[n * 16 + k]; });
}

template <int leading>
__device__ void multiply_in_shared(const __half* a, const __half* b, float* c) {
  __shared__ __half tile_a[16 * leading], tile_b[16 * leading];
  __shared__ float tile_c[16 * leading];
#pragma unroll 1
  for (int i = threadIdx.x; i < 256; i += 32) {
    tile_a[i / 16 * leading + i % 16] = a[i];
    tile_b[i / 16 * leading + i % 16] = b[i];
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, tile_a, leading);
  wmma::load_matrix_sync(fb, tile_b, leading);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(tile_c, sum, leading, wmma::mem_row_major);
  __syncwarp();
#pragma unroll 1
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = tile_c[i / 16 * leading + i % 16];
}
__global__ void wmma_shared(const __half* a, const __half* b, float* c) { multiply_in_shared<16>(a, b, c); }
__global__ void wmma_shared_padded(const __half* a, const __half* b, float* c) {
  multiply_in_shared<24>(a, b, c);
}
template <class Kernel>
static void run_shared(Kernel kernel) {
  const auto a = small_halves(256, 1), b = small_halves(256, 2);
  const Array<__half> in_a(a), in_b(b);
  const Array<float> out(256, -1);
  kernel<<<1, 32>>>(in_a, in_b, out);
  expect_product<16, 16>(
      out, 16, [&](int m, int k) { return a[m * 16 + k]; }, [&](int k, int n) { return b[k * 16 + n]; });
}
PARITY_CASE(wmma_shared, "wmma") { run_shared(wmma_shared); }
PARITY_CASE(wmma_shared_padded, "wmma") { run_shared(wmma_shared_padded); }

__global__ void wmma_shared_columns(const __half* a, const __half* b, __half* c) {
  __shared__ __half tile_a[32 * 16], tile_b[16 * 8], tile_c[32 * 8];
#pragma unroll 1
  for (int i = threadIdx.x; i < 512; i += 32) tile_a[i] = a[i];
#pragma unroll 1
  for (int i = threadIdx.x; i < 128; i += 32) tile_b[i] = b[i];
#pragma unroll 1
  for (int i = threadIdx.x; i < 256; i += 32) tile_c[i] = c[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, __half> sum;
  wmma::load_matrix_sync(fa, tile_a, 32);
  wmma::load_matrix_sync(fb, tile_b, 8);
  wmma::load_matrix_sync(sum, tile_c, 8, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(tile_c, sum, 8, wmma::mem_row_major);
  __syncwarp();
#pragma unroll 1
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = tile_c[i];
}
PARITY_CASE(wmma_shared_columns, "wmma") {
  const auto a = small_halves(512, 1), b = small_halves(128, 2);
  const Array<__half> in_a(a), in_b(b), inout(256, __float2half(0));
  wmma_shared_columns<<<1, 32>>>(in_a, in_b, inout);
  expect_product<32, 8>(
      inout, 16, [&](int m, int k) { return a[k * 32 + m]; }, [&](int k, int n) { return b[k * 8 + n]; });
}
