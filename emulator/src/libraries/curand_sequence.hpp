#pragma once

#include <curand_kernel.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace warplab::emulator {

/// The numbers that a generator of the host's side has for one kind of random state: `count` sequences take
/// turns, and each gives what one draw makes. The documentation of cuRAND has the order of XORWOW; the rest
/// was compared with cuRAND 10.4.
template <class State, std::size_t count, std::size_t bits_per_turn>
class TurnTaking {
 public:
  /// @param offset 32-bit numbers that are passed over
  TurnTaking(unsigned long long seed, unsigned long long offset)
      : states_(count), next_(offset / bits_per_turn % count), taken_(offset % bits_per_turn) {
    const unsigned long long rounds = offset / bits_per_turn / count;
    for (std::size_t i = 0; i < count; ++i)
      curand_init(seed, i, (rounds + (i < next_ ? 1 : 0)) * bits_per_turn, &states_[i]);
  }

  /// Writes `n` numbers. @param draw gives an array of numbers for a state that it moves on
  template <class T, class Draw>
  void fill(T* to, std::size_t n, Draw draw) {
    while (n > 0) {
      State moved = states_[next_];
      const auto numbers = draw(moved);
      const std::size_t used = std::min(n, numbers.size() - taken_);
      to = std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(taken_), used, to);
      n -= used;
      taken_ += used;
      if (taken_ < numbers.size()) break;  // the next call goes on with the rest of this draw
      taken_ = 0;
      states_[next_] = moved;
      next_ = (next_ + 1) % count;
    }
  }

 private:
  std::vector<State> states_;
  std::size_t next_;   ///< whose turn it is
  std::size_t taken_;  ///< numbers of its draw that have been given out
};

using XorwowSequence = TurnTaking<curandStateXORWOW, 4096, 1>;
using PhiloxSequence = TurnTaking<curandStatePhilox4_32_10, 65536, 4>;

/// What one draw gives: a number or a pair of XORWOW, four numbers of Philox.
struct DrawBits {
  std::array<unsigned, 1> operator()(curandStateXORWOW& state) const { return {curand(&state)}; }
  std::array<unsigned, 4> operator()(curandStatePhilox4_32_10& state) const {
    const uint4 bits = curand4(&state);
    return {bits.x, bits.y, bits.z, bits.w};
  }
};
/// Floats in (0, 1], as many as one call of the generator gives.
struct DrawUniform {
  std::array<float, 1> operator()(curandStateXORWOW& state) const { return {curand_uniform(&state)}; }
  std::array<float, 4> operator()(curandStatePhilox4_32_10& state) const {
    const float4 numbers = curand_uniform4(&state);
    return {numbers.x, numbers.y, numbers.z, numbers.w};
  }
};
/// Doubles in (0, 1], likewise.
struct DrawUniformDouble {
  std::array<double, 1> operator()(curandStateXORWOW& state) const { return {curand_uniform_double(&state)}; }
  std::array<double, 4> operator()(curandStatePhilox4_32_10& state) const {
    const double4 numbers = curand_uniform4_double(&state);
    return {numbers.x, numbers.y, numbers.z, numbers.w};
  }
};
/// Floats with mean 0 and standard deviation 1, likewise.
struct DrawNormal {
  std::array<float, 2> operator()(curandStateXORWOW& state) const {
    const float2 numbers = curand_normal2(&state);
    return {numbers.x, numbers.y};
  }
  std::array<float, 4> operator()(curandStatePhilox4_32_10& state) const {
    const float4 numbers = curand_normal4(&state);
    return {numbers.x, numbers.y, numbers.z, numbers.w};
  }
};
/// Doubles with mean 0 and standard deviation 1, likewise.
struct DrawNormalDouble {
  std::array<double, 2> operator()(curandStateXORWOW& state) const {
    const double2 numbers = curand_normal2_double(&state);
    return {numbers.x, numbers.y};
  }
  std::array<double, 4> operator()(curandStatePhilox4_32_10& state) const {
    const double4 numbers = curand_normal4_double(&state);
    return {numbers.x, numbers.y, numbers.z, numbers.w};
  }
};

}  // namespace warplab::emulator
