#include "common/cuda_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/exceptions.hpp"

namespace warplab {
namespace {

TEST(CudaCheck, SaysWhatFailedWhereAndWhy) {
  try {
    CUDA_CHECK(cudaSetDevice(1234));
    FAIL() << "device 1234 exists";
  } catch (const CudaError& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.code(), cudaErrorInvalidDevice);
    EXPECT_NE(text.find("cudaSetDevice(1234) failed: cudaErrorInvalidDevice ("), std::string::npos) << text;
    EXPECT_NE(text.find("cuda_check_test.cpp:14"), std::string::npos) << text;
    EXPECT_NE(text.find("likely cause: there is no device with this number"), std::string::npos) << text;
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaCheck, TheVariantForDestructorsPrintsAndDoesNotThrow) {
  ::testing::internal::CaptureStderr();
  CUDA_WARN(cudaSetDevice(1234));
  CUDA_WARN(cudaSuccess);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("cudaSetDevice(1234) failed: cudaErrorInvalidDevice"), 0u) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(CudaCheck, KnowsWhichErrorsLoseTheDevice) {
  EXPECT_TRUE(detail::is_sticky(cudaErrorIllegalAddress));
  EXPECT_TRUE(detail::is_sticky(cudaErrorAssert));
  EXPECT_FALSE(detail::is_sticky(cudaErrorInvalidConfiguration));
  EXPECT_FALSE(detail::is_sticky(cudaSuccess));
}

}  // namespace
}  // namespace warplab
