// The header cooperative_groups/scan.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cooperative_groups/scan.h>
