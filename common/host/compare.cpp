#include "common/host/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "common/host/index_text.hpp"
#include "common/host/parallel.hpp"
#include "common/host/poison.hpp"

namespace warplab {
namespace {

constexpr std::size_t shown = 5;
constexpr std::int64_t compared_at_once = 64;

/// What one range of elements yields; ranges merge in order.
struct Tally {
  std::int64_t mismatches = 0;
  std::int64_t poisoned = 0;  ///< mismatches that hold the poison
  std::int64_t worst = -1;
  double worst_error = -1;
  double max_abs_error = 0;
  double max_rel_error = 0;
  std::int64_t finite = 0;
  double sum_of_errors = 0;      ///< signed
  double sum_of_magnitudes = 0;  ///< of errors
  std::array<std::int64_t, shown> first{};

  void merge(const Tally& later) {
    for (std::int64_t i = 0; i < later.mismatches && i < std::int64_t{shown}; ++i)
      if (mismatches + i < std::int64_t{shown})
        first[static_cast<std::size_t>(mismatches + i)] = later.first[static_cast<std::size_t>(i)];
    mismatches += later.mismatches;
    poisoned += later.poisoned;
    if (later.worst_error > worst_error) worst = later.worst, worst_error = later.worst_error;
    max_abs_error = std::max(max_abs_error, later.max_abs_error);
    max_rel_error = std::max(max_rel_error, later.max_rel_error);
    finite += later.finite;
    sum_of_errors += later.sum_of_errors;
    sum_of_magnitudes += later.sum_of_magnitudes;
  }
};

template <class T>
double distance(T a, T b) {
  if constexpr (std::is_integral_v<T>)  // exact before it is rounded, also for 64 bits
    return a > b ? static_cast<double>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b))
                 : static_cast<double>(static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a));
  else
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
}

template <class T>
bool holds_poison(T value, std::int64_t index) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i)
    if (bytes[i] != poison_byte(static_cast<std::size_t>(index) * sizeof(T) + i)) return false;
  return true;
}

template <class T>
Tally tally(std::span<const T> actual, std::span<const T> expected, Tolerance tolerance) {
  std::vector<Tally> parts(host_cores());
  parallel_ranges(
      static_cast<std::int64_t>(actual.size()), [&](std::int64_t begin, std::int64_t end, unsigned part) {
        Tally t;
        for (std::int64_t i = begin; i < end; ++i) {
          if constexpr (std::is_integral_v<T>)
            if ((i - begin) % compared_at_once == 0 && end - i >= compared_at_once &&
                std::memcmp(&actual[static_cast<std::size_t>(i)], &expected[static_cast<std::size_t>(i)],
                            compared_at_once * sizeof(T)) == 0) {
              t.finite += compared_at_once;
              i += compared_at_once - 1;
              continue;
            }
          const T x = actual[static_cast<std::size_t>(i)];
          const T e = expected[static_cast<std::size_t>(i)];
          if (std::memcmp(&x, &e, sizeof(T)) == 0 && std::isfinite(static_cast<double>(e))) {
            ++t.finite;  // most elements; the rest of the loop takes several times as long
            continue;
          }
          const double error = distance(x, e);
          const double magnitude = std::abs(static_cast<double>(e));
          if (std::isfinite(error)) {
            t.max_abs_error = std::max(t.max_abs_error, error);
            // Divides only where the greatest one grows.
            if (magnitude > 0 && error > t.max_rel_error * magnitude) t.max_rel_error = error / magnitude;
            ++t.finite;
            t.sum_of_magnitudes += error;
            t.sum_of_errors += x > e ? error : -error;
          }
          const bool accepted =
              tolerance.bits ? std::memcmp(&x, &e, sizeof(T)) == 0
                             : std::isfinite(error) && error <= tolerance.atol + tolerance.rtol * magnitude;
          if (accepted) continue;
          const double badness = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
          if (badness > t.worst_error) t.worst = i, t.worst_error = badness;
          if (t.mismatches < std::int64_t{shown}) t.first[static_cast<std::size_t>(t.mismatches)] = i;
          ++t.mismatches;
          t.poisoned += holds_poison(x, i);
        }
        parts[part] = t;
      });
  Tally all;
  for (const Tally& part : parts) all.merge(part);
  return all;
}

template <class T>
std::string text_of(T value) {
  if constexpr (!std::is_integral_v<T>)
    if (std::isnan(static_cast<double>(value))) return "nan";
  if constexpr (is_narrow_float<T> || std::is_same_v<T, float>)
    return fmt::format("{:.9g}", static_cast<float>(value));
  else if constexpr (std::is_same_v<T, double>)
    return fmt::format("{:.17g}", value);
  else
    return fmt::format("{}", static_cast<std::int64_t>(value));
}

