// Names of functions in messages.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

#undef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
#define TRACE(x) printf x
#else
#define TRACE(x)
#endif
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const char* const name = __func__;
  if (i < n && name != nullptr) c[i] = a[i] + b[i];
