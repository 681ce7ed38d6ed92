// The header cooperative_groups/reduce.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups/reduce.h>
