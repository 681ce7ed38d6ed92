#pragma once

#include <cmath>
#include <type_traits>

#include "vector_types.h"
#include "warplab_emulator/random/random_philox.hpp"
#include "warplab_emulator/random/random_xorwow.hpp"

namespace warplab::emulator {

/// A number in (0, 1] of 32 bits, or of 53.
inline float uniform_of(unsigned int bits) {
  constexpr float unit = 0x1p-32f;
  return static_cast<float>(bits) * unit + unit / 2;
}
inline double uniform_of(unsigned int low, unsigned int high) {
  constexpr double unit = 0x1p-53;
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * unit + unit / 2;
}

/// Two normal numbers. G. Box and M. Muller, A note on the generation of random normal deviates, 1958.
inline float2 normal_of(unsigned int radius, unsigned int angle) {
  constexpr float unit = 0x1p-32f * 6.2831855f;
  const float s = sqrtf(-2.0f * logf(uniform_of(radius)));
  const float v = static_cast<float>(angle) * unit + unit / 2;
  return {sinf(v) * s, cosf(v) * s};
}
inline double2 normal_of(uint4 bits) {
  constexpr double pi = 3.1415926535897932;
  const double s = sqrt(-2.0 * log(uniform_of(bits.x, bits.y)));
  const double v = uniform_of(bits.z, bits.w) * 2;
  double sine, cosine;
  sincos(v * pi, &sine, &cosine);
  return {sine * s, cosine * s};
}

template <class State>
using IfGenerator = std::enable_if_t<std::is_same_v<State, curandStateXORWOW> ||
                                     std::is_same_v<State, curandStatePhilox4_32_10>>;

template <class State>
float2 next_normal_pair(State* state) {
  const unsigned int radius = curand(state), angle = curand(state);
  return normal_of(radius, angle);
}

inline uint4 next_four(curandStateXORWOW* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return {x, y, z, w};
}
inline uint4 next_four(curandStatePhilox4_32_10* state) { return curand4(state); }

/// What a state's flag says that the number is which it has left over.
enum LeftOver : int { no_number = 0, normal_number = 1, log_normal_number = 2 };

/// The number left over, or the first of a new pair, of which the second is kept.
template <class T, class Draw>
T one_of_pair(int& flag, T& kept, LeftOver kind, Draw draw) {
  if (flag == kind) {
    flag = no_number;
    return kept;
  }
  const auto pair = draw();
  kept = pair.y;
  flag = kind;
  return pair.x;
}

inline float2 log_normal_of(float2 normal, float mean, float deviation) {
  return {expf(mean + deviation * normal.x), expf(mean + deviation * normal.y)};
}
inline double2 log_normal_of(double2 normal, double mean, double deviation) {
  return {exp(mean + deviation * normal.x), exp(mean + deviation * normal.y)};
}

}  // namespace warplab::emulator

// --- Uniform numbers in (0, 1] ---
template <class State, class = warplab::emulator::IfGenerator<State>>
inline float curand_uniform(State* state) {
  return warplab::emulator::uniform_of(curand(state));
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  using warplab::emulator::uniform_of;
  return {uniform_of(bits.x), uniform_of(bits.y), uniform_of(bits.z), uniform_of(bits.w)};
}
inline double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned int low = curand(state), high = curand(state);
  return warplab::emulator::uniform_of(low, high);
}
/// Of 32 bits only, as cuRAND's.
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return static_cast<double>(curand(state)) * 0x1p-32 + 0x1p-32;
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  return {warplab::emulator::uniform_of(bits.x, bits.y), warplab::emulator::uniform_of(bits.z, bits.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}

// --- Normal numbers of mean 0 and standard deviation 1 ---
template <class State, class = warplab::emulator::IfGenerator<State>>
inline float2 curand_normal2(State* state) {
  return warplab::emulator::next_normal_pair(state);
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline float curand_normal(State* state) {
  return warplab::emulator::one_of_pair(state->boxmuller_flag, state->boxmuller_extra,
                                        warplab::emulator::normal_number,
                                        [&] { return curand_normal2(state); });
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  const float2 a = warplab::emulator::normal_of(bits.x, bits.y),
               b = warplab::emulator::normal_of(bits.z, bits.w);
  return {a.x, a.y, b.x, b.y};
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline double2 curand_normal2_double(State* state) {
  return warplab::emulator::normal_of(warplab::emulator::next_four(state));
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline double curand_normal_double(State* state) {
  return warplab::emulator::one_of_pair(state->boxmuller_flag_double, state->boxmuller_extra_double,
                                        warplab::emulator::normal_number,
                                        [&] { return curand_normal2_double(state); });
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}

// --- exp() of normal numbers ---
template <class State, class = warplab::emulator::IfGenerator<State>>
inline float2 curand_log_normal2(State* state, float mean, float deviation) {
  return warplab::emulator::log_normal_of(curand_normal2(state), mean, deviation);
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline float curand_log_normal(State* state, float mean, float deviation) {
  return warplab::emulator::one_of_pair(state->boxmuller_flag, state->boxmuller_extra,
                                        warplab::emulator::log_normal_number,
                                        [&] { return curand_log_normal2(state, mean, deviation); });
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 normal = curand_normal4(state);
  const float2 a = warplab::emulator::log_normal_of({normal.x, normal.y}, mean, deviation),
               b = warplab::emulator::log_normal_of({normal.z, normal.w}, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  return warplab::emulator::log_normal_of(curand_normal2_double(state), mean, deviation);
}
template <class State, class = warplab::emulator::IfGenerator<State>>
inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return warplab::emulator::one_of_pair(state->boxmuller_flag_double, state->boxmuller_extra_double,
                                        warplab::emulator::log_normal_number,
                                        [&] { return curand_log_normal2_double(state, mean, deviation); });
}
