#pragma once

#include <cstdint>

namespace warplab::reference {

/// What is integrated. The numbers are those of lab 10's cases.
enum class IntegrandKind { exp_sin, sin_square, kinked, root, linear, constant, counted };

/// An integrand and its parameter: where a kink lies, or the value of a constant.
struct Integrand {
  IntegrandKind kind = IntegrandKind::exp_sin;
  long double parameter = 0;

  long double operator()(long double x) const;
};

/// How values become a sum. Simpson's rule and Romberg's are combinations of the others.
enum class QuadratureRule { left, right, midpoint, trapezoid, simpson, romberg };

/// The integral from a to b, to about 2^-60 of the integral of |f|: by a formula, for sin(x^2) by Gauss and
/// Legendre's rule on short pieces. @pre a <= b, and a >= 0 for root
long double integral(const Integrand& f, double a, double b);

/// The rule's own sum over n equal intervals of [a, b], without any error of the rule removed, to about 2^-58
/// of the integral of |f|. Up to 65536 points are summed one by one, compensated. For more it uses formulas:
/// arithmetic series, and the Euler-Maclaurin formula where its terms fall fast enough.
/// @pre n >= 1, otherwise as integral()
long double rule_sum(const Integrand& f, double a, double b, std::int64_t n, QuadratureRule rule);

/// How rule_sum() may go about it; for its tests.
enum class Method { any, one_by_one, by_formula };
long double rule_sum_by(Method method, const Integrand& f, double a, double b, std::int64_t n,
                        QuadratureRule rule);

}  // namespace warplab::reference
