// The header sm_32_intrinsics.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <sm_32_intrinsics.h>
