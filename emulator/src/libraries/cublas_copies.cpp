// cuBLAS's copies of vectors and matrices between the host and the device.
#include <cublas_v2.h>

#include <algorithm>

#include "emulator/src/base/errors.hpp"

namespace {

/// From columns that are `ld_from` elements apart to columns that are `ld_to` apart.
struct Copy {
  const char* function;
  int size;  ///< bytes of an element
  const void* from;
  int ld_from;
  void* to;
  int ld_to;
  cudaMemcpyKind kind;
  cudaStream_t stream = nullptr;
  bool waits = true;
};

cublasStatus_t copy_matrix(int rows, int columns, const Copy& copy) {
  if (rows < 0 || columns < 0 || copy.size <= 0 || std::min(copy.ld_from, copy.ld_to) < std::max(rows, 1)) {
    warplab::emulator::report("%s: a count is negative, a size is 0, or a distance is too small",
                              copy.function);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [&](int elements) {
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(copy.size);
  };
  const auto height = static_cast<std::size_t>(columns);
  const cudaError_t error =
      copy.waits ? cudaMemcpy2D(copy.to, bytes(copy.ld_to), copy.from, bytes(copy.ld_from), bytes(rows),
                                height, copy.kind)
                 : cudaMemcpy2DAsync(copy.to, bytes(copy.ld_to), copy.from, bytes(copy.ld_from), bytes(rows),
                                     height, copy.kind, copy.stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

/// The distances are those of elements.
cublasStatus_t copy_vector(int n, Copy copy) {
  if (copy.ld_from != 1 || copy.ld_to != 1) return copy_matrix(n == 0 ? 0 : 1, n, copy);
  copy.ld_from = copy.ld_to = std::max(n, 1);
  return copy_matrix(n, 1, copy);
}

}  // namespace

cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* device_y, int incy) {
  return copy_vector(n, {"cublasSetVector", size, x, incx, device_y, incy, cudaMemcpyHostToDevice});
}
cublasStatus_t cublasGetVector(int n, int size, const void* device_x, int incx, void* y, int incy) {
  return copy_vector(n, {"cublasGetVector", size, device_x, incx, y, incy, cudaMemcpyDeviceToHost});
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* device_y, int incy,
                                    cudaStream_t stream) {
  return copy_vector(
      n, {"cublasSetVectorAsync", size, x, incx, device_y, incy, cudaMemcpyHostToDevice, stream, false});
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* device_x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_vector(
      n, {"cublasGetVectorAsync", size, device_x, incx, y, incy, cudaMemcpyDeviceToHost, stream, false});
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* device_b,
                               int ldb) {
  return copy_matrix(rows, columns, {"cublasSetMatrix", size, a, lda, device_b, ldb, cudaMemcpyHostToDevice});
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* device_a, int lda, void* b,
                               int ldb) {
  return copy_matrix(rows, columns, {"cublasGetMatrix", size, device_a, lda, b, ldb, cudaMemcpyDeviceToHost});
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* device_b,
                                    int ldb, cudaStream_t stream) {
  return copy_matrix(
      rows, columns,
      {"cublasSetMatrixAsync", size, a, lda, device_b, ldb, cudaMemcpyHostToDevice, stream, false});
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* device_a, int lda, void* b,
                                    int ldb, cudaStream_t stream) {
  return copy_matrix(
      rows, columns,
      {"cublasGetMatrixAsync", size, device_a, lda, b, ldb, cudaMemcpyDeviceToHost, stream, false});
}
