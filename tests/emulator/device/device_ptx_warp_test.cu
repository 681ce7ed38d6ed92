// Inline PTX of whole warps and blocks: mma.sync in every shape, ldmatrix, stmatrix, shuffles, votes and
// barriers. Each lane takes its elements by the index formulas of the PTX ISA; the expected product is a
// plain triple loop. Ordinary CUDA for compute capability 9.0.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

// --- mma.sync ---

// What the shapes differ in: how elements lie in registers, and the instruction. Row and column of element i
// of a lane follow "Matrix fragments for mma" of the PTX ISA; g is the lane's group of 4, t its place in it.
#define FOUR "{%4, %5, %6, %7}"
#define TWO_OF_A "{%4, %5}"
#define TWO "{%8, %9}"
#define ONE "{%8}"

template <class T, int depth, class Sum>
struct Mma;
#define MMA_SHAPE(T, depth, Sum, registers_a, registers_b, types)                               \
  template <>                                                                                   \
  struct Mma<T, depth, Sum> {                                                                   \
    static __device__ void run(Sum (&d)[4], const unsigned* a, const unsigned* b) {             \
      asm volatile("mma.sync.aligned." types " {%0, %1, %2, %3}, " registers_a ", " registers_b \
                   ", {%0, %1, %2, %3};"                                                        \
                   : MMA_SUMS_##Sum                                                             \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));         \
    }                                                                                           \
  };
#define MMA_SUMS_float "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define MMA_SUMS_int "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])

using Byte = signed char;
using UnsignedByte = unsigned char;
MMA_SHAPE(__half, 16, float, FOUR, TWO, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_SHAPE(__half, 8, float, TWO_OF_A, ONE, "m16n8k8.row.col.f32.f16.f16.f32")
MMA_SHAPE(__nv_bfloat16, 16, float, FOUR, TWO, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_SHAPE(__nv_bfloat16, 8, float, TWO_OF_A, ONE, "m16n8k8.row.col.f32.bf16.bf16.f32")
MMA_SHAPE(float, 8, float, FOUR, TWO, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_SHAPE(float, 4, float, TWO_OF_A, ONE, "m16n8k4.row.col.f32.tf32.tf32.f32")
MMA_SHAPE(Byte, 32, int, FOUR, TWO, "m16n8k32.row.col.s32.s8.s8.s32")
MMA_SHAPE(Byte, 16, int, TWO_OF_A, ONE, "m16n8k16.row.col.s32.s8.s8.s32")
MMA_SHAPE(UnsignedByte, 32, int, FOUR, TWO, "m16n8k32.row.col.s32.u8.u8.s32")
MMA_SHAPE(UnsignedByte, 16, int, TWO_OF_A, ONE, "m16n8k16.row.col.s32.u8.u8.s32")

template <class T, int depth, class Sum>
__global__ void multiply(const T* a, const T* b, const Sum* c, Sum* d) {
  constexpr int run = 4 / sizeof(T);  // elements of a register
  const int lane = static_cast<int>(threadIdx.x), g = lane / 4, t = lane % 4;
  T of_a[4 * run] = {}, of_b[2 * run] = {};
  for (int i = 0; i < 16 * depth / 32; ++i) {
    const int word = i / run, row = g + word % 2 * 8, col = (word / 2 * 4 + t) * run + i % run;
    of_a[i] = a[row * depth + col];
  }
  for (int i = 0; i < depth * 8 / 32; ++i) of_b[i] = b[((i / run * 4 + t) * run + i % run) * 8 + g];
  unsigned words_a[4], words_b[2];
  memcpy(words_a, of_a, 16);
  memcpy(words_b, of_b, 8);
  Sum sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = c[(g + i / 2 * 8) * 8 + t * 2 + i % 2];
  Mma<T, depth, Sum>::run(sums, words_a, words_b);
  for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = sums[i];
}

namespace {

// Small integers: every sum of their products is exact.
int small(int i, int seed, int least) { return (i * 7 + i / 5 * 3 + seed) % 7 + least; }

template <class T>
std::vector<T> numbers(int count, int seed) {
  std::vector<T> values;
  const int least = std::is_same_v<T, UnsignedByte> ? 0 : -3;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(static_cast<float>(small(i, seed, least))));
  return values;
}

template <class T, int depth, class Sum>
void expect_product() {
  const std::vector<T> a = numbers<T>(16 * depth, 1), b = numbers<T>(depth * 8, 2);
  const std::vector<Sum> c = numbers<Sum>(128, 3);
  const DeviceArray<T> da(a), db(b);
  const DeviceArray<Sum> dc(c), dd(128);
  multiply<T, depth, Sum><<<1, 32>>>(da.data(), db.data(), dc.data(), dd.data());
  const std::vector<Sum> d = dd.host();
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t col = 0; col < 8; ++col) {
      float sum = static_cast<float>(c[row * 8 + col]);
      for (std::size_t k = 0; k < depth; ++k)
        sum += static_cast<float>(a[row * depth + k]) * static_cast<float>(b[k * 8 + col]);
      ASSERT_EQ(static_cast<float>(d[row * 8 + col]), sum) << "k " << depth << " at " << row << ", " << col;
    }
}

}  // namespace

TEST(DevicePtxWarp, ProductsOfHalvesAndBfloat16) {
  expect_product<__half, 16, float>();
  expect_product<__half, 8, float>();
  expect_product<__nv_bfloat16, 16, float>();
  expect_product<__nv_bfloat16, 8, float>();
}
TEST(DevicePtxWarp, ProductsOfTf32) {
  expect_product<float, 8, float>();
  expect_product<float, 4, float>();
}
TEST(DevicePtxWarp, ProductsOfBytes) {
  expect_product<Byte, 32, int>();
  expect_product<Byte, 16, int>();
  expect_product<UnsignedByte, 32, int>();
  expect_product<UnsignedByte, 16, int>();
}

__global__ void multiply_doubles(const double* a, const double* b, double* d) {
  const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
  double sums[2] = {0.5, 0.5};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sums[0]), "+d"(sums[1])
               : "d"(a[g * 4 + t]), "d"(b[t * 8 + g]));
  for (int i = 0; i < 2; ++i) d[g * 8 + t * 2 + i] = sums[i];
}

