#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "tma_queues_works.hpp"

// What libraries do of this lab's kernels. They size nothing.

/// CUB's sum of products.
void tma_queues_cub(const DotProductWork& work, void* workspace, std::size_t workspace_bytes,
                    cudaStream_t stream);

/// cuBLAS's products of a matrix. None of the extents is 0.
void tma_queues_cublas(const MatrixVectorWork& work, void* workspace, std::size_t workspace_bytes,
                       cudaStream_t stream);
void tma_queues_cublas(const MatrixMatrixWork& work, void* workspace, std::size_t workspace_bytes,
                       cudaStream_t stream);
