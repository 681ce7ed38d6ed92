// warplab-cc: programs of Thrust's and CUB's algorithms for the whole device, from the headers that this
// machine has.
#include "tests/emulator/driver/template_libraries.hpp"

namespace warplab::test {
namespace {

TEST_P(TemplateLibraries, ThrustsAlgorithmsComputeWhatTheStandardLibraryDoes) {
  ASSERT_EQ(build("thrust_algorithms"), "");
  EXPECT_EQ(run("./program").output, "all equal\n");
}

TEST_P(TemplateLibraries, CubsDeviceAlgorithmsComputeWhatTheStandardLibraryDoes) {
  ASSERT_EQ(build("cub_device"), "");
  EXPECT_EQ(run("WARPLAB_SEED=7 ./program").output, "all equal\n");
  EXPECT_TRUE(says(run("WARPLAB_LENS=1 ./program"), "all equal\n"));
}

WARPLAB_WITH_ALL_HEADERS();

}  // namespace
}  // namespace warplab::test
