// __nv_bfloat16 and __nv_bfloat162, every bit pattern, against the format's definition.

#include <cuda_bf16.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/emulator/device/float16_reference.hpp"
#include "tests/emulator/device_array.hpp"

using warplab::test::bfloat16_reference;
using warplab::test::DeviceArray;
using warplab::test::same_number;

constexpr int patterns = 65536;

__global__ void widen_all(float* values, unsigned short* back) {
  const auto bits = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  values[bits] = __bfloat162float(__ushort_as_bfloat16(bits));
  back[bits] = __bfloat16_as_ushort(__float2bfloat16(values[bits]));
}

TEST(DeviceBfloat16, EveryPatternWidensExactlyAndComesBack) {
  const DeviceArray<float> values(patterns);
  const DeviceArray<unsigned short> back(patterns);
  widen_all<<<patterns / 256, 256>>>(values.data(), back.data());
  const auto got = values.host();
  const auto bits = back.host();
  for (int i = 0; i < patterns; ++i) {
    const double expected = bfloat16_reference.value(static_cast<std::uint16_t>(i));
    ASSERT_TRUE(same_number(got[i], expected))
        << std::hex << i << ": " << got[i] << " instead of " << expected;
    ASSERT_EQ(bits[i], std::isnan(expected) ? 0x7fff : i) << std::hex << i;
  }
}

struct Narrowed {
  __nv_bfloat16 nearest, to_zero, up, down;
};

__global__ void narrow(const float* in, Narrowed* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[i] = {__float2bfloat16_rn(in[i]), __float2bfloat16_rz(in[i]), __float2bfloat16_ru(in[i]),
            __float2bfloat16_rd(in[i])};
}

TEST(DeviceBfloat16, FloatsRoundCorrectlyAroundEveryMidpoint) {
  std::vector<float> values{INFINITY, -INFINITY, 3.4e38f, -3.4e38f};
  for (int i = 0; i < 0x7f7f; ++i) {  // between a pattern and the next
    const auto low = static_cast<float>(bfloat16_reference.value(static_cast<std::uint16_t>(i)));
    const auto high = static_cast<float>(bfloat16_reference.value(static_cast<std::uint16_t>(i + 1)));
    const auto middle = static_cast<float>((static_cast<double>(low) + high) / 2);
    const float sign = i % 2 ? -1.0f : 1.0f;
    for (float x : {middle, std::nextafter(middle, low), std::nextafter(middle, high)})
      values.push_back(sign * x);
  }
  const int n = static_cast<int>(values.size());
  const DeviceArray<float> in(values);
  const DeviceArray<Narrowed> out(values.size());
  narrow<<<(n + 255) / 256, 256>>>(in.data(), out.data(), n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    const double x = values[i], nearest = bfloat16_reference.nearest(x);
    const double down = __bfloat162float(got[i].down), up = __bfloat162float(got[i].up);
    ASSERT_TRUE(same_number(__bfloat162float(got[i].nearest), nearest)) << x;
    ASSERT_LE(down, x);
    ASSERT_GE(up, x);
    ASSERT_TRUE(down == nearest || up == nearest) << x;
    ASSERT_TRUE(down == up || down == x || up == x || (down < x && x < up)) << x;
    ASSERT_TRUE(same_number(__bfloat162float(got[i].to_zero), x < 0 ? up : down)) << x;
  }
}

struct Computed {
  __nv_bfloat16 sum, product, quotient, fused, largest;
  bool less, unordered;
  __nv_bfloat162 pair;
};

__global__ void compute(const unsigned short* in, Computed* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const __nv_bfloat16 a = __ushort_as_bfloat16(in[i]), b = __ushort_as_bfloat16(in[(i * 3 + 1) % n]),
                      c = __ushort_as_bfloat16(in[n - 1 - i]);
  const __nv_bfloat162 pair = __halves2bfloat162(a, b);
  out[i] = {a + b, a * b, a / b, __hfma(a, b, c), __hmax(a, b), __hlt(a, b), __hneu(a, b), pair * pair};
}

