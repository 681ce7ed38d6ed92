// The header cuda_bf16.h.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>
#include <cuda_bf16.h>
