// __half and __half2, every bit pattern, against the format's definition.

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/emulator/device/float16_reference.hpp"
#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;
using warplab::test::half_reference;
using warplab::test::same_number;

constexpr int patterns = 65536;

__global__ void widen_all(float* values, unsigned short* back) {
  const auto bits = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  const __half h = __ushort_as_half(bits);
  values[bits] = __half2float(h);
  back[bits] = __half_as_ushort(__float2half(values[bits]));
}

TEST(DeviceHalf, EveryPatternWidensExactlyAndComesBack) {
  const DeviceArray<float> values(patterns);
  const DeviceArray<unsigned short> back(patterns);
  widen_all<<<patterns / 256, 256>>>(values.data(), back.data());
  const auto got = values.host();
  const auto bits = back.host();
  for (int i = 0; i < patterns; ++i) {
    const double expected = half_reference.value(static_cast<std::uint16_t>(i));
    ASSERT_TRUE(same_number(got[i], expected))
        << std::hex << i << ": " << got[i] << " instead of " << expected;
    ASSERT_EQ(bits[i], std::isnan(expected) ? 0x7fff : i) << std::hex << i;
  }
}

struct Narrowed {
  __half nearest, to_zero, up, down, from_double;
};

__global__ void narrow(const float* in, Narrowed* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[i] = {__float2half_rn(in[i]), __float2half_rz(in[i]), __float2half_ru(in[i]), __float2half_rd(in[i]),
            __double2half(static_cast<double>(in[i]))};
}

TEST(DeviceHalf, FloatsRoundCorrectlyAroundEveryMidpoint) {
  std::vector<float> values{1e-30f, -1e-30f, 65519.996f, 65520.0f, -65520.0f,
                            1e30f,  -1e30f,  INFINITY,   -INFINITY};
  for (int i = 0; i < 0x7bff; ++i) {  // between a pattern and the next
    const auto low = static_cast<float>(half_reference.value(static_cast<std::uint16_t>(i)));
    const auto high = static_cast<float>(half_reference.value(static_cast<std::uint16_t>(i + 1)));
    const float middle = (low + high) / 2;
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
    const double x = values[i], nearest = half_reference.nearest(x);
    ASSERT_TRUE(same_number(__half2float(got[i].nearest), nearest)) << x;
    ASSERT_TRUE(same_number(__half2float(got[i].from_double), nearest)) << x;
    const double down = __half2float(got[i].down), up = __half2float(got[i].up);
    ASSERT_LE(down, x);
    ASSERT_GE(up, x);
    ASSERT_TRUE(down == nearest || up == nearest) << x;  // the two neighbours of x, one of which is nearest
    const int steps = std::abs(__half_as_short(got[i].up) - __half_as_short(got[i].down));
    ASSERT_TRUE(down == up || steps == 1 || (down < 0 && up == 0) || (down == 0 && up > 0)) << x;
    ASSERT_TRUE(same_number(__half2float(got[i].to_zero), x < 0 ? up : down)) << x;
  }
}

struct Computed {
  __half sum, difference, product, quotient, fused, smallest, largest;
  bool less, equal, unordered;
  __half2 pair;
};

__global__ void compute(const unsigned short* in, Computed* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const __half a = __ushort_as_half(in[i]), b = __ushort_as_half(in[(i * 3 + 1) % n]),
               c = __ushort_as_half(in[n - 1 - i]);
  const __half2 pair = __halves2half2(a, b);
  out[i] = {a + b,
            a - b,
            a * b,
            a / b,
            __hfma(a, b, c),
            __hmin(a, b),
            __hmax(a, b),
            __hlt(a, b),
            __heq(a, b),
            __hneu(a, b),
            __hfma2(pair, pair, __half2half2(c))};
}

TEST(DeviceHalf, ArithmeticIsRoundedOnceAndComparesAsIeeeSays) {
  std::mt19937 random(11);
  std::vector<unsigned short> bits{0,      0x8000, 1,      0x8001, 0x3ff,  0x400, 0x3c00,
                                   0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00};
  while (bits.size() < 256 * 256) bits.push_back(static_cast<unsigned short>(random()));
  const DeviceArray<unsigned short> in(bits);
  const DeviceArray<Computed> out(bits.size());
  compute<<<256, 256>>>(in.data(), out.data());
  const auto got = out.host();
  const std::size_t n = bits.size();
  const auto equals = [](__half h, double exact) {
    return same_number(__half2float(h), half_reference.nearest(exact));
  };
  for (std::size_t i = 0; i < n; ++i) {
    // Sums and products of halves are exact in double; so is the fused result unless it overflows anyway.
    const double a = half_reference.value(bits[i]), b = half_reference.value(bits[(i * 3 + 1) % n]),
                 c = half_reference.value(bits[n - 1 - i]);
    SCOPED_TRACE(testing::Message() << a << ", " << b << ", " << c);
    ASSERT_TRUE(equals(got[i].sum, a + b));
    ASSERT_TRUE(equals(got[i].difference, a - b));
    ASSERT_TRUE(equals(got[i].product, a * b));
    ASSERT_TRUE(equals(got[i].quotient, a / b));
    ASSERT_TRUE(equals(got[i].fused, std::fma(a, b, c)));
    ASSERT_TRUE(equals(__low2half(got[i].pair), std::fma(a, a, c)));
    ASSERT_TRUE(equals(__high2half(got[i].pair), std::fma(b, b, c)));
    ASSERT_EQ(got[i].less, a < b);
    ASSERT_EQ(got[i].equal, a == b);
    ASSERT_EQ(got[i].unordered, !(a == b));
    if (a != b) {  // also where one is NaN
      ASSERT_TRUE(same_number(__half2float(got[i].smallest), std::fmin(a, b)));
      ASSERT_TRUE(same_number(__half2float(got[i].largest), std::fmax(a, b)));
    }
  }
}

