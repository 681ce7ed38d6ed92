#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#define CUBLAS_V2_H_
#define CUBLAS_API_H_  // programs ask by it whether the header is included

// The host side of cuBLAS: handles, and the functions for vectors and matrices of float and double, and
// products of matrices of half and bfloat16. They run on this CPU, in the stream of the handle, and find what
// cuBLAS would: sums are added up in another order. Matrices are column-major, `ld*` is the distance of two
// columns in elements. What is passed out of bounds is explained on stderr, and breaks the device as an
// illegal address does.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

enum cublasStatus_t : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16,
};
enum cublasOperation_t : int { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t : int { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t : int { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t : int { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
/// Where factors and results are: alpha, beta, the result of a dot product.
enum cublasPointerMode_t : int { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t : int {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
};
/// Here all but 64F add up in float.
enum cublasComputeType_t : int {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};
/// The algorithm is a hint, which changes nothing here.
enum cublasGemmAlgo_t : int {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
};

using cublasHandle_t = struct cublasContext*;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies of vectors and matrices between the host and the device, in the null stream or in one of their own.
// An element has `size` bytes.
cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* device_y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void* device_x, int incx, void* y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* device_y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* device_x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* device_b,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* device_a, int lda, void* b,
                               int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* device_b,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* device_a, int lda, void* b,
                                    int ldb, cudaStream_t stream);

// y = alpha x + y, x = alpha x, y = x, and sums. inc is the distance of two elements.
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx,
                           float* y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int incx, float* y, int incy);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                          float* result);
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy);
/// The first of the largest or smallest elements by magnitude, counted from 1; 0 if there is none.
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result);

// y = alpha op(A) x + beta y, A = alpha x y' + A, A of (m, n); C = alpha op(A) + beta op(B), where op(A) may
// be C itself, and C = alpha op(A) op(B) + beta C, C of (m, n), k terms in each sum.
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx,
                          const float* y, int incy, float* a, int lda);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const float* alpha, const float* a, int lda, const float* beta,
                           const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb,
                           const float* beta, float* c, int ldc);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const float* alpha,
                                         const float* a, int lda, long long stride_a, const float* b, int ldb,
                                         long long stride_b, const float* beta, float* c, int ldc,
                                         long long stride_c, int batches);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double* alpha, const double* x, int incx,
                           double* y, int incy);
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double* alpha, double* x, int incx);
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double* x, int incx, double* y, int incy);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double* x, int incx, const double* y, int incy,
                          double* result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy);
/// The first of the largest or smallest elements by magnitude, counted from 1; 0 if there is none.
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result);

// y = alpha op(A) x + beta y, A = alpha x y' + A, A of (m, n); C = alpha op(A) + beta op(B), where op(A) may
// be C itself, and C = alpha op(A) op(B) + beta C, C of (m, n), k terms in each sum.
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const double* alpha,
                           const double* a, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x, int incx,
                          const double* y, int incy, double* a, int lda);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const double* alpha, const double* a, int lda, const double* beta,
                           const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const double* alpha, const double* a, int lda, const double* b,
                           int ldb, const double* beta, double* c, int ldc);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const double* alpha,
                                         const double* a, int lda, long long stride_a, const double* b,
                                         int ldb, long long stride_b, const double* beta, double* c, int ldc,
                                         long long stride_c, int batches);
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc);
/// Elements are half, bfloat16, float or double; alpha and beta have the type that is computed in.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, long long stride_a,
                                          const void* b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
}

#include "warplab_emulator/user_macros_back.inc"