/// "nan (7fc00001)": where bits matter, a NaN by its own.
template <class T>
std::string text_of_bits(T value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    if (std::isnan(value)) return fmt::format("nan ({:0{}x})", std::bit_cast<Bits>(value), 2 * sizeof(T));
  }
  return text_of(value);
}

/// Whether the elements are the expected ones in another order; if not, one of which
/// there are too few or too many.
template <class T>
std::string order_note(std::span<const T> actual, std::span<const T> expected) {
  using Bytes = std::array<std::byte, sizeof(T)>;
  const auto in_order = [](std::span<const T> elements) {
    std::vector<Bytes> bytes(elements.size());
    if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), elements.size_bytes());
    std::ranges::sort(bytes);
    return bytes;
  };
  const std::vector<Bytes> have = in_order(actual), want = in_order(expected);
  const auto differ = std::ranges::mismatch(have, want);
  if (differ.in1 == have.end()) return "\n  note:  they are the expected elements in another order";
  const Bytes odd = std::min(*differ.in1, *differ.in2);
  return fmt::format("\n  note:  not even the elements are right: {} is there {} times, expected {}",
                     text_of_bits(std::bit_cast<T>(odd)), std::ranges::count(have, odd),
                     std::ranges::count(want, odd));
}

template <class T>
std::string report(const Tally& t, std::span<const T> actual, std::span<const T> expected,
                   const std::vector<std::int64_t>& shape, Tolerance tolerance) {
  const auto line = [&](std::int64_t i) {
    return fmt::format("{} expected {}, got {}", index_text(i, shape),
                       tolerance.bits ? text_of_bits(expected[static_cast<std::size_t>(i)])
                                      : text_of(expected[static_cast<std::size_t>(i)]),
                       tolerance.bits ? text_of_bits(actual[static_cast<std::size_t>(i)])
                                      : text_of(actual[static_cast<std::size_t>(i)]));
  };
  const bool exact = tolerance.atol == 0 && tolerance.rtol == 0;
  std::string text = fmt::format(
      "{} of {} elements differ from the expected values ({})\n", t.mismatches, actual.size(),
      tolerance.bits ? std::string("comparison of bits")
      : exact        ? std::string("exact comparison")
                     : fmt::format("tolerance {:.3g} + {:.3g} |expected|", tolerance.atol, tolerance.rtol));
  text += "  worst: " + line(t.worst);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(t.mismatches, shown); ++i)
    text += (i ? "\n         " : "\n  first: ") + line(t.first[static_cast<std::size_t>(i)]);
  // A byte holds the poison by chance once in 256 times; wider elements practically never do.
  const bool sure = sizeof(T) > 1 ? t.poisoned > 0 : t.poisoned == t.mismatches && t.mismatches >= 4;
  if (sure)
    text += fmt::format(
        "\n  note:  {} the poison that memory is filled with before the call: never written, or computed "
        "from memory that was never written (on the emulator, --lens names its line)",
        t.poisoned < t.mismatches ? fmt::format("{} of them hold{}", t.poisoned, t.poisoned == 1 ? "s" : "")
        : t.mismatches == 1       ? "it holds"
                                  : "they hold");
  else if (tolerance.bits)
    text += order_note(actual, expected);
  return text;
}

}  // namespace

Comparison compare(const HostArray& actual, const HostArray& expected, Tolerance tolerance) {
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape())
    throw std::invalid_argument(fmt::format("cannot compare {} of shape {} with {} of shape {}",
                                            name_of(actual.dtype()), shape_text(actual.shape()),
                                            name_of(expected.dtype()), shape_text(expected.shape())));
  Comparison result;
  result.count = actual.count();
  result.tolerance = tolerance;
  dispatch_any(actual.dtype(), [&]<class T>() {
    const Tally t = tally(actual.as<T>(), expected.as<T>(), tolerance);
    result.mismatches = t.mismatches;
    result.max_abs_error = t.max_abs_error;
    result.max_rel_error = t.max_rel_error;
    if (t.finite > 0) {
      result.mean_abs_error = t.sum_of_magnitudes / static_cast<double>(t.finite);
      result.mean_error = t.sum_of_errors / static_cast<double>(t.finite);
    }
    result.accepted = t.mismatches == 0;
    if (!result.accepted)
      result.report = report(t, actual.as<T>(), expected.as<T>(), actual.shape(), tolerance);
  });
  return result;
}

}  // namespace warplab