__global__ void apply(const float* in, float* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const __half x = in[i];  // converts implicitly, as does the way back
  const __half functions[12] = {hsqrt(x), hrsqrt(x), hrcp(x), hexp(x),   hexp2(x), hlog(x),
                                hlog2(x), hsin(x),   hcos(x), hfloor(x), hceil(x), hrint(x)};
  for (int f = 0; f < 12; ++f) out[12 * i + f] = functions[f];
}

TEST(DeviceHalf, FunctionsAreWithinAStepOfTheHosts) {
  const std::vector<float> values{0.25f, 0.5f, 0.7529296875f, 1.0f, 1.5f, 2.5f, 3.140625f, 7.5f};
  const int n = static_cast<int>(values.size());
  const DeviceArray<float> in(values), out(12 * values.size());
  apply<<<1, 32>>>(in.data(), out.data(), n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    const double x = values[i];
    const double expected[12] = {std::sqrt(x), 1 / std::sqrt(x), 1 / x,        std::exp(x),
                                 std::exp2(x), std::log(x),      std::log2(x), std::sin(x),
                                 std::cos(x),  std::floor(x),    std::ceil(x), std::nearbyint(x)};
    for (int f = 0; f < 12; ++f)
      EXPECT_NEAR(got[12 * i + f], expected[f], 0x1p-10 * std::fabs(expected[f]) + 2e-6)
          << "function " << f << " of " << x;
  }
}

struct Integers {
  int nearest, to_zero, up, down;
  long long wide;
  __half from_int, from_int_down, from_wide;
};

__global__ void to_integers(const float* in, const int* numbers, Integers* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const __half x = __float2half(in[i]);
  out[i] = {__half2int_rn(x),          __half2int_rz(x),
            __half2int_ru(x),          __half2int_rd(x),
            __half2ll_rz(x),           __int2half_rn(numbers[i]),
            __int2half_rd(numbers[i]), __ll2half_rn(1ll * numbers[i] * numbers[i])};
}

TEST(DeviceHalf, IntegersConvertAtTiesAndLimits) {
  const std::vector<float> values{2.5f, -2.5f, 3.5f, -0.5f, 65504.0f};
  const std::vector<int> numbers{2049, 2051, -2049, 65519, 65520};
  const DeviceArray<float> in(values);
  const DeviceArray<int> device_numbers(numbers);
  const DeviceArray<Integers> out(values.size());
  to_integers<<<1, 32>>>(in.data(), device_numbers.data(), out.data(), 5);
  const auto got = out.host();
  const int nearest[] = {2, -2, 4, 0, 65504}, to_zero[] = {2, -2, 3, 0, 65504}, up[] = {3, -2, 4, 0, 65504},
            down[] = {2, -3, 3, -1, 65504};
  const float from[] = {2048, 2052, -2048, 65504, INFINITY}, from_down[] = {2048, 2050, -2050, 65504, 65504};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(got[i].nearest, nearest[i]);
    EXPECT_EQ(got[i].to_zero, to_zero[i]);
    EXPECT_EQ(got[i].up, up[i]);
    EXPECT_EQ(got[i].down, down[i]);
    EXPECT_EQ(got[i].wide, to_zero[i]);
    EXPECT_EQ(__half2float(got[i].from_int), from[i]);
    EXPECT_EQ(__half2float(got[i].from_int_down), from_down[i]);
    EXPECT_EQ(__half2float(got[i].from_wide), INFINITY);
  }
}

__global__ void pairs(float* out) {
  __half2 x = __floats2half2_rn(1.5f, -2.0f);
  const __half2 y = __float2half2_rn(0.5f);
  x = x * y + y;  // (1.25, -0.5)
  x += y;         // (1.75, 0)
  const float2 f = __half22float2(x);
  out[0] = f.x, out[1] = f.y;
  out[2] = __low2float(__lowhigh2highlow(x));
  out[3] = __high2float(__hsub2(x, y));
  out[4] = __hbgt2(x, y), out[5] = __hbge2(__hmul2(y, y), y);
  out[6] = __low2float(__hgt2(x, y)), out[7] = __high2float(__hgt2(x, y));
  out[8] = __half2float(__hadd_sat(__high2half(x), __low2half(x)));
  __half h = 3;
  ++h;
  h -= __half(0.5f);
  out[9] = h;
  out[10] = static_cast<float>(static_cast<int>(h)) + (h > __half(3.0f) ? 0.5f : 0.0f);
  out[11] = __half2float(__shfl_xor_sync(1u, h, 0)) + __low2float(__shfl_sync(1u, x, 0));
}

TEST(DeviceHalf, PairsAndOperatorsWorkOnBothHalves) {
  const DeviceArray<float> out(12);
  pairs<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<float>{1.75f, 0, 0, -0.5f, 0, 0, 1, 0, 1, 3.5f, 3.5f, 5.25f}));
}
