// Pragmas that other compilers know.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

#pragma once
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma message("building")
#pragma region kernels
#pragma warning(disable : 4996)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
#pragma clang diagnostic ignored "-Wunused"
#pragma omp parallel
#pragma endregion
#pragma GCC diagnostic pop
