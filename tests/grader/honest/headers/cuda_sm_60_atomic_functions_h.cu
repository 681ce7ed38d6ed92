// The header sm_60_atomic_functions.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <sm_60_atomic_functions.h>
