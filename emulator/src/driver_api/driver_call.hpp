#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <utility>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/driver_api/driver_contexts.hpp"

namespace warplab::emulator {

/// The driver API's name for an error of the runtime, which has most numbers in common with it.
CUresult as_result(cudaError_t error);

/// Calls functions of the runtime, which check. Their errors are not the runtime's last one.
template <class Body>
CUresult driver_call(Body&& body) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  const DriverScope scope;
  const cudaError_t before = last_error_of_thread(true);
  const cudaError_t error = std::forward<Body>(body)();
  last_error_of_thread(true);
  if (before != cudaSuccess) record(before);
  return as_result(error);
}

/// The same for what works on the current context.
template <class Body>
CUresult context_call(Body&& body) {
  if (!is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!has_context()) return CUDA_ERROR_INVALID_CONTEXT;
  return driver_call(std::forward<Body>(body));
}

}  // namespace warplab::emulator
