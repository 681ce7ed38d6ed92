#include "reference/riemann.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace warplab::reference {
namespace {

using Real = long double;

constexpr std::int64_t max_one_by_one = 1 << 16;
constexpr std::int64_t head_of_root = 4096;  // intervals next to where the slope of the root may be infinite
constexpr int last_term = 12;
constexpr Real negligible = 0x1p-66L;

/// A sum after Neumaier: what an addition rounds off is kept.
class CompensatedSum {
 public:
  void add(Real x) {
    const Real sum = sum_ + x;
    lost_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  Real value() const { return sum_ + lost_; }

 private:
  Real sum_ = 0, lost_ = 0;
};

/// The points of a partition: a + (i + place) width.
struct Points {
  Real a, b;
  std::int64_t n;
  Real place;
  Real width() const { return (b - a) / static_cast<Real>(n); }
  Real operator[](std::int64_t i) const { return a + (static_cast<Real>(i) + place) * width(); }
};

Real sum_one_by_one(const Integrand& f, const Points& x) {
  CompensatedSum sum;
  for (std::int64_t i = 0; i < x.n; ++i) sum.add(f(x[i]));
  return sum.value() * x.width();
}

/// The sum of |x_i - at| by two arithmetic series, below and above `at`.
Real sum_of_distances(const Points& x, Real at) {
  const Real h = x.width();
  const auto first_above = static_cast<std::int64_t>(
      h > 0 ? std::clamp(std::ceil((at - x.a) / h - x.place), Real{0}, static_cast<Real>(x.n)) : 0);
  const auto series = [&](std::int64_t from, std::int64_t to) {  // of x_i - at
    const auto count = static_cast<Real>(to - from);
    return count * ((x[from] - at) + (count - 1) / 2 * h);
  };
  return h * (series(first_above, x.n) - series(0, first_above));
}

/// The k-th derivative of f at x. @pre f is smooth there
Real derivative(const Integrand& f, int k, Real x) {
  switch (f.kind) {
    case IntegrandKind::exp_sin:
      return std::pow(Real{2}, static_cast<Real>(k) / 2) * std::exp(x) *
             std::sin(x + static_cast<Real>(k) * std::numbers::pi_v<Real> / 4);
    case IntegrandKind::sin_square: {  // Taylor coefficients of sin and cos of (x + t)^2, each from the
                                       // other's
      std::array<Real, last_term + 1> s{std::sin(x * x)}, c{std::cos(x * x)};
      Real factorial = 1;
      for (int j = 0; j < k; ++j) {
        const auto at = static_cast<std::size_t>(j);
        s[at + 1] = (2 * x * c[at] + (j > 0 ? 2 * c[at - 1] : 0)) / static_cast<Real>(j + 1);
        c[at + 1] = -(2 * x * s[at] + (j > 0 ? 2 * s[at - 1] : 0)) / static_cast<Real>(j + 1);
        factorial *= static_cast<Real>(j + 1);
      }
      return factorial * s[static_cast<std::size_t>(k)];
    }
    case IntegrandKind::root: {
      Real value = std::sqrt(x);
      for (int j = 0; j < k; ++j) value *= (Real{0.5} - static_cast<Real>(j)) / x;
      return value;
    }
    case IntegrandKind::linear:
    case IntegrandKind::counted:
      return k == 0 ? x : k == 1 ? 1 : 0;
    case IntegrandKind::constant:
      return k == 0 ? f.parameter : 0;
    case IntegrandKind::kinked:
      break;
  }
  throw std::invalid_argument("this integrand has no derivative");
}

/// By how much the sum over the points differs from the integral, by the Euler-Maclaurin formula: the sum
/// over k of B_k(place) / k! width^k (f^(k-1)(b) - f^(k-1)(a)), B_k being Bernoulli's polynomials.
/// @param[out] settled whether the last term was small enough to end there
Real euler_maclaurin(const Integrand& f, const Points& x, bool& settled) {
  constexpr Real bernoulli[] = {1.0L / 6, -1.0L / 30, 1.0L / 42, -1.0L / 30, 5.0L / 66, -691.0L / 2730};
  const Real h = x.width();
  Real difference = (x.place - Real{0.5}) * h * (f(x.b) - f(x.a)), power = 1, term = 0, largest = 0;
  for (int k = 2; k <= last_term; k += 2) {
    power *= h * h / static_cast<Real>(k * (k - 1));
    Real number = bernoulli[k / 2 - 1];
    if (x.place == Real{0.5}) number *= std::exp2(static_cast<Real>(1 - k)) - 1;
    const Real from = derivative(f, k - 1, x.a), to = derivative(f, k - 1, x.b);
    term = number * power * (to - from);
    largest = std::fabs(number) * power * (std::fabs(to) + std::fabs(from));
    difference += term;
  }
  const Real scale = (x.b - x.a) * std::max(std::fabs(f(x.b)), std::fabs(f((x.a + x.b) / 2)));
  settled = largest <= negligible * scale;
  return difference;
}

Real integral_of(const Integrand& f, Real a, Real b);

/// The sum over the points times the width. @throws std::invalid_argument where a formula is asked for and
/// does not serve
Real point_sum(Method method, const Integrand& f, const Points& x) {
  if (method == Method::one_by_one || (method == Method::any && x.n <= max_one_by_one))
    return sum_one_by_one(f, x);
  if (f.kind == IntegrandKind::kinked) return sum_of_distances(x, f.parameter);
  Points smooth = x;
  Real head = 0;
  if (f.kind == IntegrandKind::root) {
    const std::int64_t count = std::min(x.n, head_of_root);
    const Real middle = x.a + static_cast<Real>(count) * x.width();
    head = sum_one_by_one(f, {x.a, middle, count, x.place});
    smooth = {middle, x.b, x.n - count, x.place};
    if (smooth.n == 0) return head;
  }
  bool settled = false;
  const Real difference = euler_maclaurin(f, smooth, settled);
  if (settled) return head + integral_of(f, smooth.a, smooth.b) + difference;
  if (method == Method::any) return sum_one_by_one(f, x);
  throw std::invalid_argument("the Euler-Maclaurin formula has not settled");
}

/// Gauss and Legendre's rule of 16 points on pieces in which x^2 changes by about 1.
Real integral_of_sin_square(Real a, Real b) {
  constexpr int points = 16;
  static const auto rule = [] {
    std::array<std::pair<Real, Real>, points> nodes;  // in [-1, 1], with their weights
    for (int i = 0; i < points; ++i) {
      Real x =
          std::cos(std::numbers::pi_v<Real> * (static_cast<Real>(i) + Real{0.75}) / (points + Real{0.5}));
      Real slope = 1;
      for (int step = 0; step < 100; ++step) {  // Newton's method for a zero of Legendre's polynomial
        Real p = x, before = 1;
        for (int k = 2; k <= points; ++k) {
          const Real next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
          before = p;
          p = next;
        }
        slope = points * (x * p - before) / (x * x - 1);
        const Real change = p / slope;
        x -= change;
        if (std::fabs(change) < 0x1p-62L) break;
      }
      nodes[static_cast<std::size_t>(i)] = {x, 2 / ((1 - x * x) * slope * slope)};
    }
    return nodes;
  }();
  const Real fastest = 2 * std::max(std::fabs(a), std::fabs(b));
  const auto pieces = static_cast<std::int64_t>(std::ceil((b - a) * (fastest + 1)));
  const Real half = pieces > 0 ? (b - a) / static_cast<Real>(2 * pieces) : 0;
  CompensatedSum sum;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const Real middle = a + static_cast<Real>(2 * piece + 1) * half;
    for (const auto& [node, weight] : rule) {
      const Real x = middle + half * node;
      sum.add(weight * std::sin(x * x));
    }
  }
  return sum.value() * half;
}

Real integral_of(const Integrand& f, Real a, Real b) {
  const auto between = [a, b](auto antiderivative) { return antiderivative(b) - antiderivative(a); };
  switch (f.kind) {
    case IntegrandKind::exp_sin:
      return between([](Real x) { return std::exp(x) * (std::sin(x) - std::cos(x)) / 2; });
    case IntegrandKind::sin_square:
      return integral_of_sin_square(a, b);
    case IntegrandKind::kinked:
      return between([&](Real x) { return (x - f.parameter) * std::fabs(x - f.parameter) / 2; });
    case IntegrandKind::root:
      return between([](Real x) { return 2 * x * std::sqrt(x) / 3; });
    case IntegrandKind::linear:
    case IntegrandKind::counted:
      return (b - a) * ((a + b) / 2);
    case IntegrandKind::constant:
      return (b - a) * f.parameter;
  }
  throw std::invalid_argument("there is no such integrand");
}

Real trapezoid(Method method, const Integrand& f, Real a, Real b, std::int64_t n) {
  const Points x{a, b, n, 0};
  return point_sum(method, f, x) + x.width() * (f(b) - f(a)) / 2;
}

/// Trapezoid sums of n, 2n, 4n, 8n and 16n intervals, by Neville's scheme in the square of the width.
Real romberg(Method method, const Integrand& f, Real a, Real b, std::int64_t n) {
  std::array<Real, 5> rows{};
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = trapezoid(method, f, a, b, n << k);
  Real factor = 4;
  for (std::size_t column = 1; column < rows.size(); ++column, factor *= 4)
    for (std::size_t k = rows.size() - 1; k >= column; --k) rows[k] += (rows[k] - rows[k - 1]) / (factor - 1);
  return rows.back();
}

}  // namespace

