// Editors understand .cu files: clangd, as .clangd sets it up, finds nothing wrong in kernels of every kind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/common/command.hpp"

namespace warplab::house {
namespace {

class Clangd : public testing::TestWithParam<const char*> {};

TEST_P(Clangd, UnderstandsTheFile) {
  if (run("command -v clangd").exit_code != 0) GTEST_SKIP() << "clangd is not installed";
  // .clangd names build/emulator, so that is where it has to look for this test to be about anything.
  if (std::string(WARPLAB_BINARY_DIR) != WARPLAB_SOURCE_DIR "/build/emulator")
    GTEST_SKIP() << "this build tree is not build/emulator";
  const Outcome checked = run("cd '" WARPLAB_SOURCE_DIR "' && clangd --check='" + std::string(GetParam()) +
                              "' --check-lines=1-1");
  EXPECT_NE(checked.output.find("All checks completed, 0 errors"), std::string::npos) << checked.output;
}

INSTANTIATE_TEST_SUITE_P(House, Clangd,
                         testing::Values("docs/examples/mistakes.cu", "labs/04_conv1d/conv1d_shared.cu",
                                         "labs/06_sobel/sobel_fused.cu",
                                         "labs/08_reduction/reduction_single_pass.cu",
                                         "labs/12_gaussian/gaussian_wmma_padded.cu"),
                         [](const auto& file) { return std::filesystem::path(file.param).stem().string(); });

}  // namespace
}  // namespace warplab::house