TEST(DevicePtxWarp, ProductsOfDoubles) {
  const std::vector<double> a = numbers<double>(32, 1), b = numbers<double>(32, 2);
  const DeviceArray<double> da(a), db(b), dd(64);
  multiply_doubles<<<1, 32>>>(da.data(), db.data(), dd.data());
  const std::vector<double> d = dd.host();
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t col = 0; col < 8; ++col) {
      double sum = 0.5;
      for (std::size_t k = 0; k < 4; ++k) sum += a[row * 4 + k] * b[k * 8 + col];
      EXPECT_EQ(d[row * 8 + col], sum);
    }
}

// Sums of half in two registers, and bytes whose sums saturate.
__global__ void other_sums(unsigned* out) {
  const unsigned ones = 0x3c003c00u, many = 0x7f7f7f7fu;
  unsigned d0 = ones, d1 = ones;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%2, %2}, {%0, %1};"
      : "+r"(d0), "+r"(d1)
      : "r"(ones));
  int sums[4] = {0x7fffffff, 0x7fffffff, 0, 0};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, "
      "%4}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(many));
  if (threadIdx.x != 9) return;
  out[0] = d0;
  out[1] = d1;
  for (int i = 0; i < 4; ++i) out[2 + i] = static_cast<unsigned>(sums[i]);
}

TEST(DevicePtxWarp, SumsOfHalfAndSaturatedSums) {
  const DeviceArray<unsigned> out(6);
  other_sums<<<1, 32>>>(out.data());
  const unsigned sum = 32 * 127 * 127;  // 17 is 0x4c40 in half
  EXPECT_EQ(out.host(),
            (std::vector<unsigned>{0x4c404c40u, 0x4c404c40u, 0x7fffffffu, 0x7fffffffu, sum, sum}));
}

// --- ldmatrix and stmatrix ---

template <int count, bool transposed>
__global__ void load_matrices(unsigned* out) {
  __shared__ __align__(16) unsigned short tile[32][8];  // four matrices; element: 100 row + column
  for (int j = 0; j < 8; ++j) tile[threadIdx.x][j] = static_cast<unsigned short>(100 * threadIdx.x + j);
  __syncthreads();
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(tile[threadIdx.x % (8 * count)]));
  unsigned words[4] = {};
  if constexpr (count == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(words[0]) : "r"(row));
  if constexpr (count == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1])
                 : "r"(row));
  if constexpr (count == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row));
  if constexpr (count == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1])
                 : "r"(row));
  if constexpr (count == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row));
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = words[i];
}

