// Anonymous and nested namespaces, a variable template, using.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

namespace student::tools {
template <class T>
constexpr T one_of = T(1);
namespace {
[[maybe_unused]] constexpr int unused = 3;
}
}  // namespace student::tools
using namespace std;
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  using namespace student::tools;
  if (i < n) c[i] = one_of<T> * a[i] + b[i];
