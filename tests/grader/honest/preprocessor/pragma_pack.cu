// A structure without gaps.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include "vector_add.hpp"
//! becomes
#include "vector_add.hpp"

#pragma pack(push, 1)
struct Tagged {
  char tag;
  int value;
};
#pragma pack(pop)
static_assert(sizeof(Tagged) == 5);
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  Tagged one{'x', 1};
  if (i < n) c[i] = T(one.value) * a[i] + b[i];
