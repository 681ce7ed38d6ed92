// 8-bit floats, against the formats' definition.

#include <cuda_fp8.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Computed in double without any bit tricks.
struct Float8Reference {
  __nv_fp8_interpretation_t format;
  int fraction_bits, bias, largest;  ///< the code of the largest finite number
  bool has_infinity;

  double value(int code) const {
    const int size = code & 0x7f, exponent = size >> fraction_bits, fraction = size % (1 << fraction_bits);
    const double magnitude =
        size > largest  ? (has_infinity && size == largest + 1 ? HUGE_VAL : not_a_number)
        : exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                        : std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
    return (code & 0x80) != 0 ? -magnitude : magnitude;
  }

  /// The nearest, of two the even one.
  int code(double x, bool saturates) const {
    if (std::isnan(x)) return 0x7f;
    const double size = std::fabs(x);
    const double step = value(largest) - value(largest - 1);
    int nearest = 0;
    while (nearest < largest && value(nearest + 1) <= size) ++nearest;
    const double above = nearest < largest ? value(nearest + 1) : value(largest) + step;
    const double below = size - value(nearest);
    if (below > above - size || (below == above - size && nearest % 2 == 1)) ++nearest;
    if (nearest > largest) nearest = saturates ? largest : has_infinity ? largest + 1 : 0x7f;
    return nearest | (std::signbit(x) ? 0x80 : 0);
  }
};

constexpr Float8Reference references[] = {{__NV_E4M3, 3, 7, 0x7e, false}, {__NV_E5M2, 2, 15, 0x7b, true}};

struct Widened {
  float of_type, of_half;
  int integer;
  unsigned char byte;
  bool is_true;
};

template <class Type>
__global__ void widen(Widened* out, __nv_fp8_interpretation_t format) {
  Type x;
  x.__x = static_cast<__nv_fp8_storage_t>(threadIdx.x);
  out[threadIdx.x] = {static_cast<float>(x), __half2float(__nv_cvt_fp8_to_halfraw(x.__x, format)),
                      static_cast<int>(x), static_cast<unsigned char>(x), static_cast<bool>(x)};
}

struct Narrowed {
  __nv_fp8_storage_t as_it_is, saturated, of_double, of_type, of_half, of_bfloat16;
};

template <class Type>
__global__ void narrow(const float* x, Narrowed* out, int n, __nv_fp8_interpretation_t format) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  out[i] = {__nv_cvt_float_to_fp8(x[i], __NV_NOSAT, format),
            __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, format),
            __nv_cvt_double_to_fp8(x[i] * (1 + 0x1p-40), __NV_SATFINITE, format),
            Type(x[i]).__x,
            Type(__float2half(x[i])).__x,
            Type(__float2bfloat16(x[i])).__x};
}

template <class Type>
void expect_right(const Float8Reference& reference) {
  const DeviceArray<Widened> widened(256);
  widen<Type><<<1, 256>>>(widened.data(), reference.format);
  const std::vector<Widened> wide = widened.host();
  std::vector<float> numbers;
  for (int code = 0; code < 256; ++code) {
    const double value = reference.value(code);
    const Widened& got = wide[static_cast<std::size_t>(code)];
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(got.of_type) && std::isnan(got.of_half) && got.integer == 0) << code;
      continue;
    }
    EXPECT_EQ(got.of_type, value) << code;
    EXPECT_EQ(got.of_half, value) << code;
    EXPECT_EQ(got.is_true, value != 0) << code;
    if (std::isfinite(value)) {
      EXPECT_EQ(got.integer, static_cast<int>(value)) << code;
      EXPECT_EQ(got.byte, value < 0 ? 0 : value > 255 ? 255 : static_cast<int>(value)) << code;
    }
    const auto x = static_cast<float>(value), next = static_cast<float>(reference.value(code + 1));
    const float middle = x / 2 + next / 2;
    for (const float number : {x, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, HUGE_VALF)})
      numbers.push_back(number);
  }
  std::mt19937 random(8);
  for (int i = 0; i < 20000; ++i)
    numbers.push_back(
        std::ldexp(static_cast<float>(random()) / 0x1p31f - 1, static_cast<int>(random() % 40) - 20));
  for (const float number : {0.0f, -0.0f, 464.0f, 465.0f, 61440.0f, 1e30f, -1e30f, HUGE_VALF})
    numbers.push_back(number);

  const DeviceArray<float> x(numbers);
  const DeviceArray<Narrowed> narrowed(numbers.size());
  const int n = static_cast<int>(numbers.size());
  narrow<Type><<<(n + 255) / 256, 256>>>(x.data(), narrowed.data(), n, reference.format);
  const std::vector<Narrowed> narrow_ones = narrowed.host();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    const Narrowed& got = narrow_ones[i];
    ASSERT_EQ(got.as_it_is, reference.code(number, false)) << number;
    ASSERT_EQ(got.saturated, reference.code(number, true)) << number;
    ASSERT_EQ(got.of_type, reference.code(number, true)) << number;
    if (std::isnan(number)) continue;
    ASSERT_EQ(got.of_double, reference.code(number * (1 + 0x1p-40), true)) << number;
    ASSERT_EQ(got.of_half, reference.code(__half2float(__float2half(numbers[i])), true)) << number;
    ASSERT_EQ(got.of_bfloat16, reference.code(__bfloat162float(__float2bfloat16(numbers[i])), true))
        << number;
  }
}