template <int count, bool transposed>
void expect_matrices() {
  const DeviceArray<unsigned> out(128);
  load_matrices<count, transposed><<<1, 32>>>(out.data());
  const std::vector<unsigned> words = out.host();
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      const auto element = [&](unsigned j) {
        const unsigned line = lane / 4, place = lane % 4 * 2 + j;
        return transposed ? 100 * (8 * i + place) + line : 100 * (8 * i + line) + place;
      };
      EXPECT_EQ(words[lane * 4 + i], i < count ? element(0) | element(1) << 16 : 0u)
          << "x" << count << ", lane " << lane << ", matrix " << i;
    }
}

TEST(DevicePtxWarp, MatricesFromSharedMemory) {
  expect_matrices<1, false>();
  expect_matrices<2, false>();
  expect_matrices<4, false>();
  expect_matrices<2, true>();
  expect_matrices<4, true>();
}

template <bool transposed>
__global__ void store_matrices(unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[32][8];
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(tile[threadIdx.x]));
  unsigned words[4];
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned first = 100 * (8 * i + threadIdx.x / 4) + threadIdx.x % 4 * 2;
    words[i] = first | (first + 1) << 16;
  }
  if (transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
                 "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  else
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(words[0]),
                 "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  __syncthreads();
  for (int j = 0; j < 8; ++j) out[threadIdx.x * 8 + j] = tile[threadIdx.x][j];
}

TEST(DevicePtxWarp, MatricesToSharedMemory) {
  const DeviceArray<unsigned short> out(256);
  for (const bool transposed : {false, true}) {
    if (transposed)
      store_matrices<true><<<1, 32>>>(out.data());
    else
      store_matrices<false><<<1, 32>>>(out.data());
    const std::vector<unsigned short> tile = out.host();
    for (unsigned row = 0; row < 32; ++row)
      for (unsigned j = 0; j < 8; ++j)
        EXPECT_EQ(tile[row * 8 + j], transposed ? 100 * (row / 8 * 8 + j) + row % 8 : 100 * row + j);
  }
}

// --- Shuffles, votes, barriers ---

__global__ void exchanges(unsigned* out) {
  const unsigned lane = threadIdx.x;
  unsigned v[14] = {};
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(v[0]) : "r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 0x1f, -1; selp.u32 %1, 1, 0, p; }"
               : "=r"(v[1]), "=r"(v[2])
               : "r"(lane));
  asm volatile("shfl.sync.up.b32 %0, %1, 2, 0, 0xffffffff;" : "=r"(v[3]) : "r"(lane));
  asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x181f, 0xffffffff;" : "=r"(v[4]) : "r"(lane));  // segments of 8
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(v[5])
               : "r"(lane));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, q; }"
               : "=r"(v[6])
               : "r"(lane));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 5; vote.sync.all.pred q, !p, -1; selp.u32 %0, 1, 0, q; }"
      : "=r"(v[7])
      : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(v[8]) : "r"(lane / 8));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(v[9]) : "r"(lane));
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(v[10]) : "r"(lane));
  asm volatile("activemask.b32 %0;" : "=r"(v[11]));
  asm volatile("{ .reg .pred p; .reg .b32 r; elect.sync r|p, -1; selp.u32 %0, 1, 0, p; }" : "=r"(v[12]));
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  asm volatile("nanosleep.u32 20;");
  v[13] = lane;
  for (int i = 0; i < 14; ++i) out[i * 32 + lane] = v[i];
}

TEST(DevicePtxWarp, ShufflesAndVotes) {
  const DeviceArray<unsigned> out(14 * 32);
  exchanges<<<1, 32>>>(out.data());
  const std::vector<unsigned> v = out.host();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned expected[] = {lane ^ 1u,
                                 lane < 28 ? lane + 4 : lane,
                                 lane < 28,
                                 lane < 2 ? lane : lane - 2,
                                 lane / 8 * 8 + 3,
                                 0x1fu,
                                 1,
                                 0,
                                 0xffu << lane / 8 * 8,
                                 496,
                                 31,
                                 0xffffffffu,
                                 lane == 0,
                                 lane};
    for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(v[i * 32 + lane], expected[i]) << i << ", lane " << lane;
  }
}

__global__ void transpose_elements(unsigned* out) {
  const unsigned first = threadIdx.x * 2;  // the elements are their own numbers
  unsigned word;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(word) : "r"((first + 1) << 16 | first));
  out[threadIdx.x] = word;
}

