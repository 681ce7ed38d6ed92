// The header cuda_runtime_api.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda_runtime_api.h>
