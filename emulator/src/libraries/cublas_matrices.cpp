// cuBLAS's products of matrices, which are all one, and sums.
#include <cublas_v2.h>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/libraries/cublas_call.hpp"

namespace {

using namespace warplab::emulator;

/// Products of several matrices of one shape: those of a batch are `stride` elements apart.
struct Batch {
  long long stride_a = 0, stride_b = 0, stride_c = 0;
  int count = 1;
};

Matrix at(const Matrix& first, long long stride, int i) {
  Matrix matrix = first;
  matrix.data =
      static_cast<const char*>(first.data) + stride * i * static_cast<long long>(bytes_of(first.type));
  return matrix;
}

/// @param factors the type of alpha and beta
cublasStatus_t products(CublasCall call, MatrixProduct p, const void* alpha, const void* beta,
                        cudaDataType factors, const Batch& batch = {}) {
  const Factor by = call.factor("alpha", alpha, factors), keep = call.factor("beta", beta, factors);
  p.in_double = factors == CUDA_R_64F;
  call.require(batch.count >= 0, "the number of products is negative");
  call.matrix("A", p.a, p.a.transposed ? p.k : p.m, p.a.transposed ? p.m : p.k, batch.stride_a, batch.count);
  call.matrix("B", p.b, p.b.transposed ? p.n : p.k, p.b.transposed ? p.k : p.n, batch.stride_b, batch.count);
  call.matrix("C", p.c, p.m, p.n, batch.stride_c, batch.count);
  return call.run([=] {
    if (p.m == 0 || p.n == 0) return;
    for (int i = 0; i < batch.count; ++i) {
      MatrixProduct one = p;
      one.alpha = by.get();
      one.beta = keep.get();
      one.a = at(p.a, batch.stride_a, i);
      one.b = at(p.b, batch.stride_b, i);
      one.c = at(p.c, batch.stride_c, i);
      multiply(one);
    }
  });
}

MatrixProduct product(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
  MatrixProduct p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = a;
  p.b = b;
  p.c = c;
  return p;
}

bool transposes(cublasOperation_t op) { return op != CUBLAS_OP_N; }

/// C = alpha op(A) + beta op(B). A or B may be C if it is not transposed, and missing if its factor is 0.
template <class T>
cublasStatus_t geam(CublasCall call, int m, int n, const T* alpha, const Matrix& a, const T* beta,
                    const Matrix& b, const Matrix& c) {
  const Factor of_a = call.factor("alpha", alpha, c.type), of_b = call.factor("beta", beta, c.type);
  call.require((a.data != c.data || !a.transposed) && (b.data != c.data || !b.transposed),
               "C is A or B, which is transposed");
  const auto is_zero = [](const Factor& factor) { return factor.place == nullptr && factor.value == 0; };
  if (!is_zero(of_a)) call.matrix("A", a, a.transposed ? n : m, a.transposed ? m : n);
  if (!is_zero(of_b)) call.matrix("B", b, b.transposed ? n : m, b.transposed ? m : n);
  return call.matrix("C", c, m, n).run([=] {
    const auto term = [](const Factor& factor, const Matrix& matrix, std::size_t row, std::size_t column) {
      if (factor.get() == 0) return 0.0;
      const auto ld = static_cast<std::size_t>(matrix.ld);
      const std::size_t place = matrix.transposed ? column + row * ld : row + column * ld;
      return factor.get() * static_cast<const T*>(matrix.data)[place];
    };
    auto* const to = static_cast<T*>(const_cast<void*>(c.data));
    for (std::size_t column = 0; column < static_cast<std::size_t>(n); ++column)
      for (std::size_t row = 0; row < static_cast<std::size_t>(m); ++row)
        to[row + column * static_cast<std::size_t>(c.ld)] =
            static_cast<T>(term(of_a, a, row, column) + term(of_b, b, row, column));
  });
}

cublasStatus_t products_of_any(CublasCall call, const MatrixProduct& p, const void* alpha, const void* beta,
                               cublasComputeType_t compute, const Batch& batch = {}) {
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  for (const Matrix& matrix : {p.a, p.b, p.c})
    if (bytes_of(matrix.type) == 0 || in_double != (matrix.type == CUDA_R_64F)) {
      report(
          "cublasGemmEx: the emulator multiplies matrices of half, bfloat16 and float in float, and of "
          "double in double");
      return CUBLAS_STATUS_NOT_SUPPORTED;
    }
  return products(call, p, alpha, beta, in_double ? CUDA_R_64F : in_half ? CUDA_R_16F : CUDA_R_32F, batch);
}

}  // namespace

// NOLINTBEGIN: one letter says the type, as in the header.
#define WARPLAB_CUBLAS_PRODUCT(S, T, type)                                                               \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,  \
                                 int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,   \
                                 int ldb, const T* beta, T* c, int ldc) {                                \
    return products({handle, "cublas" #S "gemm"},                                                        \
                    product(m, n, k, {a, type, lda, transposes(op_a)}, {b, type, ldb, transposes(op_b)}, \
                            {c, type, ldc, false}),                                                      \
                    alpha, beta, type);                                                                  \
  }
#define WARPLAB_CUBLAS_SUM(S, T, type)                                                                  \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                                 int m, int n, const T* alpha, const T* a, int lda, const T* beta,      \
                                 const T* b, int ldb, T* c, int ldc) {                                  \
    return geam<T>({handle, "cublas" #S "geam"}, m, n, alpha, {a, type, lda, transposes(op_a)}, beta,   \
                   {b, type, ldb, transposes(op_b)}, {c, type, ldc, false});                            \
  }
WARPLAB_CUBLAS_SUM(S, float, CUDA_R_32F)
WARPLAB_CUBLAS_SUM(D, double, CUDA_R_64F)
#undef WARPLAB_CUBLAS_SUM
WARPLAB_CUBLAS_PRODUCT(S, float, CUDA_R_32F)
WARPLAB_CUBLAS_PRODUCT(D, double, CUDA_R_64F)
WARPLAB_CUBLAS_PRODUCT(H, __half, CUDA_R_16F)
#undef WARPLAB_CUBLAS_PRODUCT

#define WARPLAB_CUBLAS_BATCH(S, T, type)                                                                 \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                          \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,        \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,  \
      const T* beta, T* c, int ldc, long long stride_c, int batches) {                                   \
    return products({handle, "cublas" #S "gemmStridedBatched"},                                          \
                    product(m, n, k, {a, type, lda, transposes(op_a)}, {b, type, ldb, transposes(op_b)}, \
                            {c, type, ldc, false}),                                                      \
                    alpha, beta, type, {stride_a, stride_b, stride_c, batches});                         \
  }
WARPLAB_CUBLAS_BATCH(S, float, CUDA_R_32F)
WARPLAB_CUBLAS_BATCH(D, double, CUDA_R_64F)
#undef WARPLAB_CUBLAS_BATCH
// NOLINTEND

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return products_of_any({handle, "cublasGemmEx"},
                         product(m, n, k, {a, type_a, lda, transposes(op_a)},
                                 {b, type_b, ldb, transposes(op_b)}, {c, type_c, ldc, false}),
                         alpha, beta, compute);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, long long stride_a,
                                          const void* b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return products_of_any({handle, "cublasGemmStridedBatchedEx"},
                         product(m, n, k, {a, type_a, lda, transposes(op_a)},
                                 {b, type_b, ldb, transposes(op_b)}, {c, type_c, ldc, false}),
                         alpha, beta, compute, {stride_a, stride_b, stride_c, batches});
}
