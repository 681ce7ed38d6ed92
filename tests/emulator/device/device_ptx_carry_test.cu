// Inline PTX for numbers longer than a register: the carry flag lasts from one asm statement to the next, as
// libraries of large integers take it to. Ordinary CUDA.

#include <cstdint>
#include <random>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr int words = 8;  // of a number, the lowest first

// One instruction in an asm statement of its own.
#define LINK(name, instruction)                                          \
  __device__ unsigned name(unsigned a, unsigned b) {                     \
    unsigned d;                                                          \
    asm volatile(instruction " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
    return d;                                                            \
  }
LINK(first_sum, "add.cc.u32")
LINK(next_sum, "addc.cc.u32")
LINK(first_difference, "sub.cc.u32")
LINK(next_difference, "subc.cc.u32")
#undef LINK

/// Of each pair of numbers the sum with its carry, the difference with its borrow, and the product. Threads
/// of a block work at numbers of their own.
__global__ void calculate(const unsigned* a, const unsigned* b, unsigned* sums, unsigned* differences,
                          unsigned* products) {
  const int i = static_cast<int>(threadIdx.x);
  unsigned x[words], y[words], product[2 * words] = {};
  for (int k = 0; k < words; ++k) {
    x[k] = a[i * words + k];
    y[k] = b[i * words + k];
  }
  unsigned* const sum = sums + i * (words + 1);
  sum[0] = first_sum(x[0], y[0]);
#pragma unroll
  for (int k = 1; k < words; ++k) sum[k] = next_sum(x[k], y[k]);
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(sum[words]));
  unsigned* const difference = differences + i * (words + 1);
  difference[0] = first_difference(x[0], y[0]);
#pragma unroll
  for (int k = 1; k < words; ++k) difference[k] = next_difference(x[k], y[k]);
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(difference[words]));
#pragma unroll
  for (int j = 0; j < words; ++j) {  // the lower halves of a row's products, then the upper ones
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(product[j]) : "r"(x[0]), "r"(y[j]));
#pragma unroll
    for (int k = 1; k < words; ++k)
      asm volatile("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(product[j + k]) : "r"(x[k]), "r"(y[j]));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(product[j + words]));
    asm volatile("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(product[j + 1]) : "r"(x[0]), "r"(y[j]));
#pragma unroll
    for (int k = 1; k < words - 1; ++k)
      asm volatile("madc.hi.cc.u32 %0, %1, %2, %0;" : "+r"(product[j + k + 1]) : "r"(x[k]), "r"(y[j]));
    asm volatile("madc.hi.u32 %0, %1, %2, %0;" : "+r"(product[j + words]) : "r"(x[words - 1]), "r"(y[j]));
  }
  for (int k = 0; k < 2 * words; ++k) products[i * 2 * words + k] = product[k];
}

/// The words of `count` numbers, many of which are all ones or zero, so that carries go far.
std::vector<unsigned> numbers(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> result;
  for (int i = 0; i < count * words; ++i) {
    const unsigned kind = random() % 4;
    result.push_back(kind == 0 ? ~0u : kind == 1 ? 0u : static_cast<unsigned>(random()));
  }
  return result;
}

}  // namespace

TEST(DevicePtxCarry, AddsSubtractsAndMultipliesLongNumbers) {
  constexpr int count = 64;
  const std::vector<unsigned> a = numbers(count, 1), b = numbers(count, 2);
  const DeviceArray<unsigned> da(a), db(b), dsums(count * (words + 1)), ddifferences(count * (words + 1)),
      dproducts(count * 2 * words);
  calculate<<<1, count>>>(da.data(), db.data(), dsums.data(), ddifferences.data(), dproducts.data());
  const std::vector<unsigned> sums = dsums.host(), differences = ddifferences.host(),
                              products = dproducts.host();
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned *const x = &a[i * words], *const y = &b[i * words];
    std::uint64_t carry = 0, borrow = 0, product[2 * words] = {};
    for (std::size_t k = 0; k < words; ++k) {
      carry += std::uint64_t{x[k]} + y[k];
      ASSERT_EQ(sums[i * (words + 1) + k], static_cast<unsigned>(carry)) << i << ", " << k;
      carry >>= 32;
      const std::uint64_t difference = std::uint64_t{x[k]} - y[k] - borrow;
      ASSERT_EQ(differences[i * (words + 1) + k], static_cast<unsigned>(difference)) << i << ", " << k;
      borrow = difference >> 63;
    }
    ASSERT_EQ(sums[i * (words + 1) + words], static_cast<unsigned>(carry)) << i;
    ASSERT_EQ(differences[i * (words + 1) + words], static_cast<unsigned>(0 - borrow)) << i;
    for (std::size_t j = 0; j < words; ++j) {
      std::uint64_t rest = 0;
      for (std::size_t k = 0; k < words; ++k) {
        rest += std::uint64_t{x[k]} * y[j] + product[j + k];
        product[j + k] = static_cast<unsigned>(rest);
        rest >>= 32;
      }
      product[j + words] = rest;
    }
    for (std::size_t k = 0; k < 2 * words; ++k) ASSERT_EQ(products[i * 2 * words + k], product[k]) << i;
  }
}

namespace {

__global__ void calculate_wide(unsigned long long* out) {
  const unsigned long long ones = ~0ull;
  asm volatile(
      "add.cc.u64 %0, %4, 1;\n"
      "addc.cc.u64 %1, %4, 5;\n"  // with the carry of the first
      "addc.u64 %2, 0, 0;\n"
      "sub.cc.u64 %3, 3, 4;\n"
      "subc.u64 %0, %0, 0;"
      : "=&l"(out[0]), "=&l"(out[1]), "=&l"(out[2]), "=&l"(out[3])
      : "l"(ones));
  asm volatile(
      "mad.lo.cc.s64 %0, %2, %2, %2;\n"
      "madc.hi.u64 %1, %2, %2, 0;"
      : "=&l"(out[4]), "=&l"(out[5])
      : "l"(ones));
}

}  // namespace

TEST(DevicePtxCarry, WorksOnWordsOf64Bits) {
  const DeviceArray<unsigned long long> out(6);
  calculate_wide<<<1, 1>>>(out.data());
  // The square of 2^64 - 1 is 1 and 2^64 - 2; 1 + (2^64 - 1) carries.
  EXPECT_EQ(out.host(), (std::vector<unsigned long long>{~0ull, 5, 1, ~0ull, 0, ~0ull}));
}
