// nvcuda::wmma: which element each lane holds, all shapes and layouts, from global and shared memory.
// Ordinary CUDA; the places of elements are those of compute capability 8.0 and later.

#include <mma.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using namespace nvcuda;
using warplab::test::DeviceArray;

namespace {

/// The depth of a product of elements of type T.
template <class T>
constexpr int depth = std::is_same_v<T, wmma::precision::tf32> ? 8
                      : std::is_same_v<T, double>              ? 4
                                                               : 16;
/// What T is in memory.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;

/// The least leading dimension for lines of `elements`: a multiple of 16 bytes.
template <class T>
constexpr int padded(int elements) {
  constexpr int unit = 16 / static_cast<int>(sizeof(Stored<T>));
  return (elements + unit - 1) / unit * unit;
}

template <class T>
std::vector<T> converted(const std::vector<float>& values) {
  std::vector<T> result;
  for (float value : values) result.push_back(static_cast<T>(value));
  return result;
}

// Small integers: every sum of their products is exact in half and float.
std::vector<float> integers(int count, int seed, int least = -3) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 7 + i / 5 * 3 + seed) % 7 + least));
  return values;
}

}  // namespace

// --- Which lane holds what ---

template <class Use, int M, int N, class T, class Layout>
__global__ void show_operand(const Stored<T>* matrix, int stride, Stored<T>* out) {
  wmma::fragment<Use, M, N, depth<T>, T, Layout> f;
  wmma::load_matrix_sync(f, matrix, stride);
  for (int i = 0; i < f.num_elements; ++i) out[threadIdx.x * f.num_elements + i] = f.x[i];
}
template <int M, int N, int K, class T>
__global__ void show_accumulator(const T* matrix, int stride, wmma::layout_t layout, T* out) {
  wmma::fragment<wmma::accumulator, M, N, K, T> f;
  wmma::load_matrix_sync(f, matrix, stride, layout);
  for (int i = 0; i < f.num_elements; ++i) out[threadIdx.x * f.num_elements + i] = f.x[i];
}

struct Place {
  int row, column;
};
int bit(int i, int k) { return i >> k & 1; }

template <int M>
Place expected_sum(int lane, int i) {
  const int g = lane / 4, t = lane % 4 * 2 + i % 2;
  if (M == 16) return {g + 8 * bit(i, 1), t + 8 * bit(i, 2)};
  if (M == 32) return {g + 8 * bit(i, 1) + 16 * bit(i, 2), t};
  return {t, g + 8 * bit(i, 1) + 16 * bit(i, 2)};
}
Place expected_double_sum(int lane, int i) { return {lane / 4, lane % 4 * 2 + i}; }

// Bytes: four neighbours in a lane, then the next 8 lines.
template <class Use>
Place expected_place_of_byte(int lane, int i) {
  const int across = lane / 4 + i / 4 * 8, along = lane % 4 * 4 + i % 4;
  return std::is_same_v<Use, wmma::matrix_a> ? Place{across, along} : Place{along, across};
}

// One element of tf32 or double in a lane, then the blocks.
template <class Use, int M>
Place expected_place_of_single(int lane, int i) {
  const int g = lane / 4, t = lane % 4;
  if (std::is_same_v<Use, wmma::matrix_a>) return {g + 8 * bit(i, 0), t + 4 * bit(i, 1)};
  return {t + 4 * bit(i, 0), g + 8 * bit(i, 1)};
}

