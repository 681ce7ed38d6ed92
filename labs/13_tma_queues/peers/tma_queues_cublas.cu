// What a library does: cublasSgemv for a vector, cublasGemmEx for a matrix.
//
// cuBLAS stores matrices by columns. So A, which is stored by rows, is a transposed matrix to it, B is stored
// as it likes, and z^T = B^T A^T comes out as rows of z. Products are of floats, not of TF32.
// Source: cuBLAS Library User Guide, cublasSgemv, cublasGemmEx.
#include <cublas_v2.h>

#include "tma_queues_launch.hpp"
#include "tma_queues_peers.hpp"

static void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) warplab::refuse(call, ": ", cublasGetStatusString(status));
}

/// One handle per process: to create one takes longer than most products.
static cublasHandle_t handle_for(cudaStream_t stream) {
  static cublasHandle_t const handle = [] {
    cublasHandle_t created = nullptr;
    check(cublasCreate(&created), "cublasCreate");
    return created;
  }();
  check(cublasSetStream(handle, stream), "cublasSetStream");
  return handle;
}

void tma_queues_cublas(const MatrixVectorWork& work, void*, std::size_t, cudaStream_t stream) {
  const float one = 1, zero = 0;
  check(cublasSgemv(handle_for(stream), CUBLAS_OP_T, static_cast<int>(work.length), static_cast<int>(work.m),
                    &one, work.a, static_cast<int>(work.leading), work.b, 1, &zero, work.z, 1),
        "cublasSgemv");
}

void tma_queues_cublas(const MatrixMatrixWork& work, void*, std::size_t, cudaStream_t stream) {
  const float one = 1, zero = 0;
  const auto m = static_cast<int>(work.m), n = static_cast<int>(work.n), k = static_cast<int>(work.length),
             leading = static_cast<int>(work.leading);
  check(cublasGemmEx(handle_for(stream), CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &one, work.b, CUDA_R_32F, leading,
                     work.a, CUDA_R_32F, leading, &zero, work.z, CUDA_R_32F, n, CUBLAS_COMPUTE_32F_PEDANTIC,
                     CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}
