#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace warplab {

/// What a stub throws: the exercise has not been written yet. Programs show the
/// hint without failing; tests fail.
struct ToDo : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a rung did wrong, beside wrong values: memory that it did not free, an input that it changed.
struct RungFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A CUDA call that failed: what() has the expression, the error's name and
/// meaning, where, and a likely cause.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& text) : std::runtime_error(text), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// What most often leads to `code`; "" where nothing useful can be said.
const char* likely_cause(cudaError_t code);

/// "\n  likely cause: ...", or "" where nothing useful can be said, or where it was said already: the
/// emulator names the cause of each kernel's fault.
std::string likely_cause_line(cudaError_t code);

}  // namespace warplab
