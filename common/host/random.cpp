#include "common/host/random.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/host/parallel.hpp"

namespace warplab {
namespace {

template <class T>
void fill_integers(std::span<T> out, std::uint64_t seed, double low, double high) {
  if (low < static_cast<double>(std::numeric_limits<T>::min()) ||
      high > static_cast<double>(std::numeric_limits<T>::max()) || high - low >= 0x1p53)
    throw std::invalid_argument("the range of random numbers does not fit the element type");
  const auto first = static_cast<std::int64_t>(std::llround(low));
  const auto width = static_cast<std::uint64_t>(std::llround(high) - first) + 1;
  parallel_ranges(static_cast<std::int64_t>(out.size()), [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
      const auto offset = static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * width) >> 64);
      out[static_cast<std::size_t>(i)] = static_cast<T>(first + static_cast<std::int64_t>(offset));
    }
  });
  // Two elements can be equal by chance, and a constant input would hide a wrong index.
  if (out.size() > 1 && width > 1 && std::all_of(out.begin(), out.end(), [&](T x) { return x == out[0]; }))
    out[1] = static_cast<T>(out[0] == static_cast<T>(first) ? first + 1 : first);
}

template <class T>
constexpr double largest() {
  return std::numeric_limits<T>::max();
}
template <>
constexpr double largest<Half>() {
  return Half::largest;
}
template <>
constexpr double largest<Bfloat16>() {
  return Bfloat16::largest;
}

template <class T>
void fill_reals(std::span<T> out, std::uint64_t seed, double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || std::abs(low) > largest<T>() ||
      std::abs(high) > largest<T>())
    throw std::invalid_argument("the range of random numbers does not fit the element type");
  parallel_ranges(static_cast<std::int64_t>(out.size()), [&](std::int64_t begin, std::int64_t end, unsigned) {
    for (std::int64_t i = begin; i < end; ++i)
      out[static_cast<std::size_t>(i)] =
          static_cast<T>(low + (high - low) * random_unit(seed, static_cast<std::uint64_t>(i)));
  });
  if (out.size() > 1 && low < high && std::all_of(out.begin(), out.end(), [&](T x) { return x == out[0]; }))
    out[1] = static_cast<T>(out[0] == static_cast<T>(low) ? (low + high) / 2 : low);
}

}  // namespace

void fill_random(HostArray& array, std::uint64_t seed, double low, double high) {
  if (!(low <= high)) throw std::invalid_argument("the range of random numbers is empty");
  dispatch_any(array.dtype(), [&]<class T>() {
    if constexpr (std::is_integral_v<T>)
      fill_integers(array.as<T>(), seed, low, high);
    else
      fill_reals(array.as<T>(), seed, low, high);
  });
}

void fill_random(HostArray& array, std::uint64_t seed, unsigned stream) {
  const std::uint64_t own = random_bits(seed, 0x5EED0000u + stream);
  switch (array.dtype()) {
    case DType::u8:
      return fill_random(array, own, 0, 255);
    case DType::i8:
      return fill_random(array, own, -128, 127);
    case DType::i32:
    case DType::i64:
      return fill_random(array, own, -1000, 1000);
    case DType::f16:
    case DType::bf16:
    case DType::f32:
    case DType::f64:
      return fill_random(array, own, -1, 1);
  }
}

}  // namespace warplab
