#pragma once

// Cases of the program `findings`: kernels that a checker must complain about, and kernels that it must not.
// Each case is a section that begins with a line `// CASE name: what it is`; a line that a checker must name
// ends in `// FINDS kind`. Ordinary CUDA: the same cases run on a GPU under compute-sanitizer.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace findings {

struct Case {
  const char* name;
  const char* file;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Registration {
  Registration(const char* name, const char* file, void (*run)()) { cases().push_back({name, file, run}); }
};

/// Ends the program where the host's side of a case fails; errors of kernels are what the cases are about.
inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "host: %s\n", cudaGetErrorString(error));
  std::exit(4);
}

/// `n` elements of device memory.
template <class T>
class Buffer {
 public:
  static Buffer fresh(std::size_t n) { return Buffer(n); }
  Buffer(std::size_t n, T value) : Buffer(n) {
    const std::vector<T> host(n, value);
    check(cudaMemcpy(data_, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  operator T*() const { return data_; }

 private:
  explicit Buffer(std::size_t n) { check(cudaMalloc(&data_, n * sizeof(T))); }
  T* data_ = nullptr;
};

}  // namespace findings

using findings::Buffer;
using findings::check;

#define CASE(name)                                                                  \
  static void run_##name();                                                         \
  static const findings::Registration register_##name(#name, __FILE__, run_##name); \
  static void run_##name()
