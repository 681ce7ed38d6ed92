// Enumerations and members of classes.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

struct Sizes {
  enum { one = 1 };
  static constexpr int scale = 1;
};
enum class Order : int { first, second };
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  if (i < n) c[i] = Sizes::one * a[i] + T(Sizes::scale) * b[i];
