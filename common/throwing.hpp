#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>

// How launchers throw. <stdexcept>, and <string> with it, would make up a third of the time that a small .cu
// file takes to compile, so they are only in throwing.cpp, which is part of every rung's module.

namespace warplab {

/// A sentence of words, numbers and shapes ("256", "32x8", "8x8x4"). What is beyond its room is cut off.
class Sentence {
 public:
  static constexpr std::size_t room = 400;  ///< bytes, with the 0 at the end

  template <class... Parts>
  explicit Sentence(Parts... parts) {
    (add(parts), ...);
  }
  const char* text() const { return text_; }

 private:
  void add(const char* word) {
    for (; *word != '\0' && length_ + 1 < room; ++word) text_[length_++] = *word;
  }
  void add(long long value) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%lld", value);
    add(digits);
  }
  void add(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", value);
    add(digits);
  }
  void add(long value) { add(static_cast<long long>(value)); }
  void add(int value) { add(static_cast<long long>(value)); }
  void add(unsigned value) { add(static_cast<long long>(value)); }
  void add(unsigned long value) { add(static_cast<long long>(value)); }
  void add(dim3 shape) {
    add(shape.x);
    if (shape.y != 1 || shape.z != 1) add("x"), add(shape.y);
    if (shape.z != 1) add("x"), add(shape.z);
  }

  char text_[room] = {};
  std::size_t length_ = 0;
};

// Sentences go by value: so a student's code, where it is graded, hands over no pointer
// that would have to be looked at.

/// @throws std::invalid_argument with this sentence
[[noreturn]] void throw_invalid_argument(Sentence sentence);

/// @throws ToDo with this hint
[[noreturn]] void throw_to_do(Sentence hint);

/// Takes a call's error from the runtime, so that it does not surface again elsewhere unless it is sticky.
/// @param call the call as written in the source
/// @param file the source file, and `line`
/// @throws CudaError with the error's name, its meaning and a likely cause
[[noreturn]] void throw_cuda_error(cudaError_t code, Sentence call, Sentence file, int line);

}  // namespace warplab
