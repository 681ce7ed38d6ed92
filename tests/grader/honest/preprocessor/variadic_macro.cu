// A macro with any number of arguments, and a comma that goes with them.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include "vector_add.hpp"
//! becomes
#include "vector_add.hpp"

#define LOG(format, ...) log_nothing(format, ##__VA_ARGS__)
template <class... A>
__device__ void log_nothing(const char*, A...) {}
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  LOG("one %d", 1);
  if (i < n) c[i] = a[i] + b[i];
