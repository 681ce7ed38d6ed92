#pragma once

#include <cuda_runtime.h>

/// Queues c = a * b for square matrices of halves, with sums in float: 2 n^3 operations. In the module
/// lib/warplab/matrix_product.so, which is built where cuBLAS is installed.
/// @param a, b, c (n, n), device memory. @throws std::runtime_error
extern "C" __attribute__((visibility("default"))) void warplab_matrix_product(const void* a, const void* b,
                                                                              void* c, int n,
                                                                              cudaStream_t stream);