TEST(DeviceBfloat16, ArithmeticIsRoundedOnceAndComparesAsIeeeSays) {
  // Exponents near each other: sums and fused results are then exact in double.
  std::mt19937 random(11);
  std::vector<unsigned short> bits{0, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0};
  while (bits.size() < 256 * 256) bits.push_back(static_cast<unsigned short>((random() & 0x87ffu) | 0x3800u));
  const DeviceArray<unsigned short> in(bits);
  const DeviceArray<Computed> out(bits.size());
  compute<<<256, 256>>>(in.data(), out.data());
  const auto got = out.host();
  const std::size_t n = bits.size();
  const auto equals = [](__nv_bfloat16 h, double exact) {
    return same_number(__bfloat162float(h), bfloat16_reference.nearest(exact));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double a = bfloat16_reference.value(bits[i]), b = bfloat16_reference.value(bits[(i * 3 + 1) % n]),
                 c = bfloat16_reference.value(bits[n - 1 - i]);
    SCOPED_TRACE(testing::Message() << a << ", " << b << ", " << c);
    ASSERT_TRUE(equals(got[i].sum, a + b));
    ASSERT_TRUE(equals(got[i].product, a * b));
    ASSERT_TRUE(equals(got[i].quotient, a / b));
    ASSERT_TRUE(equals(got[i].fused, std::fma(a, b, c)));
    ASSERT_TRUE(equals(__low2bfloat16(got[i].pair), a * a));
    ASSERT_TRUE(equals(__high2bfloat16(got[i].pair), b * b));
    ASSERT_EQ(got[i].less, a < b);
    ASSERT_EQ(got[i].unordered, !(a == b));
    if (a != b) {
      ASSERT_TRUE(same_number(__bfloat162float(got[i].largest), std::fmax(a, b)));
    }
  }
}

__global__ void mixed(float* out) {
  const __nv_bfloat16 x = 2.5f;
  out[0] = static_cast<float>(hsqrt(x * x));
  out[1] = __bfloat162float(__ll2bfloat16_rn((1ll << 40) + (1ll << 32) + 1));  // just above a midpoint
  out[2] = __bfloat162float(__ll2bfloat16_rn((1ll << 40) + (1ll << 32)));      // a midpoint: to even
  out[3] = static_cast<float>(__bfloat162int_rn(x));
  out[4] = __bfloat162float(__int2bfloat16_rd(-257));
  const float2 pair = __bfloat1622float2(
      __hfma2(__float2bfloat162_rn(2.0f), __floats2bfloat162_rn(1.0f, -3.0f), __float2bfloat162_rn(0.5f)));
  out[5] = pair.x, out[6] = pair.y;
  // The products 261 and 267 are midpoints; an addend far below decides, and must not be lost.
  const __nv_bfloat16 little = 0x1p-60f;
  out[7] = __hfma(__nv_bfloat16(3.0f), __nv_bfloat16(87.0f), little);
  out[8] = __hfma(__nv_bfloat16(3.0f), __nv_bfloat16(89.0f), -little);
}

__global__ void add_ones(__nv_bfloat16* sum, __nv_bfloat162* pair) {
  atomicAdd(sum, __float2bfloat16(1.0f));
  atomicAdd(pair, __floats2bfloat162_rn(1.0f, 2.0f));
}

TEST(DeviceBfloat16, ConversionsFunctionsAndAtomicsWork) {
  const DeviceArray<float> out(9);
  mixed<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(),
            (std::vector<float>{2.5f, 0x1p40f + 0x1p33f, 0x1p40f, 2, -258, 2.5f, -5.5f, 262, 266}));
  const DeviceArray<__nv_bfloat16> sum({__float2bfloat16(0.0f)});
  const DeviceArray<__nv_bfloat162> pair({__floats2bfloat162_rn(0.0f, 0.0f)});
  add_ones<<<2, 64>>>(sum.data(), pair.data());
  EXPECT_EQ(__bfloat162float(sum.host()[0]), 128.0f);
  EXPECT_EQ(__low2float(pair.host()[0]), 128.0f);
  EXPECT_EQ(__high2float(pair.host()[0]), 256.0f);
}