TEST(DeviceFloat8, E4m3IsReadAndRoundedAsItIsDefined) { expect_right<__nv_fp8_e4m3>(references[0]); }
TEST(DeviceFloat8, E5m2IsReadAndRoundedAsItIsDefined) { expect_right<__nv_fp8_e5m2>(references[1]); }

__global__ void scale(const float* x, __nv_fp8_storage_t* codes, float* back, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  codes[2 * i] = __nv_fp8_e8m0(x[i]).__x;
  codes[2 * i + 1] = __nv_cvt_float_to_e8m0(x[i], __NV_NOSAT, cudaRoundZero);
  back[i] = static_cast<float>(__nv_fp8_e8m0(x[i]));
}

TEST(DeviceFloat8, E8m0IsTheNextPowerOfTwo) {
  const std::vector<float> numbers = {1, -3, 0.75f, 0, 0x1p-127f, 0x1.8p-127f, 0x1.8p127f, HUGE_VALF};
  const DeviceArray<float> x(numbers), back(numbers.size());
  const DeviceArray<__nv_fp8_storage_t> codes(2 * numbers.size());
  scale<<<1, 32>>>(x.data(), codes.data(), back.data(), static_cast<int>(numbers.size()));
  EXPECT_EQ(codes.host(), (std::vector<__nv_fp8_storage_t>{127, 127, 129, 128, 127, 126, 0, 0, 0, 0, 1, 0,
                                                           254, 254, 254, 255}));
  EXPECT_EQ(back.host(), (std::vector<float>{1, 4, 1, 0x1p-127f, 0x1p-127f, 0x1p-126f, 0x1p127f, 0x1p127f}));
}

struct Packed {
  unsigned pair, of_halves, of_bfloat16s, four;
  float2 back;
  float4 all_back;
};

__global__ void pack(Packed* out) {
  const __nv_fp8x4_e4m3 four(float4{1, -2, 0.5f, 1000});
  const __nv_fp8x2_e5m2 pair(float2{1.5f, -3});
  *out = {pair.__x,
          __nv_fp8x2_e4m3(__floats2half2_rn(1, -2)).__x,
          __nv_fp8x2_e4m3(__floats2bfloat162_rn(1, -2)).__x,
          four.__x,
          static_cast<float2>(pair),
          static_cast<float4>(four)};
}

TEST(DeviceFloat8, PairsAndFoursBeginInTheLowerByte) {
  const DeviceArray<Packed> out(1);
  pack<<<1, 1>>>(out.data());
  const Packed got = out.host()[0];
  EXPECT_EQ(got.pair, 0xc23eu);
  EXPECT_EQ(got.of_halves, 0xc038u);
  EXPECT_EQ(got.of_bfloat16s, 0xc038u);
  EXPECT_EQ(got.four, 0x7e30c038u);
  EXPECT_EQ(got.back.x, 1.5f);
  EXPECT_EQ(got.back.y, -3.0f);
  EXPECT_EQ(got.all_back.y, -2.0f);
  EXPECT_EQ(got.all_back.w, 448.0f);
}

}  // namespace
