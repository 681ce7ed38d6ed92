#include "emulator/src/libraries/cublas_call.hpp"

#include <cstdlib>
#include <utility>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

cublasStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_EXECUTION_FAILED;
}

void store(void* to, cudaDataType type, double value) {
  if (type == CUDA_R_64F)
    *static_cast<double*>(to) = value;
  else if (type == CUDA_R_32I)
    *static_cast<int*>(to) = static_cast<int>(value);
  else
    *static_cast<float*>(to) = static_cast<float>(value);
}

}  // namespace

CublasCall& CublasCall::require(bool fulfilled, const char* what) {
  if (fulfilled || status_ != CUBLAS_STATUS_SUCCESS) return *this;
  report("%s: %s", function_, what);
  status_ = CUBLAS_STATUS_INVALID_VALUE;
  return *this;
}

Factor CublasCall::factor(const char* name, const void* from, cudaDataType type) {
  require(from != nullptr, "alpha or beta is a null pointer");
  if (handle_ == nullptr || status_ != CUBLAS_STATUS_SUCCESS) return {};
  if (handle_->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
    require(!is_device_only(from),
            "alpha or beta is in device memory; that needs CUBLAS_POINTER_MODE_DEVICE");
    return status_ == CUBLAS_STATUS_SUCCESS ? Factor{value_of(from, type), nullptr, type} : Factor{};
  }
  operands_.push_back({name, from, bytes_of(type)});
  return {0, from, type};
}

CublasCall& CublasCall::vector(const char* name, const void* address, int count, int increment,
                               std::size_t size) {
  if (count > 0)
    operands_.push_back(
        {name, address,
         (static_cast<std::size_t>(count - 1) * static_cast<std::size_t>(std::abs(increment)) + 1) * size});
  return *this;
}

CublasCall& CublasCall::matrix(const char* name, const Matrix& matrix, int rows, int columns,
                               long long stride, int batches) {
  require(rows >= 0 && columns >= 0, "m, n or k is negative");
  require(matrix.ld >= (rows > 1 ? rows : 1),
          "a leading dimension is less than the rows of its matrix, which is column-major");
  if (rows <= 0 || columns <= 0 || batches <= 0) return *this;
  const std::size_t of_one = static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(matrix.ld) +
                             static_cast<std::size_t>(rows);
  const std::size_t before =
      static_cast<std::size_t>(batches - 1) * static_cast<std::size_t>(std::abs(stride));
  operands_.push_back({name, matrix.data, (before + of_one) * bytes_of(matrix.type)});
  return *this;
}

cublasStatus_t CublasCall::run(std::function<void()> work) { return start(std::move(work), false); }

cublasStatus_t CublasCall::run_for(void* to, cudaDataType type, std::function<double()> work) {
  require(to != nullptr, "the place for the result is a null pointer");
  if (handle_ == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool to_host = handle_->pointer_mode == CUBLAS_POINTER_MODE_HOST;
  if (to_host)
    require(!is_device_only(to), "the result is in device memory; that needs CUBLAS_POINTER_MODE_DEVICE");
  else
    operands_.push_back({"the result", to, type == CUDA_R_32I ? sizeof(int) : bytes_of(type)});
  return start([=, work = std::move(work)] { store(to, type, work()); }, to_host);
}

cublasStatus_t CublasCall::start(std::function<void()> work, bool waits) {
  if (handle_ == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (status_ != CUBLAS_STATUS_SUCCESS) return status_;
  auto operation = [operands = std::move(operands_), work = std::move(work), function = function_] {
    for (const Operand& operand : operands)
      if (const cudaError_t error =
              open_operand(function, operand, "; are its sizes those of column-major matrices?");
          error != cudaSuccess)
        return error;
    work();
    return cudaSuccess;
  };
  return status_of(api_call([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle_->stream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return waits ? run_now(stream, operation) : push(stream, {operation, {}, Operation::Kind::launch});
  }));
}

}  // namespace warplab::emulator
