#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplab::parity {

/// One small kernel, launched once: what it counts is compared between a GPU and the emulator.
struct Case {
  std::string kernel;  ///< its name, which no other case has
  std::string group;
  void (*run)();  ///< launches it and throws std::runtime_error unless it did what the host does
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Registration {
  Registration(const char* kernel, const char* group, void (*run)()) {
    cases().push_back({kernel, group, run});
  }
};

/// `PARITY_CASE(kernel, "group") { ... }` defines what the case does: inputs, one launch, expect_equal().
#define PARITY_CASE(kernel, group)                                                                 \
  static void kernel##_case();                                                                     \
  static const warplab::parity::Registration kernel##_registration(#kernel, group, kernel##_case); \
  static void kernel##_case()

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// An array in device memory that passes for a pointer.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    check(cudaMalloc(&data_, count_ * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(std::size_t count, T value) : Array(std::vector<T>(count, value)) {}
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  operator T*() const { return data_; }

  /// The contents, after the kernel.
  std::vector<T> host() const {
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Whole numbers from 0 to limit - 1 that follow only from their index, so small that sums of them are exact.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned limit = 100, std::uint32_t seed = 1) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = (static_cast<std::uint32_t>(i) + seed * 7919u) * 2654435761u;
    bits = (bits ^ (bits >> 15)) * 2246822519u;
    values[i] = static_cast<T>((bits ^ (bits >> 13)) % limit);
  }
  return values;
}

/// Expects expected(i) in every element i of `array`.
template <class T, class Expected>
void expect_equal(const Array<T>& array, Expected expected) {
  const std::vector<T> values = array.host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T right = expected(i);
    if (values[i] == right) continue;
    std::ostringstream text;
    text << "element " << i << " is " << +values[i] << "; it must be " << +right;
    throw std::runtime_error(text.str());
  }
}

inline unsigned blocks_for(std::size_t threads, unsigned block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace warplab::parity
