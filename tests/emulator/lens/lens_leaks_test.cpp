// What the lens says of memory that a program never frees: by which call it would be, whoever allocated it.
#include "emulator/src/checker/leaks.hpp"

#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using warplab::emulator::lens::find_leaks;

/// The text of the only leak that is there.
std::string only_leak() {
  const std::vector<warplab::lens::Finding> leaks = find_leaks();
  EXPECT_EQ(leaks.size(), 1u);
  return leaks.empty() ? "" : leaks[0].text;
}

TEST(LensLeaks, NameTheCallThatIsMissing) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 256), cudaSuccess);
  EXPECT_NE(only_leak().find("is a cudaFree missing"), std::string::npos) << only_leak();
  ASSERT_EQ(cudaFree(memory), cudaSuccess);

  ASSERT_EQ(cudaMallocHost(&memory, 256), cudaSuccess);
  EXPECT_NE(only_leak().find("is a cudaFreeHost missing"), std::string::npos) << only_leak();
  ASSERT_EQ(cudaFreeHost(memory), cudaSuccess);

  std::vector<char> own(256);
  ASSERT_EQ(cudaHostRegister(own.data(), own.size(), cudaHostRegisterDefault), cudaSuccess);
  EXPECT_NE(only_leak().find("is a cudaHostUnregister missing"), std::string::npos) << only_leak();
  ASSERT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_TRUE(find_leaks().empty());
}

TEST(LensLeaks, OfPinnedMemoryOfTheDriversAreNotForCudaFree) {
  void* memory = nullptr;
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);  // makes the context
  ASSERT_EQ(cuMemAllocHost(&memory, 256), CUDA_SUCCESS);
  EXPECT_NE(only_leak().find("is a cudaFreeHost missing"), std::string::npos) << only_leak();
  ASSERT_EQ(cuMemFreeHost(memory), CUDA_SUCCESS);
}

}  // namespace
