// The header sm_20_intrinsics.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <sm_20_intrinsics.h>
