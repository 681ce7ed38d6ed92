#pragma once

#include <type_traits>

#include "warplab_emulator/block/warp.hpp"

namespace warplab::emulator {

/// Calls `visit(lane, value)` for every lane of the mask, from the lowest, with the value that it brought. A
/// value of more than 8 bytes takes a collective for each 8.
template <class T, class Visit>
void for_each_value(unsigned mask, const T& value, const Site& site, Visit visit) {
  static_assert(std::is_trivially_copyable_v<T>, "what lanes exchange must be trivially copyable");
  constexpr unsigned word = sizeof(unsigned long long);
  alignas(T) unsigned char received[warpSize * sizeof(T)];
  unsigned lanes = 0;
  for (unsigned at = 0; at < sizeof(T); at += word) {
    const unsigned size = sizeof(T) - at < word ? sizeof(T) - at : word;
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, reinterpret_cast<const char*>(&value) + at, size);
    const Exchanged all = exchange(mask, bits, site);
    lanes = all.lanes;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      __builtin_memcpy(received + i * sizeof(T) + at, &all.values[i], size);
    }
  }
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    visit(i, *reinterpret_cast<const T*>(received + i * sizeof(T)));
  }
}

/// The lanes of the mask whose value has the same bits as the caller's.
template <class T>
unsigned match_any(unsigned mask, T value, const Site& site) {
  unsigned same = 0;
  for_each_value(mask, value, site, [&](int i, T other) {
    same |= static_cast<unsigned>(to_bits(other) == to_bits(value)) << i;
  });
  return same;
}

template <class T>
unsigned match_all(unsigned mask, T value, int* predicate, const Site& site) {
  bool all = true;
  for_each_value(mask, value, site, [&](int, T other) { all = all && to_bits(other) == to_bits(value); });
  *predicate = all;
  return all ? mask : 0;
}

/// Combines the values of the mask's lanes, lowest lane first.
template <class T, class Combine>
T reduce(unsigned mask, T value, const Site& site, Combine combine) {
  bool first = true;
  T result = value;
  for_each_value(mask, value, site, [&](int, T other) {
    result = first ? other : combine(result, other);
    first = false;
  });
  return result;
}

}  // namespace warplab::emulator

#define WARPLAB_MATCHES(T)                                                                    \
  template <class...>                                                                         \
  inline unsigned __match_any_sync(unsigned mask, T value, WARPLAB_CALLER) {                  \
    return warplab::emulator::match_any(mask, value, {"__match_any_sync", file, line});       \
  }                                                                                           \
  template <class...>                                                                         \
  inline unsigned __match_all_sync(unsigned mask, T value, int* pred, WARPLAB_CALLER) {       \
    return warplab::emulator::match_all(mask, value, pred, {"__match_all_sync", file, line}); \
  }

WARPLAB_MATCHES(int)
WARPLAB_MATCHES(unsigned)
WARPLAB_MATCHES(long)
WARPLAB_MATCHES(unsigned long)
WARPLAB_MATCHES(long long)
WARPLAB_MATCHES(unsigned long long)
WARPLAB_MATCHES(float)
WARPLAB_MATCHES(double)

#define WARPLAB_REDUCE(name, T, expression)                                     \
  template <class...>                                                           \
  inline T name(unsigned mask, T value, WARPLAB_CALLER) {                       \
    return warplab::emulator::reduce(mask, value, {#name, file, line},          \
                                     [](T a, T b) -> T { return expression; }); \
  }

// Unsigned arithmetic underneath: signed sums wrap as on a GPU.
WARPLAB_REDUCE(__reduce_add_sync, int, static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
WARPLAB_REDUCE(__reduce_add_sync, unsigned, a + b)
WARPLAB_REDUCE(__reduce_min_sync, int, a < b ? a : b)
WARPLAB_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
WARPLAB_REDUCE(__reduce_max_sync, int, a > b ? a : b)
WARPLAB_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
WARPLAB_REDUCE(__reduce_and_sync, unsigned, a& b)
WARPLAB_REDUCE(__reduce_or_sync, unsigned, a | b)
WARPLAB_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
