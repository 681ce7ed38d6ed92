// wgmma: products of a warpgroup in every format, from every layout of shared memory and from registers. The
// kernels place elements by the formulas of the PTX ISA; the expected product is a plain triple loop.
// Ordinary CUDA for compute capability 9.0a.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

/// How an operand lies in shared memory.
struct Layout {
  int swizzle;   ///< in bytes: 0, 32, 64 or 128
  bool along_k;  ///< what lies together is along k
};

using Byte = signed char;
using UnsignedByte = unsigned char;
struct E4m3 {
  unsigned char bits;
};
struct E5m2 {
  unsigned char bits;
};

template <class T>
T number(int small) {
  if constexpr (std::is_same_v<T, E4m3> || std::is_same_v<T, E5m2>) {
    static constexpr unsigned char e4m3[] = {0, 0x38, 0x40, 0x44}, e5m2[] = {0, 0x3c, 0x40, 0x42};  // 0 to 3
    const unsigned char* const sizes = std::is_same_v<T, E4m3> ? e4m3 : e5m2;
    return {static_cast<unsigned char>(small < 0 ? 0x80 | sizes[-small] : sizes[small])};
  } else {
    return static_cast<T>(static_cast<float>(small));
  }
}
template <class T>
std::vector<T> numbers(const std::vector<int>& values) {
  std::vector<T> result;
  for (const int value : values) result.push_back(number<T>(value));
  return result;
}
// Small integers: every sum of their products is exact.
std::vector<int> small_numbers(int count, int seed, int least) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back((i * 7 + i / 5 * 3 + i / 11 + seed) % (4 - least) + least);
  return values;
}

}  // namespace

__device__ unsigned address_of(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ constexpr int pitch(Layout layout) { return layout.swizzle == 0 ? 16 : layout.swizzle; }

/// Bytes that the descriptor calls its leading and stride offset; chosen so that nothing overlaps.
__device__ constexpr unsigned leading_bytes(Layout layout, int lines) {
  if (layout.swizzle == 0) return static_cast<unsigned>(lines) / 8 * 128;
  return static_cast<unsigned>(layout.swizzle) * 16;
}
__device__ constexpr unsigned stride_bytes(Layout layout) {
  return layout.swizzle == 0 ? 128 : static_cast<unsigned>(layout.swizzle) * 8;
}

/// Where element (line, k) lies, from the operand's beginning and before the swizzle.
template <class T>
__device__ int offset_of(Layout layout, int lines, int line, int k) {
  const int size = sizeof(T), leading = static_cast<int>(leading_bytes(layout, lines));
  const int stride = static_cast<int>(stride_bytes(layout)), wide = layout.swizzle / 16;
  if (layout.along_k) {
    const int chunk = k * size / 16;
    return line % 8 * pitch(layout) + line / 8 * stride + chunk * (wide == 0 ? leading : 16) + k * size % 16;
  }
  const int group = line / 8, within = line % 8 * size;
  if (wide == 0) return group * stride + k / 8 * leading + k % 8 * 16 + within;
  return group % wide * 16 + group / wide * leading + k % 8 * layout.swizzle + k / 8 * stride + within;
}

template <class T>
__device__ void place(unsigned char* to, Layout layout, const T* matrix, int lines, int depth) {
  for (int i = static_cast<int>(threadIdx.x); i < lines * depth; i += 128) {
    const unsigned at = address_of(to) + offset_of<T>(layout, lines, i / depth, i % depth);
    const unsigned mixed = at >> 7 & (static_cast<unsigned>(pitch(layout)) / 16 - 1);
    *reinterpret_cast<T*>(to + ((at ^ mixed << 4) - address_of(to))) = matrix[i];
  }
}

__device__ std::uint64_t descriptor(const unsigned char* p, Layout layout, int lines) {
  const std::uint64_t mode = layout.swizzle == 0     ? 0
                             : layout.swizzle == 128 ? 1
                             : layout.swizzle == 64  ? 2
                                                     : 3;
  return ((address_of(p) & 0x3ffff) >> 4) | std::uint64_t{leading_bytes(layout, lines) >> 4} << 16 |
         std::uint64_t{stride_bytes(layout) >> 4} << 32 | mode << 62;
}

// The instructions that are tested: sums (64, n) += a (64, depth) * b (depth, n). %4 and %5 are descriptors.
#define SUMS4(R, i) "+" R(sums[i]), "+" R(sums[(i) + 1]), "+" R(sums[(i) + 2]), "+" R(sums[(i) + 3])
#define PRODUCT(R, types, rest, ...)                                                              \
  asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %6, 0;\nwgmma.mma_async.sync.aligned." types \
               " {%0, %1, %2, %3}, %4, %5, add" rest ";\n}"                                       \
               : SUMS4(R, 0)                                                                      \
               : "l"(a), "l"(b), "r"(add)__VA_ARGS__)

