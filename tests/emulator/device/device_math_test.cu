// Conversions and directed rounding against exact values, and functions against the host's library in double.

#include <math_constants.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

struct Converted {
  int nearest, to_zero, up, down;
  unsigned u_nearest, u_down;
  long long wide_up;
  float back_down, back_up, back_zero;
};

__global__ void convert(const float* in, Converted* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const float x = in[i];
  Converted& c = out[i];
  c.nearest = __float2int_rn(x);
  c.to_zero = __float2int_rz(x);
  c.up = __float2int_ru(x);
  c.down = __float2int_rd(x);
  c.u_nearest = __float2uint_rn(x);
  c.u_down = __float2uint_rd(x);
  c.wide_up = __double2ll_ru(static_cast<double>(x));
  c.back_down = __int2float_rd(0x7fffffff - i);
  c.back_up = __ll2float_ru((1ll << 40) + i);
  c.back_zero = __double2float_rz(-0.1 - i);
}

TEST(DeviceMath, ConversionsRoundAsTheirNamesSayAndSaturate) {
  struct Row {
    float x;
    int nearest, to_zero, up, down;
    unsigned u_nearest, u_down;
    long long wide_up;
  };
  const std::vector<Row> rows{
      {0.5f, 0, 0, 1, 0, 0, 0, 1},
      {1.5f, 2, 1, 2, 1, 2, 1, 2},
      {2.5f, 2, 2, 3, 2, 2, 2, 3},
      {-0.5f, 0, 0, 0, -1, 0, 0, 0},
      {-1.5f, -2, -1, -1, -2, 0, 0, -1},
      {-2.5f, -2, -2, -2, -3, 0, 0, -2},
      {-7.25f, -7, -7, -7, -8, 0, 0, -7},
      {8388607.5f, 8388608, 8388607, 8388608, 8388607, 8388608u, 8388607u, 8388608},
      {3e9f, INT_MAX, INT_MAX, INT_MAX, INT_MAX, 3000000000u, 3000000000u, 3000000000ll},
      {-3e9f, INT_MIN, INT_MIN, INT_MIN, INT_MIN, 0, 0, -3000000000ll},
      {1e20f, INT_MAX, INT_MAX, INT_MAX, INT_MAX, UINT_MAX, UINT_MAX, LLONG_MAX},
      {-1e20f, INT_MIN, INT_MIN, INT_MIN, INT_MIN, 0, 0, LLONG_MIN},
      {std::nanf(""), 0, 0, 0, 0, 0, 0, LLONG_MIN},
  };
  std::vector<float> inputs;
  for (const Row& row : rows) inputs.push_back(row.x);
  const DeviceArray<float> in(inputs);
  const DeviceArray<Converted> out(rows.size());
  convert<<<1, 32>>>(in.data(), out.data(), static_cast<int>(rows.size()));
  const auto got = out.host();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].x);
    EXPECT_EQ(got[i].nearest, rows[i].nearest);
    EXPECT_EQ(got[i].to_zero, rows[i].to_zero);
    EXPECT_EQ(got[i].up, rows[i].up);
    EXPECT_EQ(got[i].down, rows[i].down);
    EXPECT_EQ(got[i].u_nearest, rows[i].u_nearest);
    EXPECT_EQ(got[i].u_down, rows[i].u_down);
    EXPECT_EQ(got[i].wide_up, rows[i].wide_up);
    EXPECT_EQ(got[i].back_down, 2147483520.0f);
    EXPECT_EQ(got[i].back_up, i == 0 ? 0x1p40f : 0x1.000002p40f);
    const double negative = -0.1 - static_cast<double>(i);
    EXPECT_GE(got[i].back_zero, negative);
    EXPECT_LT(std::nextafterf(got[i].back_zero, -INFINITY), negative);
  }
}

constexpr int rounded_results = 20;

