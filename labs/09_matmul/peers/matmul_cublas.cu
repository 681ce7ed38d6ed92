// What a library does: cublasGemmEx, tuned by NVIDIA for each GPU and shape.
//
// cuBLAS stores matrices by columns. A row-major matrix read by columns is its transpose, and (A B)^T = B^T
// A^T: so cuBLAS gets B first, then A, with m and n exchanged, and writes D row by row. It computes C = alpha
// A B + beta C in place, so D gets a copy of C first. float adds up in float: TF32, which would cut its
// operands to 11 bits, is not allowed. bytes add up in int, if all rows begin at multiples of 4 bytes.
// Source: cuBLAS Library User Guide, cublasGemmEx.
#include <cublas_v2.h>

#include <type_traits>

#include "matmul_launch.hpp"

static void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) warplab::refuse(call, ": cuBLAS does not support this case");
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

template <class T>
struct CublasTypes;
template <>
struct CublasTypes<float> {
  static constexpr cudaDataType_t element = CUDA_R_32F, sum = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F_PEDANTIC;
};
template <>
struct CublasTypes<double> {
  static constexpr cudaDataType_t element = CUDA_R_64F, sum = CUDA_R_64F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_64F;
};
template <>
struct CublasTypes<__half> {
  static constexpr cudaDataType_t element = CUDA_R_16F, sum = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};
template <>
struct CublasTypes<__nv_bfloat16> {
  static constexpr cudaDataType_t element = CUDA_R_16BF, sum = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};
template <>
struct CublasTypes<signed char> {
  static constexpr cudaDataType_t element = CUDA_R_8I, sum = CUDA_R_32I;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32I;
};

template <class T>
void matmul_cublas(const Matmul<T>& p, void*, std::size_t, cudaStream_t stream) {
  using Types = CublasTypes<T>;
  using Sum = MatmulSum<T>;
  if (!matmul_check(p)) return;
  if (p.lda > 0x7fffffff || p.ldb > 0x7fffffff || p.ldd > 0x7fffffff)
    warplab::refuse("cuBLAS takes leading dimensions up to 2147483647");
  if constexpr (sizeof(T) == 1) {
    const auto at_4_bytes = [](const void* matrix, std::int64_t leading) {
      return reinterpret_cast<std::uintptr_t>(matrix) % 4 == 0 && leading % 4 == 0;
    };
    if (p.k > 0 && (!at_4_bytes(p.a, p.lda) || !at_4_bytes(p.b, p.ldb)))
      warplab::refuse("cuBLAS multiplies int8 only if all rows begin at multiples of 4 bytes: lda is ", p.lda,
                      " and ldb is ", p.ldb);
  }
  if (p.beta != Sum{0} && p.d != p.c)
    CUDA_CHECK(cudaMemcpy2DAsync(p.d, static_cast<std::size_t>(p.ldd) * sizeof(Sum), p.c,
                                 static_cast<std::size_t>(p.ldc) * sizeof(Sum),
                                 static_cast<std::size_t>(p.n) * sizeof(Sum), static_cast<std::size_t>(p.m),
                                 cudaMemcpyDeviceToDevice, stream));
  const auto leading = [](std::int64_t value) { return static_cast<int>(value > 0 ? value : 1); };
  check(cublasGemmEx(handle_for(stream), CUBLAS_OP_N, CUBLAS_OP_N, p.n, p.m, p.k, &p.alpha, p.b,
                     Types::element, leading(p.ldb), p.a, Types::element, leading(p.lda), &p.beta, p.d,
                     Types::sum, leading(p.ldd), Types::compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
}

MATMUL_INSTANTIATE(cublas, float)
MATMUL_INSTANTIATE(cublas, double)
MATMUL_INSTANTIATE(cublas, __half)
MATMUL_INSTANTIATE(cublas, __nv_bfloat16)
MATMUL_INSTANTIATE(cublas, signed char)