template <class T, bool a_along_k, bool b_along_k, class Sum>
__device__ void multiply_add(Sum (&sums)[4], std::uint64_t a, std::uint64_t b, int add) {
  if constexpr (std::is_same_v<T, __half>)
    PRODUCT("f", "m64n8k16.f32.f16.f16", ", 1, 1, %7, %8", , "n"(!a_along_k), "n"(!b_along_k));
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    PRODUCT("f", "m64n8k16.f32.bf16.bf16", ", 1, 1, %7, %8", , "n"(!a_along_k), "n"(!b_along_k));
  else if constexpr (std::is_same_v<T, float>)
    PRODUCT("f", "m64n8k8.f32.tf32.tf32", ", 1, 1");
  else if constexpr (std::is_same_v<T, Byte>)
    PRODUCT("r", "m64n8k32.s32.s8.s8", "");
  else if constexpr (std::is_same_v<T, UnsignedByte>)
    PRODUCT("r", "m64n8k32.s32.u8.u8", "");
  else if constexpr (std::is_same_v<T, E4m3>)
    PRODUCT("f", "m64n8k32.f32.e4m3.e4m3", ", 1, 1");
  else
    PRODUCT("f", "m64n8k32.f32.e5m2.e5m2", ", 1, 1");
}

__device__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}
/// What was stored may be read by wgmma.
__device__ void show_to_products() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

/// The row and column of sum i of the calling thread.
__device__ int sum_row(int i) {
  const int t = static_cast<int>(threadIdx.x);
  return t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8;
}
__device__ int sum_column(int i) { return i / 4 * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2; }

template <class T, class Sum, int swizzle, bool a_along_k, bool b_along_k>
__global__ void multiply(const T* a, const T* b, const Sum* c, Sum* d, int add) {
  constexpr Layout of_a{swizzle, a_along_k}, of_b{swizzle, b_along_k};
  constexpr int depth = 32 / sizeof(T);
  __shared__ __align__(1024) unsigned char tile_a[16384], tile_b[16384];
  place(tile_a, of_a, a, 64, depth);
  place(tile_b, of_b, b, 8, depth);
  Sum sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = c[sum_row(i) * 8 + sum_column(i)];
  show_to_products();
  begin_products();
  multiply_add<T, a_along_k, b_along_k>(sums, descriptor(tile_a, of_a, 64), descriptor(tile_b, of_b, 8), add);
  end_products();
  for (int i = 0; i < 4; ++i) d[sum_row(i) * 8 + sum_column(i)] = sums[i];
}

namespace {

/// c + a * b, where a has a row and b a column of `depth` numbers after the other.
int expected(const std::vector<int>& a, const std::vector<int>& b, int depth, int row, int column) {
  int sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[static_cast<std::size_t>(row * depth + k)] * b[static_cast<std::size_t>(column * depth + k)];
  return sum;
}

template <class T, class Sum, int swizzle, bool a_along_k, bool b_along_k>
void expect_product(bool add = true) {
  constexpr int depth = 32 / sizeof(T), least = std::is_same_v<T, UnsignedByte> ? 0 : -3;
  const std::vector<int> a = small_numbers(64 * depth, 1, least), b = small_numbers(8 * depth, 2, least);
  const std::vector<int> c = small_numbers(64 * 8, 3, -3);
  const DeviceArray<T> da(numbers<T>(a)), db(numbers<T>(b));
  const DeviceArray<Sum> dc(numbers<Sum>(c)), dd(64 * 8);
  multiply<T, Sum, swizzle, a_along_k, b_along_k>
      <<<1, 128>>>(da.data(), db.data(), dc.data(), dd.data(), add);
  const std::vector<Sum> d = dd.host();
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 8; ++column) {
      const auto i = static_cast<std::size_t>(row * 8 + column);
      ASSERT_EQ(d[i], static_cast<Sum>(expected(a, b, depth, row, column) + (add ? c[i] : 0)))
          << "at " << row << ", " << column << ", swizzle of " << swizzle << " bytes";
    }
}
template <class T, class Sum>
void expect_products_along_k() {
  expect_product<T, Sum, 0, true, true>();
  expect_product<T, Sum, 32, true, true>();
  expect_product<T, Sum, 64, true, true>();
  expect_product<T, Sum, 128, true, true>();
}
template <class T>
void expect_products_across_k() {
  expect_product<T, float, 0, false, false>();
  expect_product<T, float, 0, true, false>();
  expect_product<T, float, 32, false, true>();
  expect_product<T, float, 64, false, true>();
  expect_product<T, float, 128, false, true>();
}

}  // namespace