__global__ void round_four_ways(const float* in, float* out, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  const float x = in[i], y = in[(i * 7 + 3) % n], z = in[(i * 11 + 5) % n];
  float* row = out + rounded_results * i;
  row[0] = __fadd_rn(x, y), row[1] = __fadd_rz(x, y), row[2] = __fadd_ru(x, y), row[3] = __fadd_rd(x, y);
  row[4] = __fmul_rn(x, y), row[5] = __fmul_rz(x, y), row[6] = __fmul_ru(x, y), row[7] = __fmul_rd(x, y);
  row[8] = __fmaf_rn(x, y, z), row[9] = __fmaf_rz(x, y, z), row[10] = __fmaf_ru(x, y, z),
  row[11] = __fmaf_rd(x, y, z);
  row[12] = __fdiv_rn(x, y), row[13] = __fdiv_rz(x, y), row[14] = __fdiv_ru(x, y), row[15] = __fdiv_rd(x, y);
  row[16] = __fsqrt_rn(fabsf(x)), row[17] = __fsqrt_rz(fabsf(x)), row[18] = __fsqrt_ru(fabsf(x)),
  row[19] = __fsqrt_rd(fabsf(x));
}

TEST(DeviceMath, DirectedRoundingReturnsTheNeighbourOfTheExactValueThatItNames) {
  std::mt19937 random(3);
  std::vector<float> values;
  for (int i = 0; i < 500; ++i) {
    const float fraction = 1.0f + static_cast<float>(random() >> 9) * 0x1p-23f;
    values.push_back(std::ldexp(i % 2 ? fraction : -fraction, static_cast<int>(random() % 7) - 3));
  }
  const int n = static_cast<int>(values.size());
  const DeviceArray<float> in(values), out(rounded_results * values.size());
  round_four_ways<<<5, 100>>>(in.data(), out.data(), n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    const double x = values[i], y = values[(i * 7 + 3) % n], z = values[(i * 11 + 5) % n];
    // Exact in double, but for the quotient and the root: they are too close to no float for that to matter.
    const double exact[5] = {x + y, x * y, std::fma(x, y, z), x / y, std::sqrt(std::fabs(x))};
    for (int what = 0; what < 5; ++what) {
      const float nearest = static_cast<float>(exact[what]);
      const float down = nearest > exact[what] ? std::nextafterf(nearest, -INFINITY) : nearest;
      const float up = nearest < exact[what] ? std::nextafterf(nearest, INFINITY) : nearest;
      const float* row = &got[rounded_results * i + 4 * what];
      ASSERT_EQ(row[0], nearest) << "operation " << what << " of " << x << ", " << y << ", " << z;
      ASSERT_EQ(row[1], exact[what] < 0 ? up : down)
          << "operation " << what << " of " << x << ", " << y << ", " << z;
      ASSERT_EQ(row[2], up) << "operation " << what << " of " << x << ", " << y << ", " << z;
      ASSERT_EQ(row[3], down) << "operation " << what << " of " << x << ", " << y << ", " << z;
    }
  }
}

__global__ void reciprocal_roots(float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __frsqrt_rn(__uint_as_float(__float_as_uint(1.0f) + i));
}

// Of every float from 1 to 4: beyond, only the exponents differ.
TEST(DeviceMath, AReciprocalRootIsTheNearestFloatToTheExactOne) {
  constexpr unsigned count = 1u << 24;
  const DeviceArray<float> out(count);
  reciprocal_roots<<<count / 256, 256>>>(out.data());
  const std::vector<float> got = out.host();
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) {
    // x * 2^23, and the result in units of 2^-25, which are half the distance of floats below 1.
    const unsigned x = (1u << 23 | (i & ((1u << 23) - 1))) << (i >> 23);
    const auto root = static_cast<unsigned long long>(std::ldexp(got[i], 25));
    const auto square_times_x = [&](unsigned long long r) {
      return static_cast<unsigned __int128>(r * r) * x;
    };
    const unsigned __int128 one = static_cast<unsigned __int128>(1) << 73;
    wrong += square_times_x(root - 1) > one || square_times_x(root + 1) < one;
  }
  EXPECT_EQ(wrong, 0u);
}

constexpr int function_results = 24;