long double Integrand::operator()(long double x) const {
  switch (kind) {
    case IntegrandKind::exp_sin:
      return std::exp(x) * std::sin(x);
    case IntegrandKind::sin_square:
      return std::sin(x * x);
    case IntegrandKind::kinked:
      return std::fabs(x - parameter);
    case IntegrandKind::root:
      return std::sqrt(x);
    case IntegrandKind::linear:
    case IntegrandKind::counted:
      return x;
    case IntegrandKind::constant:
      return parameter;
  }
  throw std::invalid_argument("there is no such integrand");
}

long double integral(const Integrand& f, double a, double b) { return integral_of(f, a, b); }

long double rule_sum_by(Method method, const Integrand& f, double a, double b, std::int64_t n,
                        QuadratureRule rule) {
  switch (rule) {
    case QuadratureRule::left:
      return point_sum(method, f, {a, b, n, 0});
    case QuadratureRule::right:
      return point_sum(method, f, {a, b, n, 1});
    case QuadratureRule::midpoint:
      return point_sum(method, f, {a, b, n, Real{0.5}});
    case QuadratureRule::trapezoid:
      return trapezoid(method, f, a, b, n);
    case QuadratureRule::simpson:
      return (2 * point_sum(method, f, {a, b, n, Real{0.5}}) + trapezoid(method, f, a, b, n)) / 3;
    case QuadratureRule::romberg:
      return romberg(method, f, a, b, n);
  }
  throw std::invalid_argument("there is no such rule");
}

long double rule_sum(const Integrand& f, double a, double b, std::int64_t n, QuadratureRule rule) {
  return rule_sum_by(Method::any, f, a, b, n, rule);
}

}  // namespace warplab::reference
