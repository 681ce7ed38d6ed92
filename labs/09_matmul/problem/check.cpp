// How outputs of lab 09 are verified: small ones whole, large ones by Freivalds' check.
#include "labs/09_matmul/problem/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/host/random.hpp"
#include "reference/matmul.hpp"

namespace warplab {
namespace {

using reference::freivalds_vectors;

constexpr int left_alone = 77;  // in the gaps between D's rows
constexpr std::int64_t sampled_rows = 8;
// How probable it may be that a right product is called wrong.
constexpr double false_alarm = 1e-12;

/// Calls f.operator()<T, Sum>() with the types of A and of D.
template <class F>
decltype(auto) with_types(DType element, F&& f) {
  return dispatch<std::uint8_t, std::int8_t, int, Half, Bfloat16, float, double>(element, [&]<class T>() {
    using Narrow = std::conditional_t<is_narrow_float<T>, float, T>;
    return f.template operator()<T, std::conditional_t<std::is_integral_v<T>, int, Narrow>>();
  });
}

template <class T, class Sum>
reference::MatmulProduct<T, Sum> product_of(const MatmulShape& s, const std::vector<HostArray>& in) {
  return {.a = in.at(0).as<T>().data(),
          .b = in.at(1).as<T>().data(),
          .c = in.at(2).as<Sum>().data(),
          .m = s.m,
          .n = s.n,
          .k = s.k,
          .lda = s.k + s.pad,
          .ldb = s.n + s.pad,
          .ldc = s.n + s.pad,
          .alpha = static_cast<Sum>(s.alpha),
          .beta = static_cast<Sum>(s.beta)};
}

/// The type in which an array holds what the oracle computed for sums of type Sum.
template <class Sum>
using Held = std::conditional_t<std::is_integral_v<Sum>, int, double>;

/// An array of what the oracle computed. Numbers modulo 2^32 are held as int.
template <class T, class Sum>
HostArray held(const std::vector<reference::MatmulExact<T>>& values, std::vector<std::int64_t> shape) {
  HostArray array(dtype_of<Held<Sum>>(), std::move(shape));
  std::transform(values.begin(), values.end(), array.as<Held<Sum>>().begin(),
                 [](auto value) { return static_cast<Held<Sum>>(value); });
  return array;
}

/// (n, 8) numbers that no kernel knows: 1 or -1, or for integers any number modulo 2^32.
template <class Exact>
std::vector<Exact> random_vectors(std::int64_t n) {
  std::vector<Exact> x(static_cast<std::size_t>(n * freivalds_vectors));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t bits = random_bits(0xF4E1A1D5, i);
    if constexpr (std::is_integral_v<Exact>)
      x[i] = static_cast<Exact>(bits >> 32);
    else
      x[i] = bits >> 63 ? 1 : -1;
  }
  return x;
}

/// Evenly spread, with the first and the last; each row once.
std::vector<std::int64_t> rows_to_sample(std::int64_t m) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < sampled_rows; ++i) rows.push_back(i * (m - 1) / (sampled_rows - 1));
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// The longest row of A in the 2-norm, the longest column of B, all of B, and the largest element of C.
struct Norms {
  double row_of_a = 0, column_of_b = 0, columns_of_b = 0, element_of_c = 0;
};
template <class T, class Sum>
Norms norms_of(const reference::MatmulProduct<T, Sum>& p) {
  Norms norms;
  const auto square = [](T value) {
    const auto x = static_cast<double>(static_cast<std::conditional_t<is_narrow_float<T>, float, T>>(value));
    return x * x;
  };
  for (std::int64_t i = 0; i < p.m; ++i) {
    double sum = 0;
    for (std::int64_t l = 0; l < p.k; ++l) sum += square(p.a[i * p.lda + l]);
    norms.row_of_a = std::max(norms.row_of_a, std::sqrt(sum));
  }
  std::vector<double> columns(static_cast<std::size_t>(p.n));
  for (std::int64_t l = 0; l < p.k; ++l)
    for (std::int64_t j = 0; j < p.n; ++j) columns[static_cast<std::size_t>(j)] += square(p.b[l * p.ldb + j]);
  for (const double squares : columns) {
    norms.column_of_b = std::max(norms.column_of_b, std::sqrt(squares));
    norms.columns_of_b += squares;
  }
  norms.columns_of_b = std::sqrt(norms.columns_of_b);
  if (p.beta != Sum{})
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j)
        norms.element_of_c = std::max(norms.element_of_c, std::abs(static_cast<double>(p.c[i * p.ldc + j])));
  return norms;
}

HostArray array_of(const Norms& norms) {
  HostArray array(DType::f64, {4});
  const double values[] = {norms.row_of_a, norms.column_of_b, norms.columns_of_b, norms.element_of_c};
  std::copy_n(values, 4, array.as<double>().begin());
  return array;
}

