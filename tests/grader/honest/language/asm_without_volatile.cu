// PTX in asm without volatile, after a condition and in a macro too.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include "vector_add.hpp"
//! becomes
#include "vector_add.hpp"

#define LANE_INTO(x) asm("mov.u32 %0, %%laneid;" : "=r"(x))
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  unsigned lane = 0, again = 0;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (i < n)
    asm("add.u32 %0, %1, 1;" : "=r"(again) : "r"(lane));
  LANE_INTO(lane);
  if (i < n && lane < 32 && again == lane + 1) c[i] = a[i] + b[i];
