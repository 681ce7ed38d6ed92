// A header that is included where it is there.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

#if __has_include(<span>)
#include <span>
#endif
#ifdef __has_include
#define HAS 1
#endif
