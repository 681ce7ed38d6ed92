#include "emulator/src/base/errors.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "emulator/src/base/device_profile.hpp"
#include "warplab_emulator/lens/reports.hpp"

namespace warplab::emulator {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> sticky_error{cudaSuccess};
std::atomic<int> channel{-1};

}  // namespace

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

void set_sticky(cudaError_t error) {
  sticky_error.store(error, std::memory_order_relaxed);
  if (error == cudaSuccess) last_error = cudaSuccess;  // a reset device has no past
}

cudaError_t last_error_of_thread(bool clear) {
  const cudaError_t error = sticky() != cudaSuccess ? sticky() : last_error;
  if (clear) last_error = cudaSuccess;
  return error;
}

cudaError_t sticky() {
  const cudaError_t error = sticky_error.load(std::memory_order_relaxed);
  return error == cudaSuccess && asks_for_unknown_device() ? cudaErrorNoDevice : error;
}

void report(const char* format, ...) {
  char text[4096] = "warplab emulator: ";
  const std::size_t prefix = std::strlen(text);
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text + prefix, sizeof text - prefix - 1, format, arguments);
  va_end(arguments);
  std::size_t end = length < 0 ? prefix : prefix + static_cast<std::size_t>(length);
  if (end > sizeof text - 2) end = sizeof text - 2;
  text[end++] = '\n';
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, end);
  if (const int copy = channel; copy >= 0) written = write(copy, text + prefix, end - prefix);
}

void send_reports_to(int descriptor) { channel = descriptor; }

}  // namespace warplab::emulator

#define WARPLAB_NAME(name, number, text) \
  case name:                             \
    return #name;
#define WARPLAB_TEXT(name, number, text) \
  case name:                             \
    return text;

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) { WARPLAB_CUDA_ERRORS(WARPLAB_NAME) }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) { WARPLAB_CUDA_ERRORS(WARPLAB_TEXT) }
  return "unrecognized error code";
}
