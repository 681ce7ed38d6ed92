// Names that a macro puts together with ##.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include "vector_add.hpp"
//! becomes
#include "vector_add.hpp"

#define JOIN(a, b) a##b
#define STRING(x) #x
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  int JOIN(one, _more) = 1;
  if (i < n) c[i] = T(one_more) * a[i] + b[i];
