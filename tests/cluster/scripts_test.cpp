// cluster/slurm/grade.sh and labs.sh, without a Slurm: what they ask sbatch for, and what they make.
#include <gtest/gtest.h>

#include "tests/cluster/stand_ins.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;

/// A tree of the scripts and what they start.
class Scripts : public testing::Test {
 protected:
  Scripts() {
    fs::create_directories(folder_ / "tree/cluster");
    fs::copy(fs::path(WARPLAB_SOURCE_DIR) / "cluster/slurm", folder_ / "tree/cluster/slurm");
    fs::create_directory(folder_ / "in");
  }
  Outcome run(const std::string& script) const {
    return house::run_with_sbatch(folder_, "tree/cluster/slurm/" + script);
  }
  std::string asked() const { return content_of(folder_ / "asked"); }
  ScratchFolder folder_;
};

TEST_F(Scripts, LabsOfOneUserRunOneAfterTheOther) {
  const Outcome outcome = run("labs.sh --labs transpose");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(asked().find("--job-name=warplab-labs --dependency=singleton "), std::string::npos) << asked();
  EXPECT_TRUE(asked().ends_with("/labs.sbatch --labs transpose\n")) << asked();
}

TEST_F(Scripts, ABatchIsClosedToOtherUsers) {
  house::write_program(folder_, "tree/build/emulator/bin/warplab", "");
  const Outcome outcome = run("grade.sh in term/out 3 --labs transpose");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(fs::status(folder_ / "term/out").permissions(), fs::perms::owner_all);
  EXPECT_NE(asked().find("--dependency=afterany:1 "), std::string::npos) << asked();
}

TEST_F(Scripts, PromiseTheMemoryThatWorkersMayTake) {
  const int worker_gib = 4;  // grader/build/sandboxed_builder.cpp
  const Outcome outcome = house::run("bash -c '. \"" + (folder_ / "tree/cluster/slurm/site.conf").string() +
                                     "\" && echo $((${grade_memory%G} / grade_cpus))'");
  EXPECT_GE(std::stoi("0" + outcome.output), worker_gib) << outcome.output;
}

TEST_F(Scripts, NameTheCommandsThatBuildTheGrader) {
  const Outcome outcome = run("grade.sh in out 3 --labs transpose");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.output;
  EXPECT_NE(outcome.output.find(
                "cmake --preset emulator && cmake --build --preset emulator --target warplab LAB..."),
            std::string::npos)
      << outcome.output;
  EXPECT_FALSE(fs::exists(folder_ / "asked")) << "nothing is submitted";
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace warplab