template <class Use, int M, int N, class T>
Place expected_place(int lane, int i) {
  if (sizeof(Stored<T>) == 1) return expected_place_of_byte<Use>(lane, i);
  if (std::is_same_v<T, wmma::precision::tf32> || std::is_same_v<T, double>)
    return expected_place_of_single<Use, M>(lane, i);
  const int g = lane / 4, t = lane % 4 * 2 + i % 2;
  if (std::is_same_v<Use, wmma::matrix_a>) {
    if (M == 16) return {g + 8 * bit(i, 1), t + 8 * bit(i, 2)};
    if (M == 32) return {g + 8 * bit(i, 1) + 16 * bit(i, 3), t + 8 * bit(i, 2)};
    return {g, t + 8 * bit(i, 1)};
  }
  if (std::is_same_v<Use, wmma::matrix_b>) {
    if (M == 16) return {t + 8 * bit(i, 1), g + 8 * bit(i, 2)};
    if (M == 32) return {t + 8 * bit(i, 1), g};
    return {t + 8 * bit(i, 2), g + 8 * bit(i, 1) + 16 * bit(i, 3)};
  }
  return expected_sum<M>(lane, i);
}

// A matrix whose elements say where they are, in memory lines of `stride` elements.
template <class T>
std::vector<T> numbered(int rows, int columns, int stride, bool by_rows) {
  std::vector<float> values(static_cast<std::size_t>(stride * (by_rows ? rows : columns)), -1.0f);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      values[static_cast<std::size_t>(by_rows ? r * stride + c : c * stride + r)] =
          static_cast<float>((r * columns + c) % 128);
  return converted<T>(values);
}

template <class Use, int M, int N, class T, class Layout>
void expect_operand() {
  constexpr bool a = std::is_same_v<Use, wmma::matrix_a>, by_rows = std::is_same_v<Layout, wmma::row_major>;
  constexpr int rows = a ? M : depth<T>, columns = a ? depth<T> : N;
  constexpr int stride = padded<T>(by_rows ? columns : rows) + 16;
  constexpr int elements = wmma::fragment<Use, M, N, depth<T>, T, Layout>::num_elements;
  static_assert(!std::is_same_v<T, __half> || elements == 16);
  const DeviceArray<Stored<T>> matrix(numbered<Stored<T>>(rows, columns, stride, by_rows));
  const DeviceArray<Stored<T>> out(32 * elements);
  show_operand<Use, M, N, T, Layout><<<1, 32>>>(matrix.data(), stride, out.data());
  const std::vector<Stored<T>> result = out.host();
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < elements; ++i) {
      const Place at = expected_place<Use, M, N, T>(lane, i);
      ASSERT_EQ(static_cast<float>(result[static_cast<std::size_t>(lane * elements + i)]),
                static_cast<float>((at.row * columns + at.column) % 128))
          << (a ? "a" : "b") << " of " << M << "x" << N << (by_rows ? " row_major" : " col_major")
          << ", lane " << lane << ", x[" << i << "]";
    }
}

template <int M, int N, int K, class T>
void expect_accumulator(wmma::layout_t layout) {
  const bool by_rows = layout == wmma::mem_row_major;
  const int stride = (by_rows ? N : M) + 8;
  constexpr int elements = M * N / 32;
  const DeviceArray<T> matrix(numbered<T>(M, N, stride, by_rows)), out(32 * elements);
  show_accumulator<M, N, K, T><<<1, 32>>>(matrix.data(), stride, layout, out.data());
  const std::vector<T> result = out.host();
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < elements; ++i) {
      const Place at = M * N == 64 ? expected_double_sum(lane, i) : expected_sum<M>(lane, i);
      ASSERT_EQ(static_cast<float>(result[static_cast<std::size_t>(lane * elements + i)]),
                static_cast<float>((at.row * N + at.column) % 128))
          << "accumulator of " << M << "x" << N << ", lane " << lane << ", x[" << i << "]";
    }
}

template <int M, int N, class T>
void expect_operands() {
  expect_operand<wmma::matrix_a, M, N, T, wmma::row_major>();
  expect_operand<wmma::matrix_a, M, N, T, wmma::col_major>();
  expect_operand<wmma::matrix_b, M, N, T, wmma::row_major>();
  expect_operand<wmma::matrix_b, M, N, T, wmma::col_major>();
}

