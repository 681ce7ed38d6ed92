#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <string>

namespace warplab::test {

/// A test of what the emulator says: what it writes to stderr is kept. Afterwards the device works again.
class ReportTest : public ::testing::Test {
 protected:
  ~ReportTest() override { cudaDeviceReset(); }

  static void listen() { testing::internal::CaptureStderr(); }
  /// Waits for the device; returns its error and keeps what was said since listen().
  cudaError_t wait() {
    const cudaError_t error = cudaDeviceSynchronize();
    report_ = testing::internal::GetCapturedStderr();
    return error;
  }
  /// The error of a call; keeps what is said meanwhile.
  template <class Call>
  cudaError_t said(Call call) {
    listen();
    const cudaError_t error = call();
    report_ = testing::internal::GetCapturedStderr();
    cudaGetLastError();
    return error;
  }
  bool says(const std::string& words) const { return report_.find(words) != std::string::npos; }

  std::string report_;
};

}  // namespace warplab::test
