#pragma once

#include <cstdint>

#include "common/host/host_array.hpp"

namespace warplab {

/// Random bits for element `index` of the stream `seed`: counter-based (SplitMix64's mixing function), so any
/// element can be computed on its own, and every machine gets the same ones. Source: Steele, Lea, Flood:
/// "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  constexpr auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  };
  return mix(mix(seed + 0x9E3779B97F4A7C15u) + (index + 1) * 0x9E3779B97F4A7C15u);
}

/// Uniform in [0, 1), a multiple of 2^-24, exact in float and double alike.
constexpr double random_unit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, index) >> 40) * 0x1p-24;
}

/// Fills an array from a seed, uniformly in [low, high) for floating point and [low, high] for integers (of
/// which `low` and `high` are rounded). Runs on all cores; the result does not depend on how many. With two
/// or more elements it is never constant unless low == high.
/// @throws std::invalid_argument if low > high or the range does not fit the element type.
void fill_random(HostArray& array, std::uint64_t seed, double low, double high);

/// As above with a range that suits the type: [-1, 1) for floating point, [-1000, 1000] for integers,
/// all values for bytes. @param stream tells apart the arrays of one case.
void fill_random(HostArray& array, std::uint64_t seed, unsigned stream = 0);

}  // namespace warplab
