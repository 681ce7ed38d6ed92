#pragma once

#include <cublas_v2.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "emulator/src/libraries/cublas_product.hpp"
#include "emulator/src/transfers/operand.hpp"

/// What a cublasHandle_t points to: the settings of later calls.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace warplab::emulator {

/// alpha or beta: a number, or in device mode a place where it will be.
struct Factor {
  double value = 0;
  const void* place = nullptr;
  cudaDataType type = CUDA_R_32F;
  double get() const { return place != nullptr ? value_of(place, type) : value; }
};

/// One call: checks first, and then runs in the stream of the handle.
class CublasCall {
 public:
  CublasCall(cublasHandle_t handle, const char* function) : handle_(handle), function_(function) {}

  /// What the caller must see to; otherwise the call is refused. @param what "lda is less than the 3 rows of
  /// A"
  CublasCall& require(bool fulfilled, const char* what);
  Factor factor(const char* name, const void* from, cudaDataType type);
  /// `count` elements of a vector, `increment` elements apart.
  CublasCall& vector(const char* name, const void* address, int count, int increment, std::size_t size);
  /// A matrix of (rows, columns), `batches` times.
  CublasCall& matrix(const char* name, const Matrix& matrix, int rows, int columns, long long stride = 0,
                     int batches = 1);
  /// Queues the work. It finds the operands open.
  cublasStatus_t run(std::function<void()> work);
  /// Queues work that finds one number. In host mode the call waits for it.
  /// @param to a float, a double or an int, as `type` says
  cublasStatus_t run_for(void* to, cudaDataType type, std::function<double()> work);

 private:
  cublasStatus_t start(std::function<void()> work, bool waits);

  cublasHandle_t handle_;
  const char* function_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  std::vector<Operand> operands_;
};

}  // namespace warplab::emulator
