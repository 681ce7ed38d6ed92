// The oracle of lab 10: literals that can be checked by hand, formulas against sums one by one, and the rules
// against their known orders.
#include "reference/riemann.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <stdexcept>

namespace warplab::reference {
namespace {

using enum QuadratureRule;

constexpr Integrand exp_sin{IntegrandKind::exp_sin, 0}, sin_square{IntegrandKind::sin_square, 0},
    kinked{IntegrandKind::kinked, 3}, root{IntegrandKind::root, 0}, linear{IntegrandKind::linear, 0},
    constant{IntegrandKind::constant, 0.5L};
constexpr QuadratureRule rules[] = {left, right, midpoint, trapezoid, simpson, romberg};

TEST(RiemannReference, SumsOfALineAreDoneByHand) {
  // f(x) = x on [0, 4] with 4 intervals: left 0 + 1 + 2 + 3, right 1 + 2 + 3 + 4, all others exact.
  EXPECT_EQ(rule_sum(linear, 0, 4, 4, left), 6);
  EXPECT_EQ(rule_sum(linear, 0, 4, 4, right), 10);
  for (const QuadratureRule rule : {midpoint, trapezoid, simpson, romberg})
    EXPECT_EQ(rule_sum(linear, 0, 4, 4, rule), 8);
  EXPECT_EQ(integral(linear, 0, 4), 8);
}

TEST(RiemannReference, SumsOfAKinkAreDoneByHand) {
  // |x - 3| on [0, 4]: 3 2 1 0 | 1 from the left. Its integral is 9/2 + 1/2.
  EXPECT_EQ(rule_sum(kinked, 0, 4, 4, left), 6);
  EXPECT_EQ(rule_sum(kinked, 0, 4, 4, right), 4);
  EXPECT_EQ(rule_sum(kinked, 0, 4, 4, midpoint), 5);
  EXPECT_EQ(rule_sum(kinked, 0, 4, 4, trapezoid), 5);
  EXPECT_EQ(rule_sum(kinked, 0, 4, 1, trapezoid), 8);
  EXPECT_EQ(integral(kinked, 0, 4), 5);
}

TEST(RiemannReference, AConstantHasNoErrorOfTheRule) {
  for (const QuadratureRule rule : rules)
    for (const std::int64_t n : {1, 2, 7})
      EXPECT_NEAR(static_cast<double>(rule_sum(constant, -1, 3, n, rule)), 2, 1e-17);
  EXPECT_EQ(integral(constant, -1, 3), 2);
}

TEST(RiemannReference, OneIntervalIsTheTextbooksFormula) {
  // sqrt on [0, 1]: (sqrt 0 + 4 sqrt 1/2 + sqrt 1) / 6.
  EXPECT_NEAR(static_cast<double>(rule_sum(root, 0, 1, 1, simpson)), (4 * std::sqrt(0.5) + 1) / 6, 1e-15);
  // Romberg with one interval is a sum of 17 points; of e^x sin x on [0, 1] it has the integral to 11 digits.
  EXPECT_NEAR(static_cast<double>(rule_sum(exp_sin, 0, 1, 1, romberg) / integral(exp_sin, 0, 1)), 1, 1e-11);
}

TEST(RiemannReference, KnowsPublishedIntegrals) {
  EXPECT_NEAR(static_cast<double>(integral(exp_sin, 0, 10)), 3249.95897197060, 1e-10);
  EXPECT_NEAR(static_cast<double>(integral(sin_square, 0, 1)), 0.310268301723381101808, 1e-16);
  EXPECT_NEAR(static_cast<double>(integral(sin_square, 0, 10)), 0.583670899929623, 1e-13);
  EXPECT_NEAR(static_cast<double>(integral(root, 0, 9)), 18, 1e-15);
  EXPECT_EQ(integral(sin_square, 2, 2), 0);
}

TEST(RiemannReference, FormulasAgreeWithSumsOneByOne) {
  for (const Integrand& f : {exp_sin, sin_square, kinked, root, linear, constant})
    for (const QuadratureRule rule : rules)
      for (const std::int64_t n : {20'000, 65'537}) {
        if (rule == romberg && n > 20'000) continue;
        const long double by_formula = rule_sum_by(Method::by_formula, f, 0.5, 9.25, n, rule),
                          one_by_one = rule_sum_by(Method::one_by_one, f, 0.5, 9.25, n, rule);
        EXPECT_NEAR(static_cast<double>((by_formula - one_by_one) / one_by_one), 0, 2e-17)
            << static_cast<int>(f.kind) << ", rule " << static_cast<int>(rule) << ", n " << n;
      }
}

TEST(RiemannReference, ARootFromZeroHasAFormulaToo) {
  for (const QuadratureRule rule : {left, right, midpoint, trapezoid}) {
    const long double by_formula = rule_sum_by(Method::by_formula, root, 0, 10, 100'003, rule),
                      one_by_one = rule_sum_by(Method::one_by_one, root, 0, 10, 100'003, rule);
    EXPECT_NEAR(static_cast<double>(by_formula / one_by_one - 1), 0, 1e-17) << static_cast<int>(rule);
  }
}

TEST(RiemannReference, ErrorsOfRulesFallWithTheirOrders) {
  const auto ratio = [](QuadratureRule rule) {  // of the errors of n and 2n
    const long double exact = integral(exp_sin, 0, 1);
    return static_cast<double>((rule_sum(exp_sin, 0, 1, 64, rule) - exact) /
                               (rule_sum(exp_sin, 0, 1, 128, rule) - exact));
  };
  EXPECT_NEAR(ratio(left), 2, 0.02);
  EXPECT_NEAR(ratio(right), 2, 0.02);
  EXPECT_NEAR(ratio(midpoint), 4, 0.01);
  EXPECT_NEAR(ratio(trapezoid), 4, 0.01);
  EXPECT_NEAR(ratio(simpson), 16, 0.01);
  const long double error = rule_sum(exp_sin, 0, 10, 1000, left) - integral(exp_sin, 0, 10);
  EXPECT_NEAR(static_cast<double>(error), 59.66, 0.01);  // about -width (f(10) - f(0)) / 2
}

TEST(RiemannReference, SumsOfMoreThanTwoToThe31IntervalsTakeNoTime) {
  const std::int64_t n = (std::int64_t{1} << 33) + 1;
  const long double width = 10.0L / static_cast<long double>(n);
  const long double expected = integral(exp_sin, 0, 10) - width / 2 * (exp_sin(10) - exp_sin(0));
  EXPECT_NEAR(static_cast<double>(rule_sum(exp_sin, 0, 10, n, left) - expected), 0, 1e-14);
  EXPECT_NEAR(static_cast<double>(rule_sum(linear, 0, 10, n, left)), static_cast<double>(50 - 5 * width),
              1e-14);
}

TEST(RiemannReference, SaysWhereAFormulaDoesNotServe) {
  EXPECT_THROW(rule_sum_by(Method::by_formula, sin_square, 0, 50, 10, left), std::invalid_argument);
  EXPECT_NO_THROW(rule_sum(sin_square, 0, 50, 10, left));
}

}  // namespace
}  // namespace warplab::reference
