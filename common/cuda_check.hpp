#pragma once

#include <cuda_runtime.h>

#include <cstdio>

#include "common/throwing.hpp"

namespace warplab::detail {

/// Whether the context is lost: every later call returns the same error until the process ends.
inline bool is_sticky(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

inline void check(cudaError_t code, const char* expression, const char* file, int line) {
  if (code != cudaSuccess) throw_cuda_error(code, Sentence(expression), Sentence(file), line);
}

inline void warn(cudaError_t code, const char* expression, const char* file, int line) noexcept {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  std::fprintf(stderr, "%s failed: %s (%s) at %s:%d\n", expression, cudaGetErrorName(code),
               cudaGetErrorString(code), file, line);
}

}  // namespace warplab::detail

/// Throws warplab::CudaError unless a CUDA runtime call returns cudaSuccess.
#define CUDA_CHECK(...) ::warplab::detail::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// The noexcept variant for destructors: prints a line to stderr.
#define CUDA_WARN(...) ::warplab::detail::warn((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// After `<<<>>>`: throws if the launch itself was refused.
#define CUDA_CHECK_LAUNCH() ::warplab::detail::check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