__global__ void functions(const float* in, float* out, double* wide, int n) {
  const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  if (i >= n) return;
  const float x = in[i];
  float* f = out + function_results * i;
  double* d = wide + function_results * i;
  const double w = x;
  f[0] = rsqrtf(fabsf(x)), d[0] = rsqrt(fabs(w));
  f[1] = sinpif(x), d[1] = sinpi(w);
  f[2] = cospif(x), d[2] = cospi(w);
  sincospif(x, &f[3], &f[4]);
  sincospi(w, &d[3], &d[4]);
  sincosf(x, &f[5], &f[6]);
  sincos(w, &d[5], &d[6]);
  f[7] = exp10f(x), d[7] = exp10(w);
  f[8] = rcbrtf(x), d[8] = rcbrt(w);
  f[9] = erfinvf(erff(x) * 0.75f), d[9] = erfinv(erf(w) * 0.75);
  f[10] = erfcinvf(erfcf(x)), d[10] = erfcinv(erfc(w));
  f[11] = erfcxf(fabsf(x)), d[11] = erfcx(fabs(w));
  f[12] = normcdff(x), d[12] = normcdf(w);
  f[13] = normcdfinvf(normcdff(x)), d[13] = normcdfinv(normcdf(w));
  f[14] = norm3df(x, 2.0f, 3.0f), d[14] = norm3d(w, 2.0, 3.0);
  f[15] = rnorm4df(x, 1.0f, 2.0f, 3.0f), d[15] = rnorm4d(w, 1.0, 2.0, 3.0);
  f[16] = rhypotf(x, 2.0f), d[16] = rhypot(w, 2.0);
  f[17] = __expf(x), d[17] = exp(w);
  f[18] = __powf(fabsf(x), 1.5f), d[18] = pow(fabs(w), 1.5);
  f[19] = __fdividef(x, 3.0f), d[19] = w / 3.0;
  f[20] = __saturatef(x), d[20] = w < 0 ? 0 : (w > 1 ? 1 : w);
  f[21] = __sinf(x), d[21] = sin(w);
  f[22] = cyl_bessel_i0f(x), d[22] = cyl_bessel_i0(w);
  f[23] = cyl_bessel_i1f(x), d[23] = cyl_bessel_i1(w);
}

/// The modified Bessel function of the first kind, of whole order, by its series.
double bessel_i(int order, double x) {
  double term = order == 0 ? 1 : x / 2, sum = 0;  // order 0 or 1
  for (int k = 1; k < 40; ++k) {
    sum += term;
    term *= x * x / 4 / k / (k + order);
  }
  return sum;
}

TEST(DeviceMath, FunctionsAgreeWithTheHostsInDouble) {
  std::vector<float> values;
  for (int i = -240; i <= 240; ++i)
    if (i != 0) values.push_back(static_cast<float>(i) / 80.0f);
  const int n = static_cast<int>(values.size());
  const DeviceArray<float> in(values), out(function_results * values.size());
  const DeviceArray<double> wide(function_results * values.size());
  functions<<<5, 100>>>(in.data(), out.data(), wide.data(), n);
  const auto narrow = out.host();
  const auto exact = wide.host();
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < n; ++i) {
    const double x = values[i];
    const double tail = std::erf(x) * 0.75;
    const double expected[function_results] = {1 / std::sqrt(std::fabs(x)),
                                               std::sin(pi * x),
                                               std::cos(pi * x),
                                               std::sin(pi * x),
                                               std::cos(pi * x),
                                               std::sin(x),
                                               std::cos(x),
                                               std::pow(10.0, x),
                                               1 / std::cbrt(x),
                                               NAN,  // erfinv: judged below, by its inverse
                                               x,
                                               std::exp(x * x) * std::erfc(std::fabs(x)),
                                               0.5 * std::erfc(-x / std::sqrt(2.0)),
                                               x,
                                               std::sqrt(x * x + 13),
                                               1 / std::sqrt(x * x + 14),
                                               1 / std::sqrt(x * x + 4),
                                               std::exp(x),
                                               std::pow(std::fabs(x), 1.5),
                                               x / 3,
                                               std::min(std::max(x, 0.0), 1.0),
                                               std::sin(x),
                                               bessel_i(0, x),
                                               bessel_i(1, x)};
    for (int what = 0; what < function_results; ++what) {
      const double d = exact[function_results * i + what];
      const float f = narrow[function_results * i + what];
      if (what == 9) {
        EXPECT_NEAR(std::erf(d), tail, 1e-15) << "erfinv at " << x;
        EXPECT_NEAR(f, d, 2e-6) << "erfinvf at " << x;
        continue;
      }
      // The inverses magnify the rounding of their argument, more so in the upper tail.
      const bool inverse = what == 10 || what == 13;
      EXPECT_NEAR(d, expected[what], (inverse ? 1e-11 : 4e-15) * std::max(1.0, std::fabs(expected[what])))
          << "function " << what << " at " << x;
      EXPECT_NEAR(f, expected[what], (inverse ? 2e-3 : 4e-6) * std::max(1.0, std::fabs(expected[what])))
          << "float function " << what << " at " << x;
    }
  }
}