Norms norms_in(const HostArray& array) {
  const std::span<const double> values = array.as<double>();
  return {values[0], values[1], values[2], values[3]};
}

/// Row `row` of D without its gap.
template <class Sum>
HostArray row_of(const HostArray& d, const MatmulShape& s, std::int64_t row) {
  HostArray elements(dtype_of<Held<Sum>>(), {1, s.n});
  const std::span<const Sum> all = d.as<Sum>();
  for (std::int64_t j = 0; j < s.n; ++j)
    elements.as<Held<Sum>>()[static_cast<std::size_t>(j)] =
        all[static_cast<std::size_t>(row * (s.n + s.pad) + j)];
  return elements;
}

/// How many elements between the rows are not as they were.
template <class Sum>
std::int64_t touched_in_gaps(const HostArray& d, const MatmulShape& s) {
  std::int64_t touched = 0;
  for (std::int64_t i = 0; i < s.m; ++i)
    for (std::int64_t j = s.n; j < s.n + s.pad; ++j)
      touched += d.as<Sum>()[static_cast<std::size_t>(i * (s.n + s.pad) + j)] != Sum{left_alone};
  return touched;
}

template <class T, class Sum>
HostArray exact_row(const reference::MatmulProduct<T, Sum>& p, std::int64_t row) {
  std::vector<reference::MatmulExact<T>> values(static_cast<std::size_t>(p.n));
  reference::matmul_row(p, row, values.data());
  return held<T, Sum>(values, {1, p.n});
}

/// The check of a large product: D x for each x, then whole rows.
template <class T, class Sum>
Comparison compare_large(const MatmulShape& s, const reference::MatmulProduct<T, Sum>& p,
                         const std::vector<HostArray>& expected, const HostArray& d, double element,
                         double row_of_products) {
  using Exact = reference::MatmulExact<T>;
  Comparison result;
  result.count = s.m * s.n;
  result.tolerance = {.atol = element, .rtol = 0};
  if (const std::int64_t touched = touched_in_gaps<Sum>(d, s)) {
    result.mismatches = touched;
    result.report = fmt::format("{} elements between the rows of D were written", touched);
    return result;
  }
  const std::vector<Exact> x = random_vectors<Exact>(s.n);
  std::vector<Exact> dx(static_cast<std::size_t>(s.m * freivalds_vectors));
  reference::matrix_applied(d.as<Sum>().data(), s.m, s.n, s.n + s.pad, x.data(), dx.data());
  const std::span<const Held<Sum>> wanted = expected.at(0).as<Held<Sum>>();
  std::int64_t wrong_rows = 0, worst = -1;
  double worst_error = -1;
  for (std::int64_t i = 0; i < s.m; ++i) {
    double error = 0;
    for (std::int64_t v = 0; v < freivalds_vectors; ++v) {
      const auto at = static_cast<std::size_t>(i * freivalds_vectors + v);
      const auto got = static_cast<Held<Sum>>(dx[at]);
      const double off = std::abs(static_cast<double>(got) - static_cast<double>(wanted[at]));
      error = std::isfinite(off) ? std::max(error, off) : std::numeric_limits<double>::infinity();
    }
    if (error <= row_of_products) continue;
    ++wrong_rows;
    if (error > worst_error) worst = i, worst_error = error;
  }
  std::vector<std::int64_t> rows = rows_to_sample(s.m);
  if (worst >= 0) rows = {worst};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    HostArray right(dtype_of<Held<Sum>>(), {1, s.n});
    if (worst >= 0)
      right = exact_row(p, rows[r]);
    else
      std::copy_n(expected.at(1).as<Held<Sum>>().begin() + static_cast<std::ptrdiff_t>(r) * s.n, s.n,
                  right.as<Held<Sum>>().begin());
    const Comparison row = compare(row_of<Sum>(d, s, rows[r]), right, result.tolerance);
    result.max_abs_error = std::max(result.max_abs_error, row.max_abs_error);
    result.max_rel_error = std::max(result.max_rel_error, row.max_rel_error);
    result.mean_abs_error = std::max(result.mean_abs_error, row.mean_abs_error);
    result.mismatches += row.mismatches;
    if (!row.accepted && result.report.empty())
      result.report = fmt::format("row {}: {}", rows[r], row.report);
  }
  if (worst >= 0) {
    result.mismatches = std::max<std::int64_t>(result.mismatches, wrong_rows);
    result.report = fmt::format(
        "Freivalds' check: in {} of {} rows D x is not alpha A (B x) + beta C x\n{}", wrong_rows, s.m,
        result.report.empty()
            ? fmt::format("row {} is off by {:.3g} in sum, each element within its bound", worst, worst_error)
            : result.report);
  }
  result.accepted = result.mismatches == 0;
  return result;
}

}  // namespace