template <int M, int N>
void expect_places() {
  expect_operands<M, N, __half>();
  expect_operands<M, N, __nv_bfloat16>();
  expect_operands<M, N, signed char>();
  expect_operands<M, N, unsigned char>();
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    expect_accumulator<M, N, 16, float>(layout);
    expect_accumulator<M, N, 16, __half>(layout);
    expect_accumulator<M, N, 16, int>(layout);
  }
}

TEST(DeviceWmma, EveryLaneHoldsWhatTheHardwareGivesIt) {
  expect_places<16, 16>();
  expect_places<32, 8>();
  expect_places<8, 32>();
}

TEST(DeviceWmma, EveryLaneHoldsItsPartOfTf32AndDouble) {
  expect_operands<16, 16, wmma::precision::tf32>();
  expect_operands<8, 8, double>();
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    expect_accumulator<16, 16, 8, float>(layout);
    expect_accumulator<8, 8, 4, double>(layout);
  }
}

// --- Products ---

// Leading dimensions of the operands; each has at most 512 elements.
template <int M, class T, class Layout>
constexpr int stride_of_a = padded<T>(std::is_same_v<Layout, wmma::row_major> ? depth<T> : M);
template <int N, class T, class Layout>
constexpr int stride_of_b = padded<T>(std::is_same_v<Layout, wmma::row_major> ? N : depth<T>);

template <int M, int N, class T, class LayoutA, class LayoutB, class Sum, bool Shared>
__global__ void multiply(const Stored<T>* a, const Stored<T>* b, const Sum* c, Sum* d,
                         wmma::layout_t layout) {
  __shared__ __align__(32) Stored<T> a_tile[512], b_tile[512];
  __shared__ __align__(32) Sum d_tile[256];
  constexpr int stride_a = stride_of_a<M, T, LayoutA>, stride_b = stride_of_b<N, T, LayoutB>;
  const int stride = layout == wmma::mem_row_major ? N : M;
  wmma::fragment<wmma::matrix_a, M, N, depth<T>, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, depth<T>, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, depth<T>, Sum> fc;
  if (Shared) {
    for (unsigned i = threadIdx.x; i < 512; i += 32) a_tile[i] = a[i];
    for (unsigned i = threadIdx.x; i < 512; i += 32) b_tile[i] = b[i];
    for (unsigned i = threadIdx.x; i < M * N; i += 32) d_tile[i] = c[i];
    __syncthreads();
    wmma::load_matrix_sync(fa, a_tile, stride_a);
    wmma::load_matrix_sync(fb, b_tile, stride_b);
    wmma::load_matrix_sync(fc, d_tile, stride, layout);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncthreads();
    wmma::store_matrix_sync(d_tile, fc, stride, layout);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < M * N; i += 32) d[i] = d_tile[i];
  } else {
    wmma::load_matrix_sync(fa, a, stride_a);
    wmma::load_matrix_sync(fb, b, stride_b);
    wmma::load_matrix_sync(fc, c, stride, layout);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, stride, layout);
  }
}

template <class Layout>
std::size_t place_in(int row, int column, int stride) {
  return static_cast<std::size_t>(std::is_same_v<Layout, wmma::row_major> ? row * stride + column
                                                                          : column * stride + row);
}

template <int M, int N, class T, class LayoutA, class LayoutB, class Sum, bool Shared>
void expect_product(wmma::layout_t layout) {
  constexpr int least = std::is_same_v<T, unsigned char> ? 0 : -3;
  constexpr int stride_a = stride_of_a<M, T, LayoutA>, stride_b = stride_of_b<N, T, LayoutB>;
  const std::vector<float> a = integers(512, 1, least), b = integers(512, 2, least), c = integers(M * N, 3);
  const DeviceArray<Stored<T>> da(converted<Stored<T>>(a)), db(converted<Stored<T>>(b));
  const DeviceArray<Sum> dc(converted<Sum>(c)), dd(M * N);
  multiply<M, N, T, LayoutA, LayoutB, Sum, Shared>
      <<<1, 32>>>(da.data(), db.data(), dc.data(), dd.data(), layout);
  const std::vector<Sum> d = dd.host();
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      const auto place =
          static_cast<std::size_t>(layout == wmma::mem_row_major ? row * N + column : column * M + row);
      float sum = c[place];
      for (int k = 0; k < depth<T>; ++k)
        sum += a[place_in<LayoutA>(row, k, stride_a)] * b[place_in<LayoutB>(k, column, stride_b)];
      ASSERT_EQ(static_cast<float>(d[place]), sum) << M << "x" << N << " at " << row << ", " << column;
    }
}