__global__ void special(float* out) {
  out[0] = sinpif(1e10f);
  out[1] = cospif(3.0f);
  out[2] = __fdividef(1.0f, 0x1p127f);
  out[3] = __saturatef(nanf(""));
  out[4] = rsqrtf(0.0f);
  out[5] = erfinvf(1.0f);
  out[6] = max(nanf(""), 2.0f);
  out[7] = static_cast<float>(min(-1, 2u));
  out[8] = static_cast<float>(max(1.5f, 2.5));
  out[9] = __uint_as_float(0x40490fdbu) - CUDART_PI_F;
  out[10] = fminf(CUDART_INF_F, 5.0f);
  out[11] = static_cast<float>(__double2hiint(__hiloint2double(1234, -5)));
  out[12] = __powf(-2.0f, 2.0f);
}

TEST(DeviceMath, SpecialCasesAreCudas) {
  const DeviceArray<float> out(13);
  special<<<1, 1>>>(out.data());
  const auto got = out.host();
  const std::vector<float> expected{0, -1, 0, 0, INFINITY, INFINITY, 2, 2, 2.5f, 0, 5, 1234};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(got[i], expected[i]) << "case " << i;
  EXPECT_TRUE(std::isnan(got[12]));
}

// A file may use namespace std: min and max then still are CUDA's, and mixed types still work.
template <class T>
__device__ T smaller(T a, T b) {
  using namespace std;
  return min(a, b);
}

__global__ void overloads(long long* out) {
  using namespace std;
  static_assert(is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(is_same_v<decltype(max(1.0f, 2.0f)), float>);
  static_assert(is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(is_same_v<decltype(min(1ull, 2ull)), unsigned long long>);
  out[0] = smaller(3, 4);
  out[1] = static_cast<long long>(smaller(3.5f, 4.5f) * 2);
  out[2] = smaller(-3ll, 4ll);
  out[3] = static_cast<long long>(max(static_cast<size_t>(9), static_cast<size_t>(4)));
  out[4] = abs(-5);
  out[5] = static_cast<long long>(abs(-2.5f) * 2);
}

TEST(DeviceMath, OverloadsStayUnambiguousBesideNamespaceStd) {
  const DeviceArray<long long> out(6);
  overloads<<<1, 1>>>(out.data());
  EXPECT_EQ(out.host(), (std::vector<long long>{3, 7, -3, 9, 5, 5}));
}

__global__ void cached(const float4* in, float4* out, const int* in2, int* out2) {
  __stcs(&out[threadIdx.x], __ldg(&in[threadIdx.x]));
  __stwt(&out2[threadIdx.x], __ldcv(&in2[threadIdx.x]) + __ldcg(&in2[threadIdx.x]));
}

TEST(DeviceMath, CacheHintsLoadAndStoreTheSameValues) {
  std::vector<float4> vectors;
  std::vector<int> numbers;
  for (int i = 0; i < 32; ++i) {
    vectors.push_back(make_float4(i, i + 0.25f, i + 0.5f, -i));
    numbers.push_back(i * 1001);
  }
  const DeviceArray<float4> in(vectors), out(32);
  const DeviceArray<int> in2(numbers), out2(32);
  cached<<<1, 32>>>(in.data(), out.data(), in2.data(), out2.data());
  const auto got = out.host();
  const auto sums = out2.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i].y, i + 0.25f);
    EXPECT_EQ(got[i].w, -i);
    EXPECT_EQ(sums[i], 2002 * i);
  }
}

__global__ void wait_a_while(long long* passed) {
  const long long start = clock64();
  while (clock64() - start < 2000) {
  }
  *passed = clock64() - start;
}

TEST(DeviceMath, TheClockAdvancesWhileAThreadWaits) {
  const DeviceArray<long long> passed({0});
  wait_a_while<<<1, 1>>>(passed.data());
  EXPECT_GE(passed.host()[0], 2000);
}
