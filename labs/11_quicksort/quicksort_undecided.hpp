#pragma once

#include <cuda_runtime.h>

// Keys that are made against the pivots of the kernel that sorts them. Device code, for the emulator only.
#ifdef WARPLAB_BACKEND_EMULATOR
#include "warplab_emulator/undecided_keys.hpp"

/// A key that has no place in the order until a sort compares it. It then gets the place that costs a
/// quicksort most. Kernels need no code for it: they copy keys, and compare them with comes_before().
struct UndecidedKey {
  int number;

  UndecidedKey() = default;
  __device__ UndecidedKey(int value) : number(value) {}  // so that `T key = 0` compiles
};

/// The key itself, which has the operators of a number.
__device__ inline UndecidedKey sort_key(UndecidedKey x) { return x; }

__device__ inline bool operator<(UndecidedKey a, UndecidedKey b) {
  return warplab::emulator::compare_undecided_keys(a.number, b.number) < 0;
}
__device__ inline bool operator>(UndecidedKey a, UndecidedKey b) { return b < a; }
__device__ inline bool operator<=(UndecidedKey a, UndecidedKey b) { return !(b < a); }
__device__ inline bool operator>=(UndecidedKey a, UndecidedKey b) { return !(a < b); }
__device__ inline bool operator==(UndecidedKey a, UndecidedKey b) { return a.number == b.number; }

__device__ inline UndecidedKey last_key(UndecidedKey) { return 0x7fffffff; }
#endif
