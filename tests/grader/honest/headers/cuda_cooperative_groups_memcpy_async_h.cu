// The header cooperative_groups/memcpy_async.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups/memcpy_async.h>
