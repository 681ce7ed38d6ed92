// Complex numbers in kernels, against std::complex of the host's library.
#include <cuComplex.h>

#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

struct Results {
  cuDoubleComplex sum, difference, product, quotient, fused, conjugate;
  double magnitude;
  cuFloatComplex product_f, quotient_f, fused_f;
  float magnitude_f;
};

__global__ void compute(const cuDoubleComplex* in, Results* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const cuDoubleComplex a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  const cuFloatComplex fa = cuComplexDoubleToFloat(a), fb = cuComplexDoubleToFloat(b);
  out[i] = {cuCadd(a, b),    cuCsub(a, b),
            cuCmul(a, b),    cuCdiv(a, b),
            cuCfma(a, b, c), cuConj(a),
            cuCabs(a),       cuCmulf(fa, fb),
            cuCdivf(fa, fb), cuCfmaf(fa, fb, cuComplexDoubleToFloat(c)),
            cuCabsf(fa)};
}

using Complex = std::complex<double>;

void expect_near(cuDoubleComplex got, Complex expected, double scale) {
  EXPECT_LE(std::abs(Complex(cuCreal(got), cuCimag(got)) - expected), 1e-15 * scale);
}
void expect_near(cuFloatComplex got, Complex expected, double scale) {
  EXPECT_LE(std::abs(Complex(cuCrealf(got), cuCimagf(got)) - expected), 1e-6 * scale);
}

TEST(DeviceComplex, FunctionsAgreeWithTheLibraryOfTheHost) {
  constexpr int n = 200;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-20, 20);
  const auto draw = [&] {
    return static_cast<double>(static_cast<float>(std::ldexp(mantissa(random), exponent(random))));
  };
  std::vector<cuDoubleComplex> in(3 * n);
  for (cuDoubleComplex& z : in) {
    const double re = draw();
    z = make_cuDoubleComplex(re, draw());
  }
  DeviceArray<cuDoubleComplex> device_in(in);
  DeviceArray<Results> device_out(n);
  compute<<<1, n>>>(device_in.data(), device_out.data(), n);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<Results> out = device_out.host();
  for (int i = 0; i < n; ++i) {
    const auto number = [&](int k) { return Complex(in[3 * i + k].x, in[3 * i + k].y); };
    const Complex a = number(0), b = number(1), c = number(2);
    const Results& r = out[static_cast<std::size_t>(i)];
    const double product = std::abs(a) * std::abs(b);
    expect_near(r.sum, a + b, std::abs(a) + std::abs(b));
    expect_near(r.difference, a - b, std::abs(a) + std::abs(b));
    expect_near(r.product, a * b, product);
    expect_near(r.quotient, a / b, 2 * std::abs(a) / std::abs(b));
    expect_near(r.fused, a * b + c, product + std::abs(c));
    expect_near(r.conjugate, std::conj(a), 0);
    EXPECT_NEAR(r.magnitude, std::abs(a), 1e-15 * std::abs(a));
    expect_near(r.product_f, a * b, product);
    expect_near(r.quotient_f, a / b, 2 * std::abs(a) / std::abs(b));
    expect_near(r.fused_f, a * b + c, product + std::abs(c));
    EXPECT_NEAR(r.magnitude_f, std::abs(a), 1e-6 * std::abs(a));
  }
}

TEST(DeviceComplex, LargePartsDoNotOverflow) {
  const cuFloatComplex large = make_cuComplex(1e30f, 1e30f);  // whose squares do
  const cuFloatComplex one = cuCdivf(large, large);
  EXPECT_FLOAT_EQ(cuCrealf(one), 1);
  EXPECT_FLOAT_EQ(cuCimagf(one), 0);
  EXPECT_FLOAT_EQ(cuCabsf(make_cuFloatComplex(3e30f, -4e30f)), 5e30f);
  EXPECT_EQ(cuCreal(cuComplexFloatToDouble(make_cuFloatComplex(0.5f, 2))), 0.5);
}
