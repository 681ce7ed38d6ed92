// warplab-cc: programs that use CUB in their kernels and vectors of Thrust, from the headers that this
// machine has.
#include "tests/emulator/driver/template_libraries.hpp"

namespace warplab::test {
namespace {

TEST_P(TemplateLibraries, CubsBlocksAndWarpsComputeSums) {
  ASSERT_EQ(build("cub_in_kernels"), "");
  EXPECT_EQ(run("./program").output, "all equal\n");
  const Outcome counted = run("WARPLAB_LENS=1 ./program");
  EXPECT_TRUE(says(counted, "all equal\n") && says(counted, "scan_tiles")) << counted.output;
  EXPECT_TRUE(says(counted, "findings: none")) << counted.output;
}

TEST_P(TemplateLibraries, AReadPastADeviceVectorIsFoundAtItsLine) {
  ASSERT_EQ(build("past_a_device_vector"), "");
  const Outcome found = run("WARPLAB_LENS=1 ./program");
  EXPECT_TRUE(says(found, "out[i] = in[i + 1];")) << found.output;
  EXPECT_TRUE(says(found, "reads 4 bytes just past the end of a 4000-byte cudaMalloc")) << found.output;
  EXPECT_TRUE(says(found, "element 1000 where there are 1000")) << found.output;
}

WARPLAB_WITH_ALL_HEADERS();

}  // namespace
}  // namespace warplab::test
