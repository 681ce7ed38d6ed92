// Graded code sees the same device wherever it runs: these solutions choose their grids by it, and keep to
// their limits on a device of 132 multiprocessors no longer.
#include <gtest/gtest.h>

#include "tests/common/command.hpp"

namespace warplab {
namespace {

std::string judged(const std::string& environment, const std::string& task) {
  const house::Outcome outcome =
      house::run(environment + " '" WARPLAB_BINARY_DIR "/bin/warplab' test " + task);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  return outcome.output;
}

TEST(GradedDevice, PointsDoNotDependOnTheDeviceThatIsEmulated) {
  for (const char* task : {"conv1d/register_tiled", "reduction/warp_shuffle"}) {
    const std::string here = judged("", task);
    EXPECT_EQ(here.find("failed"), std::string::npos) << here;
    EXPECT_EQ(judged("WARPLAB_DEVICE=h100 WARPLAB_DEVICES=2 WARPLAB_MULTIPROCESSORS=132", task), here);
  }
}

}  // namespace
}  // namespace warplab