void matmul_mark_gaps(HostArray& d, const MatmulShape& shape) {
  dispatch<int, float, double>(d.dtype(), [&]<class Sum>() {
    for (std::int64_t i = 0; i < shape.m; ++i)
      for (std::int64_t j = shape.n; j < shape.n + shape.pad; ++j)
        d.as<Sum>()[static_cast<std::size_t>(i * (shape.n + shape.pad) + j)] = Sum{left_alone};
  });
}

std::vector<HostArray> matmul_expected(const MatmulShape& s, const std::vector<HostArray>& in) {
  return with_types(in.at(0).dtype(), [&]<class T, class Sum>() {
    using Exact = reference::MatmulExact<T>;
    const auto p = product_of<T, Sum>(s, in);
    std::vector<HostArray> arrays;
    const HostArray norms = array_of(std::is_integral_v<T> ? Norms{} : norms_of(p));
    if (s.products() > matmul_max_whole) {
      std::vector<Exact> y(static_cast<std::size_t>(s.m * freivalds_vectors));
      reference::matmul_applied(p, random_vectors<Exact>(s.n).data(), y.data());
      arrays.push_back(held<T, Sum>(y, {s.m, freivalds_vectors}));
      const std::vector<std::int64_t> rows = rows_to_sample(s.m);
      const auto count = static_cast<std::int64_t>(rows.size());
      std::vector<Exact> sample(static_cast<std::size_t>(count * s.n));
      for (std::int64_t r = 0; r < count; ++r)
        reference::matmul_row(p, rows[static_cast<std::size_t>(r)], sample.data() + r * s.n);
      arrays.push_back(held<T, Sum>(sample, {count, s.n}));
      arrays.push_back(norms);
      return arrays;
    }
    std::vector<Exact> whole(static_cast<std::size_t>(s.m * s.n));
    reference::matmul(p, whole.data());
    HostArray& d = arrays.emplace_back(dtype_of<Sum>(), std::vector{s.m, s.n + s.pad});
    for (std::int64_t i = 0; i < s.m; ++i)
      for (std::int64_t j = 0; j < s.n; ++j)
        d.as<Sum>()[static_cast<std::size_t>(i * (s.n + s.pad) + j)] =
            static_cast<Sum>(whole[static_cast<std::size_t>(i * s.n + j)]);
    matmul_mark_gaps(d, s);
    arrays.push_back(norms);
    return arrays;
  });
}

// The bound of one element is t = gamma (|alpha| |a| |b| + |beta| |c|) for its row a of A and column b of B,
// by Cauchy and Schwarz in the 2-norm; the longest of each is taken. With signs x_j that are independent of
// the errors e_j, Hoeffding bounds their sum: |e_1 x_1 + ... + e_n x_n| exceeds sqrt(2 ln(2 / p) sum e_j^2)
// with probability p at most. There are 8 m such sums. The oracle's own roundings, 2^-53 of each of n + k
// additions, are far below this bound in float, and the case's roundings have room for them in double.
Comparison matmul_compare(const MatmulShape& s, const std::vector<HostArray>& in,
                          const std::vector<HostArray>& expected, const HostArray& d, double roundings,
                          double u) {
  return with_types(in.at(0).dtype(), [&]<class T, class Sum>() {
    const auto p = product_of<T, Sum>(s, in);
    const bool large = s.products() > matmul_max_whole;
    double element = 0, row = 0;
    if (u > 0) {
      const Norms norms = norms_in(expected.back());
      const double gamma = std::expm1(roundings * std::log1p(u)), alpha = std::abs(s.alpha);
      const double of_c = std::abs(s.beta) * norms.element_of_c,
                   columns = std::sqrt(static_cast<double>(s.n));
      element = gamma * (alpha * norms.row_of_a * norms.column_of_b + of_c);
      const double errors = gamma * (alpha * norms.row_of_a * norms.columns_of_b + of_c * columns);
      row =
          errors * std::sqrt(2 * std::log(2.0 * freivalds_vectors * static_cast<double>(s.m) / false_alarm));
      // Beside an exact sum the oracle's element is rounded to what D holds; the smallest floats are coarser.
      element += 2 * u * std::abs(s.alpha) * norms.row_of_a * norms.column_of_b + 2 * u * of_c + 0x1p-140;
    }
    if (large) return compare_large<T, Sum>(s, p, expected, d, element, row);
    return compare(d, expected.at(0), {.atol = element, .rtol = 0});
  });
}

bool matmul_cpu(const MatmulShape& s, const std::vector<HostArray>& in, HostArray& d, int threads) {
  return with_types(in.at(0).dtype(), [&]<class T, class Sum>() {
    return reference::matmul_baseline(product_of<T, Sum>(s, in), d.as<Sum>().data(), s.n + s.pad, threads);
  });
}

}  // namespace warplab
