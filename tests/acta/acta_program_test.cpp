#include <gtest/gtest.h>

#include <string>

#include "../common/scratch_folder.hpp"
#include "tests/common/command.hpp"

namespace warplab::acta {
namespace {

const std::string h100 = " --gst " WARPLAB_SOURCE_DIR "/labs/13_tma_queues/devices/h100.json";

house::Outcome acta(const std::string& arguments) {
  return house::run(WARPLAB_BINARY_DIR "/bin/acta " + arguments + " 2>&1");
}

TEST(ActaProgram, ListsTheKernels) {
  const auto listed = acta("--list");
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_NE(
      listed.output.find("matrix_vector   [2048, 2048] x 2048             9      8      5  262144000000000"),
      std::string::npos)
      << listed.output;
}

TEST(ActaProgram, PrintsSizesBesideTheBestOfAll) {
  for (const char* algorithm : {"own", "published", "exhaustive"}) {
    const auto sized = acta(h100 + " --algorithm " + algorithm);
    EXPECT_EQ(sized.exit_code, 0);
    EXPECT_NE(sized.output.find("matrix_matrix"), std::string::npos) << sized.output;
    EXPECT_NE(sized.output.find("behind the best in geometric mean: "), std::string::npos) << sized.output;
  }
}

TEST(ActaProgram, KeepsTheSearchsTable) {
  const ScratchFolder folder;
  const std::string arguments = h100 + " --kernel dot_product --table " + (folder / "t.csv").string();
  const auto first = acta(arguments), second = acta(arguments);
  EXPECT_EQ(first.exit_code, 0) << first.output;
  EXPECT_EQ(second.output, first.output);
  EXPECT_TRUE(content_of(folder / "t.csv").starts_with("# dot_product on NVIDIA H100"))
      << content_of(folder / "t.csv");
}

TEST(ActaProgram, RefusesBadInputInOneSentence) {
  const auto refused = [](const std::string& arguments) {
    const auto ran = acta(arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    return ran.output;
  };
  EXPECT_EQ(refused(""), "acta: --gst is missing; it names a GPU's table, such as devices/h100.json\n");
  EXPECT_EQ(refused("--gst /nowhere"), "acta: cannot read /nowhere; it must be a GPU's table as JSON\n");
  EXPECT_EQ(refused(h100 + " --table /tmp/x"),
            "acta: --table takes the search of one kernel; name it with --kernel\n");
  EXPECT_TRUE(refused(h100 + " --kernel dot").starts_with("acta: unknown kernel 'dot'; known kernels: "));
  EXPECT_EQ(refused(h100 + " --algorithm best"),
            "acta: --algorithm best is unknown; accepted are own, published, exhaustive\n");
  EXPECT_EQ(refused(h100 + " --latency-spread 2"),
            "acta: --latency-spread 2 is out of range; accepted are numbers from 0 to 1\n");
}

}  // namespace
}  // namespace warplab::acta