TEST(DeviceWgmma, ProductsOfHalvesAndBfloat16) {
  expect_products_along_k<__half, float>();
  expect_products_along_k<__nv_bfloat16, float>();
}
TEST(DeviceWgmma, ProductsOfOperandsThatLieAcrossK) {
  expect_products_across_k<__half>();
  expect_products_across_k<__nv_bfloat16>();
}
TEST(DeviceWgmma, ProductsOfTf32) { expect_products_along_k<float, float>(); }
TEST(DeviceWgmma, ProductsOfBytes) {
  expect_products_along_k<Byte, int>();
  expect_products_along_k<UnsignedByte, int>();
}
TEST(DeviceWgmma, ProductsOfEightBitFloats) {
  expect_products_along_k<E4m3, float>();
  expect_products_along_k<E5m2, float>();
}
TEST(DeviceWgmma, WithoutScaleDTheSumsBeginAtZero) { expect_product<__half, float, 128, true, true>(false); }

// --- A from registers, signs, sums of half ---

__global__ void multiply_from_registers(const __half* a, const __half* b, float* d, float* negated,
                                        __half* halves) {
  constexpr Layout of_b{0, true};
  __shared__ __align__(1024) unsigned char tile[1024];
  place(tile, of_b, b, 8, 16);
  show_to_products();
  const int t = static_cast<int>(threadIdx.x);
  __half elements[8];
  for (int i = 0; i < 8; ++i) {
    const int row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8, k = t % 4 * 2 + i / 4 * 8 + i % 2;
    elements[i] = a[row * 16 + k];
  }
  unsigned x[4], half_sums[2] = {};
  memcpy(x, elements, 16);
  float sums[4] = {}, negative[4] = {};
  const std::uint64_t matrix = descriptor(tile, of_b, 8);
  begin_products();
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
      : SUMS4("f", 0)
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(matrix));
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, -1, 0;"
      : "+f"(negative[0]), "+f"(negative[1]), "+f"(negative[2]), "+f"(negative[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(matrix));
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, 1, -1, -1, 0;"
      : "+r"(half_sums[0]), "+r"(half_sums[1])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "l"(matrix));
  end_products();
  __half of_half[4];
  memcpy(of_half, half_sums, 8);
  for (int i = 0; i < 4; ++i) {
    d[sum_row(i) * 8 + sum_column(i)] = sums[i];
    negated[sum_row(i) * 8 + sum_column(i)] = negative[i];
    halves[sum_row(i) * 8 + sum_column(i)] = of_half[i];
  }
}

TEST(DeviceWgmma, AFromRegistersWithSignsAndSumsOfHalf) {
  const std::vector<int> a = small_numbers(64 * 16, 4, -3), b = small_numbers(8 * 16, 5, -3);
  const DeviceArray<__half> da(numbers<__half>(a)), db(numbers<__half>(b)), halves(512);
  const DeviceArray<float> d(512), negated(512);
  multiply_from_registers<<<1, 128>>>(da.data(), db.data(), d.data(), negated.data(), halves.data());
  const std::vector<float> sums = d.host(), negative = negated.host();
  const std::vector<__half> of_half = halves.host();
  for (int i = 0; i < 512; ++i) {
    const auto sum = static_cast<float>(expected(a, b, 16, i / 8, i % 8));
    ASSERT_EQ(sums[static_cast<std::size_t>(i)], sum) << i;
    ASSERT_EQ(negative[static_cast<std::size_t>(i)], -sum) << i;
    ASSERT_EQ(__half2float(of_half[static_cast<std::size_t>(i)]), sum) << i;
  }
}

