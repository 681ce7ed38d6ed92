#include "common/throwing.hpp"

#include <cuda_runtime.h>

#include <cstring>

#include "common/cuda_check.hpp"
#include "common/exceptions.hpp"

namespace warplab {
namespace {

/// Also of a sentence that a student's code has made of other bytes.
std::string text_of(const Sentence& sentence) {
  return {sentence.text(), strnlen(sentence.text(), Sentence::room)};
}

}  // namespace

void throw_invalid_argument(Sentence sentence) { throw std::invalid_argument(text_of(sentence)); }

void throw_to_do(Sentence hint) { throw ToDo(text_of(hint)); }

void throw_cuda_error(cudaError_t code, Sentence call, Sentence file, int line) {
  (void)cudaGetLastError();
  std::string text = text_of(call) + " failed: " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) +
                     ") at " + text_of(file) + ":" + std::to_string(line) + likely_cause_line(code);
  if (detail::is_sticky(code)) text += "\n  the fault may stem from an earlier, asynchronous kernel";
  throw CudaError(code, text);
}

}  // namespace warplab