template <int M, int N, class T, class Sum, bool Shared>
void expect_products() {
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    expect_product<M, N, T, wmma::row_major, wmma::row_major, Sum, Shared>(layout);
    expect_product<M, N, T, wmma::row_major, wmma::col_major, Sum, Shared>(layout);
    expect_product<M, N, T, wmma::col_major, wmma::row_major, Sum, Shared>(layout);
    expect_product<M, N, T, wmma::col_major, wmma::col_major, Sum, Shared>(layout);
  }
}

TEST(DeviceWmma, ProductsFromGlobalMemoryInEveryShapeAndLayout) {
  expect_products<16, 16, __half, float, false>();
  expect_products<32, 8, __half, float, false>();
  expect_products<8, 32, __half, float, false>();
}

TEST(DeviceWmma, ProductsFromSharedMemoryInEveryShapeAndLayout) {
  expect_products<16, 16, __half, float, true>();
  expect_products<32, 8, __half, float, true>();
  expect_products<8, 32, __half, float, true>();
}

TEST(DeviceWmma, AccumulatorsOfHalf) {
  expect_products<16, 16, __half, __half, false>();
  expect_products<32, 8, __half, __half, true>();
  expect_products<8, 32, __half, __half, true>();
}

TEST(DeviceWmma, OperandsOfBfloat16) {
  expect_products<16, 16, __nv_bfloat16, float, false>();
  expect_products<32, 8, __nv_bfloat16, float, true>();
  expect_products<8, 32, __nv_bfloat16, float, false>();
}

TEST(DeviceWmma, OperandsOfBytes) {
  expect_products<16, 16, signed char, int, false>();
  expect_products<32, 8, signed char, int, true>();
  expect_products<8, 32, signed char, int, false>();
  expect_products<16, 16, unsigned char, int, true>();
  expect_products<32, 8, unsigned char, int, false>();
  expect_products<8, 32, unsigned char, int, true>();
}

TEST(DeviceWmma, OperandsOfTf32AndDouble) {
  expect_products<16, 16, wmma::precision::tf32, float, false>();
  expect_products<16, 16, wmma::precision::tf32, float, true>();
  expect_products<8, 8, double, double, false>();
  expect_products<8, 8, double, double, true>();
}

// The extremes of bytes, onto sums near the end of int's range.
template <class T>
__global__ void multiply_bytes(const T* a, const T* b, int first, bool saturate, int* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, first);
  if (saturate)
    wmma::mma_sync(sum, fa, fb, sum, true);
  else
    wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

template <class T>
int product_of_bytes(T a, T b, int first, bool saturate) {
  const DeviceArray<T> da(std::vector<T>(256, a)), db(std::vector<T>(256, b));
  const DeviceArray<int> d(256);
  multiply_bytes<<<1, 32>>>(da.data(), db.data(), first, saturate, d.data());
  const std::vector<int> sums = d.host();
  for (const int sum : sums) EXPECT_EQ(sum, sums[0]);
  return sums[0];
}

