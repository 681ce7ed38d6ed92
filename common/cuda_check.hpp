#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace warplab {

/// A CUDA call that failed: what() has the expression, the error's name and meaning, where, and a likely
/// cause.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& text) : std::runtime_error(text), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

namespace detail {

/// What most often leads to `code`; "" where nothing useful can be said.
inline const char* likely_cause(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
      return "an argument is out of range: a null pointer, a size beyond the allocation, or a wrong copy "
             "direction";
    case cudaErrorMemoryAllocation:
      return "the device's memory is full: use a smaller size, or free what is no longer needed";
    case cudaErrorInvalidConfiguration:
      return "more than 1024 threads a block, a block or grid extent of 0, or too much shared memory";
    case cudaErrorInvalidMemcpyDirection:
      return "source and destination do not match the cudaMemcpyKind";
    case cudaErrorInsufficientDriver:
      return "the driver is older than this CUDA toolkit: update the driver, or build with an older toolkit";
    case cudaErrorNoDevice:
      return "no GPU is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES, or build the emulator preset";
    case cudaErrorInvalidDevice:
      return "there is no device with this number";
    case cudaErrorNoKernelImageForDevice:
      return "built for another architecture: configure with -DCMAKE_CUDA_ARCHITECTURES=native";
    case cudaErrorInvalidResourceHandle:
      return "a stream or event that was destroyed, or belongs to another device";
    case cudaErrorIllegalAddress:
      return "a kernel used an index past the end of an array (is the guard missing?), or a host pointer";
    case cudaErrorMisalignedAddress:
      return "a vector load or store (float4) at an address that is not a multiple of its size";
    case cudaErrorLaunchOutOfResources:
      return "too many registers a thread for this block size: use a smaller block or __launch_bounds__";
    case cudaErrorLaunchTimeout:
      return "the kernel ran longer than the display's time limit allows";
    case cudaErrorAssert:
      return "an assert() in a kernel failed; its text stands in the output";
    case cudaErrorLaunchFailure:
      return "a kernel crashed: an invalid address, a stack overflow, or a barrier that not all threads "
             "reach";
    case cudaErrorInvalidSymbol:
      return "the symbol is not a __device__ or __constant__ variable";
    default:
      return "";
  }
}

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

inline std::string describe(cudaError_t code, const char* expression, const char* file, int line) {
  std::string text = std::string(expression) + " failed: " + cudaGetErrorName(code) + " (" +
                     cudaGetErrorString(code) + ") at " + file + ":" + std::to_string(line);
  if (const char* cause = likely_cause(code); *cause) text += std::string("\n  likely cause: ") + cause;
  if (is_sticky(code)) text += "\n  the fault may stem from an earlier, asynchronous kernel";
  return text;
}

inline void check(cudaError_t code, const char* expression, const char* file, int line) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // so that an error that is not sticky does not surface again elsewhere
  throw CudaError(code, describe(code, expression, file, line));
}

inline void warn(cudaError_t code, const char* expression, const char* file, int line) noexcept {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  std::fprintf(stderr, "%s failed: %s (%s) at %s:%d\n", expression, cudaGetErrorName(code),
               cudaGetErrorString(code), file, line);
}

}  // namespace detail
}  // namespace warplab

/// Throws warplab::CudaError unless a CUDA runtime call returns cudaSuccess.
#define CUDA_CHECK(...) ::warplab::detail::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// The noexcept twin for destructors: prints a line to stderr.
#define CUDA_WARN(...) ::warplab::detail::warn((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// After `<<<>>>`: throws if the launch itself was refused.
#define CUDA_CHECK_LAUNCH() ::warplab::detail::check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