// --- All columns, two warpgroups, groups ---

// %t0 to %t9.
#define TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define SUMS16(i) SUMS4("f", i), SUMS4("f", (i) + 4), SUMS4("f", (i) + 8), SUMS4("f", (i) + 12)
#define SUMS64(i) SUMS16(i), SUMS16((i) + 16), SUMS16((i) + 32), SUMS16((i) + 48)

// Warpgroup w multiplies row w of two by b, twice; k is 16 each time.
__global__ void multiply_wide(const __half* a, const __half* b, float* d) {
  constexpr Layout of_a{128, true}, of_b{128, false};
  extern __shared__ unsigned char bytes[];
  unsigned char* const tiles = bytes + (1024 - address_of(bytes) % 1024) % 1024;
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  unsigned char *const tile_a = tiles + warpgroup * 8192, *const tile_b = tiles + 2 * 8192;
  for (int i = static_cast<int>(threadIdx.x) % 128; i < 64 * 16; i += 128) {
    const unsigned at = address_of(tile_a) + offset_of<__half>(of_a, 64, i / 16, i % 16);
    *reinterpret_cast<__half*>(tile_a + ((at ^ (at >> 7 & 7u) << 4) - address_of(tile_a))) =
        a[warpgroup * 1024 + i];
  }
  if (warpgroup == 0) place(tile_b, of_b, b, 256, 16);
  show_to_products();
  float sums[128] = {};
  const std::uint64_t matrix_a = descriptor(tile_a, of_a, 64), matrix_b = descriptor(tile_b, of_b, 256);
  begin_products();
  for (int i = 0; i < 2; ++i) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
                     TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
                         TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, 1, 1, 1, 0, 1;"
                 : SUMS64(0), SUMS64(64)
                 : "l"(matrix_a), "l"(matrix_b));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 128; ++i) {
    const int row = warpgroup * 64 + (static_cast<int>(threadIdx.x) % 128) / 32 * 16 +
                    static_cast<int>(threadIdx.x) % 32 / 4 + i / 2 % 2 * 8;
    d[row * 256 + sum_column(i)] = sums[i];
  }
}

TEST(DeviceWgmma, TwoWarpgroupsWithAllColumnsFromDynamicMemory) {
  const std::vector<int> a = small_numbers(128 * 16, 6, -3), b = small_numbers(256 * 16, 7, -3);
  const DeviceArray<__half> da(numbers<__half>(a)), db(numbers<__half>(b));
  const DeviceArray<float> dd(128 * 256);
  const int bytes = 200 * 1024;  // shared addresses of more than 17 bits
  ASSERT_EQ(cudaFuncSetAttribute(multiply_wide, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
            cudaSuccess);
  multiply_wide<<<1, 256, bytes>>>(da.data(), db.data(), dd.data());
  const std::vector<float> d = dd.host();
  for (int row = 0; row < 128; ++row)
    for (int column = 0; column < 256; ++column)
      ASSERT_EQ(d[static_cast<std::size_t>(row * 256 + column)],
                2.0f * static_cast<float>(expected(a, b, 16, row, column)))
          << row << ", " << column;
}

// --- Sums of int at the ends of their range ---

__global__ void saturate(int* out) {
  __shared__ __align__(128) unsigned char ones[64 * 32];
  for (int i = static_cast<int>(threadIdx.x); i < 64 * 32; i += 128) ones[i] = 1;
  show_to_products();
  const std::uint64_t matrix = descriptor(ones, {0, true}, 8), rows = descriptor(ones, {0, true}, 64);
  int wrapped[4] = {0x7fffffff, 0, 0, 0}, sums[4] = {0x7fffffff, 0, 0, 0};
  begin_products();
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, 1;"
               : "+r"(wrapped[0]), "+r"(wrapped[1]), "+r"(wrapped[2]), "+r"(wrapped[3])
               : "l"(rows), "l"(matrix));
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, 1;"
               : SUMS4("r", 0)
               : "l"(rows), "l"(matrix));
  end_products();
  if (threadIdx.x != 77) return;
  out[0] = wrapped[0];
  out[1] = sums[0];
  out[2] = sums[1];
}

TEST(DeviceWgmma, SaturatedSums) {
  const DeviceArray<int> out(3);
  saturate<<<1, 128>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<int>{static_cast<int>(0x80000000u + 31), 0x7fffffff, 32}));
}