TEST(DeviceWmma, SumsOfBytesWrapOrSaturate) {
  using Signed = signed char;
  using Unsigned = unsigned char;
  constexpr int most = 2147483647, least = -most - 1;
  EXPECT_EQ(product_of_bytes<Unsigned>(255, 255, 1, false), 16 * 255 * 255 + 1);
  EXPECT_EQ(product_of_bytes<Signed>(-128, 127, 0, true), -16 * 128 * 127);
  EXPECT_EQ(product_of_bytes<Signed>(-128, -128, most, false), least + 16 * 128 * 128 - 1);
  EXPECT_EQ(product_of_bytes<Signed>(-128, -128, most, true), most);
  EXPECT_EQ(product_of_bytes<Signed>(-128, 1, least, true), least);
  EXPECT_EQ(product_of_bytes<Unsigned>(1, 1, most - 16, true), most);
}

__global__ void round_to_tf32(const float* in, float* out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

TEST(DeviceWmma, Tf32RoundsToTenBitsTiesAway) {
  const std::vector<float> in{1, 0x1.002p0f, 0x1.0021p0f, 0x1.001ffep0f, -0x1.002p0f, 0x1.fffffep1f, 0};
  const std::vector<float> expected{1, 0x1.004p0f, 0x1.004p0f, 1, -0x1.004p0f, 4, 0};
  const DeviceArray<float> din(in), out(static_cast<int>(in.size()));
  round_to_tf32<<<1, static_cast<unsigned>(in.size())>>>(din.data(), out.data());
  EXPECT_EQ(out.host(), expected);
}

// A matrix product of several tiles, with alpha and beta applied element by element.
__global__ void gemm(const __half* a, const __half* b, const float* c, float* d, int n, float alpha,
                     float beta) {
  const int row = static_cast<int>(blockIdx.y) * 32 + static_cast<int>(threadIdx.x / 64) * 16;
  const int column = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x / 32 % 2) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + column, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::load_matrix_sync(old, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(d + row * n + column, sum, n, wmma::mem_row_major);
}

TEST(DeviceWmma, AMatrixProductIsAsGoodAsHalvesAllow) {
  constexpr int n = 96;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (auto* matrix : {&a, &b, &c})
    for (float& x : *matrix) x = uniform(random);
  const std::vector<__half> ha = converted<__half>(a), hb = converted<__half>(b);
  const DeviceArray<__half> da(ha), db(hb);
  const DeviceArray<float> dc(c), dd(n * n);
  gemm<<<dim3(n / 32, n / 32), 128>>>(da.data(), db.data(), dc.data(), dd.data(), n, 2.0f, -0.5f);
  const std::vector<float> d = dd.host();
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0, sizes = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double product = static_cast<double>(static_cast<float>(ha[row * n + k])) *
                               static_cast<double>(static_cast<float>(hb[k * n + column]));
        sum += product;
        sizes += std::fabs(product);
      }
      // The hardware cuts off low bits: up to 2^-22 of the largest operand in each of 96 / 16 steps and more.
      ASSERT_NEAR(d[row * n + column], 2 * sum - 0.5 * c[row * n + column], 2 * sizes * 0x1p-19)
          << row << ", " << column;
    }
}

// A fragment of sums in half, kept between products and read element by element.
__global__ void largest_sum(const __half* a, const __half* b, float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, __float2half(1.0f));
  for (int i = 0; i < 3; ++i) wmma::mma_sync(sum, fa, fb, sum);
  float largest = -1e9f;
  for (int i = 0; i < sum.num_elements; ++i) largest = fmaxf(largest, __half2float(sum.x[i]));
  for (int offset = 16; offset > 0; offset /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  if (threadIdx.x == 0) *out = largest;
}

TEST(DeviceWmma, AFragmentsElementsCanBeRead) {
  const std::vector<float> a = integers(256, 4), b = integers(256, 5);
  const DeviceArray<__half> da(converted<__half>(a)), db(converted<__half>(b));
  const DeviceArray<float> out(1);
  largest_sum<<<1, 32>>>(da.data(), db.data(), out.data());
  float largest = -1e9f;
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 16; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += a[k * 16 + row] * b[column * 16 + k];
      largest = std::max(largest, 1 + 3 * sum);
    }
  EXPECT_EQ(out.host()[0], largest);
}