TEST(DevicePtxWarp, TransposesAMatrixInRegisters) {
  const DeviceArray<unsigned> out(32);
  transpose_elements<<<1, 32>>>(out.data());
  const std::vector<unsigned> got = out.host();
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(got[row * 4 + column / 2] >> 16 * (column % 2) & 0xffffu, column * 8 + row);
}

#define MATCH_ALL(lanes, all, x, mask)                                                    \
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.u32 %1, 1, 0, p; }" \
               : "=r"(lanes), "=r"(all)                                                   \
               : "r"(x), "r"(mask))

__global__ void agree(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned v[6];
  MATCH_ALL(v[0], v[1], 7u, 0xffffffffu);
  MATCH_ALL(v[2], v[3], lane, 0xffffffffu);
  MATCH_ALL(v[4], v[5], lane / 16, lane < 16 ? 0xffffu : 0xffff0000u);
  if (threadIdx.x == 60)
    for (int i = 0; i < 6; ++i) out[i] = v[i];
  const unsigned odd = threadIdx.x % 2;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(v[0])
               : "r"(odd)
               : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
      : "=r"(v[1])
      : "r"(odd)
      : "memory");
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(v[2])
               : "r"(odd)
               : "memory");
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 2; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(v[3])
               : "r"(odd)
               : "memory");
  if (threadIdx.x == 60)
    for (int i = 0; i < 4; ++i) out[6 + i] = v[i];
}

TEST(DevicePtxWarp, LanesAndThreadsAgreeOrNot) {
  const DeviceArray<unsigned> out(10);
  agree<<<1, 64>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<unsigned>{~0u, 1, 0, 0, 0xffff0000u, 1, 32, 0, 1, 1}));
}

__global__ void reverse(unsigned* out) {
  __shared__ unsigned tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 0;" ::: "memory");
  const unsigned value = tile[63 - threadIdx.x];
  asm volatile("barrier.sync.aligned 1, 64;" ::: "memory");
  tile[threadIdx.x] = value + 1;
  asm volatile("bar.sync 0; // two of a line\n");
  out[threadIdx.x] = tile[threadIdx.x];
}

TEST(DevicePtxWarp, Barriers) {
  const DeviceArray<unsigned> out(64);
  reverse<<<1, 64>>>(out.data());
  const std::vector<unsigned> got = out.host();
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(got[i], 64 - i);
}

// Two pairs of warps meet at barriers of their own; then one pair brings the other a value by arrive and
// sync.
__global__ void warps_that_meet(unsigned* out) {
  __shared__ unsigned tile[128], ready[64];
  const unsigned t = threadIdx.x, pair = t / 64;
  tile[t] = t;
  asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
  const unsigned partner = tile[pair * 64 + 63 - t % 64];
  if (pair == 0) {
    ready[t] = partner + 1000;
    asm volatile("bar.arrive 15, 128;" ::: "memory");
    out[t] = partner;
  } else {
    asm volatile("barrier.cta.sync.aligned 15, 128;" ::: "memory");
    out[t] = ready[t - 64];
  }
}
// Twice round a ring of two stages: warp 0 fills, warp 1 empties.
__global__ void producer_and_consumer(unsigned* out) {
  __shared__ unsigned stage[2][32];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned full = 2 + i % 2, empty = 4 + i % 2;
    if (threadIdx.x < 32) {
      if (i >= 2) asm volatile("barrier.sync %0, 64;" ::"r"(empty) : "memory");
      stage[i % 2][lane] = 100 * i + lane;
      asm volatile("barrier.arrive %0, 64;" ::"r"(full) : "memory");
    } else {
      asm volatile("barrier.sync %0, 64;" ::"r"(full) : "memory");
      out[32 * i + lane] = stage[i % 2][lane];
      if (i < 2) asm volatile("barrier.arrive %0, 64;" ::"r"(empty) : "memory");
    }
  }
}

TEST(DevicePtxWarp, BarriersOfSomeWarps) {
  const DeviceArray<unsigned> out(128);
  warps_that_meet<<<1, 128>>>(out.data());
  const std::vector<unsigned> got = out.host();
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], 63 - i);
    EXPECT_EQ(got[i + 64], 1063 - i);
  }
  producer_and_consumer<<<1, 64>>>(out.data());
  const std::vector<unsigned> stages = out.host();
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(stages[i], 100 * (i / 32) + i % 32);
}
