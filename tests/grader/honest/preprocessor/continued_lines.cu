// Directives and comments in several lines.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

#define ADD(x, y) \
  ((x) +           \
   (y))
// a comment that goes \
on here
#if defined(ADD) && \
    1
#endif
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < \
      n) c[i] = a[i] + b[i];
