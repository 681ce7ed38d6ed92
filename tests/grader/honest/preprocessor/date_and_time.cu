// A line with the date of the build in it.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

[[maybe_unused]] static const char built[] = __DATE__ " " __TIME__;
