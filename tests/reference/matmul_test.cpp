// The oracle of lab 09, on literals small enough to check by hand, against the definition, and Freivalds'
// check against D itself.
#include "reference/matmul.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/host/bfloat16.hpp"
#include "common/host/half.hpp"

namespace warplab::reference {
namespace {

template <class T, class Sum>
struct Matrices {
  std::vector<T> a, b;
  std::vector<Sum> c;
  MatmulProduct<T, Sum> product(std::int64_t m, std::int64_t n, std::int64_t k, Sum alpha, Sum beta,
                                std::int64_t pad = 0) const {
    return {a.data(), b.data(), c.data(), m, n, k, k + pad, n + pad, n + pad, alpha, beta};
  }
};

/// Small whole numbers that differ from element to element.
template <class T>
std::vector<T> numbers(std::int64_t count, int start) {
  std::vector<T> values(static_cast<std::size_t>(count));
  int x = start;
  for (T& value : values) {
    x = (x * 37 + 11) % 101;
    if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(x % 13);
    else
      value = T(static_cast<double>(x % 13 - 6));
  }
  return values;
}

TEST(MatmulReference, MultipliesALiteral) {
  // (1 2 3)   (7 8)     ( 58  64)
  // (4 5 6) * (9 10)  = (139 154), of which 2 times, and 3 times C
  //           (11 12)
  const Matrices<int, int> in{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {1, 0, 0, -1}};
  std::vector<std::uint32_t> d(4);
  matmul(in.product(2, 2, 3, 1, 0), d.data());
  EXPECT_EQ(d, (std::vector<std::uint32_t>{58, 64, 139, 154}));
  matmul(in.product(2, 2, 3, 2, 3), d.data());
  EXPECT_EQ(d, (std::vector<std::uint32_t>{119, 128, 278, 305}));
  std::vector<std::uint32_t> row(2);
  matmul_row(in.product(2, 2, 3, 2, 3), 1, row.data());
  EXPECT_EQ(row, (std::vector<std::uint32_t>{278, 305}));
}

TEST(MatmulReference, SkipsWhatLiesBetweenRows) {
  constexpr double gap = NAN;
  const Matrices<double, double> in{{1, 2, gap, 3, 4, gap}, {5, 6, gap, 7, 8, gap}, {1, 1, gap, 1, 1, gap}};
  std::vector<double> d(4);
  matmul(in.product(2, 2, 2, 1, 10, 1), d.data());
  EXPECT_EQ(d, (std::vector<double>{29, 32, 53, 60}));
}

TEST(MatmulReference, SumsNothingToZeroAndReadsNoCWithoutBeta) {
  const Matrices<float, float> in{{}, {}, {4, 5}};
  std::vector<double> d{9, 9};
  matmul(in.product(1, 2, 0, 1, 2), d.data());
  EXPECT_EQ(d, (std::vector<double>{8, 10}));
  auto without = in.product(1, 2, 0, 1, 0);
  without.c = nullptr;
  matmul(without, d.data());
  EXPECT_EQ(d, (std::vector<double>{0, 0}));
}

TEST(MatmulReference, WrapsIntModulo2To32) {
  const Matrices<int, int> in{{65536, 2147483647}, {65536, 2}, {}};
  std::vector<std::uint32_t> d(1);
  matmul(in.product(1, 1, 2, 1, 0), d.data());
  EXPECT_EQ(d[0], 4294967294u);  // 2^32 + 2 (2^31 - 1)
}

TEST(MatmulReference, TakesBytesOfEitherSign) {
  const Matrices<std::int8_t, int> with_sign{{-128, 127}, {-128, 127}, {}};
  const Matrices<std::uint8_t, int> without{{255, 128}, {255, 2}, {}};
  std::vector<std::uint32_t> d(1);
  matmul(with_sign.product(1, 1, 2, 1, 0), d.data());
  EXPECT_EQ(d[0], 16384u + 16129u);
  matmul(without.product(1, 1, 2, 1, 0), d.data());
  EXPECT_EQ(d[0], 65025u + 256u);
}

template <class T, class Sum>
void check_against_the_definition() {
  constexpr std::int64_t m = 5, n = 7, k = 6, pad = 2;
  const Matrices<T, Sum> in{numbers<T>(m * (k + pad), 3), numbers<T>(k * (n + pad), 5),
                            numbers<Sum>(m * (n + pad), 7)};
  const auto p = in.product(m, n, k, Sum(2), Sum(-3), pad);
  std::vector<MatmulExact<T>> d(m * n);
  std::vector<Sum> cpu(m * (n + pad)), many(m * (n + pad));
  matmul(p, d.data());
  EXPECT_TRUE(matmul_baseline(p, cpu.data(), n + pad, 1));
  const bool parallel = matmul_baseline(p, many.data(), n + pad, 2);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += double(float(p.a[i * p.lda + l])) * double(float(p.b[l * p.ldb + j]));
      const double right = 2 * sum - 3 * static_cast<double>(p.c[i * p.ldc + j]);
      EXPECT_EQ(static_cast<double>(static_cast<Sum>(d[static_cast<std::size_t>(i * n + j)])), right);
      EXPECT_EQ(static_cast<double>(cpu[static_cast<std::size_t>(i * (n + pad) + j)]), right);
      if (parallel) {
        EXPECT_EQ(static_cast<double>(many[static_cast<std::size_t>(i * (n + pad) + j)]), right);
      }
    }
}

TEST(MatmulReference, IsTheDefinitionForEveryType) {
  check_against_the_definition<std::uint8_t, int>();
  check_against_the_definition<std::int8_t, int>();
  check_against_the_definition<int, int>();
  check_against_the_definition<Half, float>();
  check_against_the_definition<Bfloat16, float>();
  check_against_the_definition<float, float>();
  check_against_the_definition<double, double>();
}

template <class T, class Sum>
void check_freivalds() {
  constexpr std::int64_t m = 4, n = 9, k = 5, pad = 1;
  const Matrices<T, Sum> in{numbers<T>(m * (k + pad), 1), numbers<T>(k * (n + pad), 2),
                            numbers<Sum>(m * (n + pad), 4)};
  const auto p = in.product(m, n, k, Sum(3), Sum(2), pad);
  std::vector<Sum> d(m * (n + pad));
  ASSERT_TRUE(matmul_baseline(p, d.data(), n + pad, 1));
  std::vector<MatmulExact<Sum>> x(n * freivalds_vectors), with(m * freivalds_vectors),
      without(m * freivalds_vectors);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<MatmulExact<Sum>>(i * 7 % 5);
  matmul_applied(p, x.data(), without.data());
  matrix_applied(d.data(), m, n, n + pad, x.data(), with.data());
  EXPECT_EQ(with, without);
  d[static_cast<std::size_t>(2 * (n + pad) + 3)] += Sum(1);  // one wrong element shows only in its row
  matrix_applied(d.data(), m, n, n + pad, x.data(), with.data());
  for (std::int64_t i = 0; i < m; ++i)
    EXPECT_EQ(with[static_cast<std::size_t>(i * freivalds_vectors)] !=
                  without[static_cast<std::size_t>(i * freivalds_vectors)],
              i == 2);
}

TEST(MatmulReference, FreivaldsVectorsMeetDTimesXWithoutD) {
  check_freivalds<std::int8_t, int>();
  check_freivalds<int, int>();
  check_freivalds<Half, float>();
  check_freivalds<Bfloat16, float>();
  check_freivalds<float, float>();
  check_freivalds<double, double>();
}

}  // namespace
}  // namespace warplab::reference
