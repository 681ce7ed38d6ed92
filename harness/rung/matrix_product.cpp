// Products of square matrices of halves by cuBLAS, in a module of its own: it is loaded where they are timed,
// so that no other process has to load cuBLAS.
#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "harness/rung/matrix_product.hpp"

static void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cublasGetStatusString(status));
}

void warplab_matrix_product(const void* a, const void* b, void* c, int n, cudaStream_t stream) {
  static cublasHandle_t const handle = [] {
    cublasHandle_t created = nullptr;
    check(cublasCreate(&created), "cublasCreate");
    return created;
  }();
  const float one = 1, zero = 0;
  check(cublasSetStream(handle, stream), "cublasSetStream");
  check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_16F, n, b, CUDA_R_16F, n,
                     &zero, c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}
