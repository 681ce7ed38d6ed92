// cluster/slurm on a Slurm of one node, which this test starts and ends.
#include <gtest/gtest.h>
#include <unistd.h>

#include "grader/course/course.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/release/solution_regions.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;

const fs::path root = WARPLAB_SOURCE_DIR;

class Slurm : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::permissions(folder_.path(), fs::perms(0755));  // munged has a user of its own
    const Outcome started = house::run(node("start"));
    if (started.exit_code == 3) GTEST_SKIP() << started.output;
    ASSERT_EQ(started.exit_code, 0) << started.output;
    // This node has less memory to promise.
    folder_.write("site.conf", content_of(root / "cluster/slurm/site.conf") +
                                   "grade_memory=\"512M\" grade_cpus=1 tasks_at_a_time=2\n");
  }
  void TearDown() override { house::run(node("stop")); }
  std::string node(const std::string& command) const {
    return "'" + (root / "tests/cluster/one_node.sh").string() + "' " + command + " '" +
           (folder_ / "slurm").string() + "'";
  }
  Outcome with_slurm(const std::string& command) const {
    return house::run("SLURM_CONF='" + (folder_ / "slurm/slurm.conf").string() + "' WARPLAB_SITE='" +
                      (folder_ / "site.conf").string() + "' " + command);
  }
  ScratchFolder folder_;
};

TEST_F(Slurm, AnArrayGradesAClassAndAJobBehindItCollects) {
  const Lab lab = Course::read(root).only({"vector_add"}).labs.at(0);
  for (const char* student : {"ada", "bob", "cyd", "dan"})
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files())
        folder_.write(
            "in/" + std::string(student) + "/labs/02_vector_add/" + file,
            student == std::string("bob") ? "garbage" : with_solutions(content_of(lab.folder / file), file));
  const fs::path out = folder_ / "out";
  const Outcome submitted =
      with_slurm("'" + (root / "cluster/slurm/grade.sh").string() + "' '" + (folder_ / "in").string() +
                 "' '" + out.string() + "' 2 --labs vector_add");
  ASSERT_EQ(submitted.exit_code, 0) << submitted.output;
  for (int waited = 0; waited < 120 && !fs::exists(out / "gradebook.csv"); ++waited) sleep(1);
  std::string logs;
  for (const auto& log : fs::directory_iterator(out / "judge/slurm")) logs += content_of(log.path());
  const auto records = RecordStore(out).read_all().records;
  ASSERT_EQ(records.size(), 4u) << logs;
  for (const SubmissionRecord& record : records)
    EXPECT_EQ(record.score(), record.student == "bob" ? 0 : lab.points) << record.student << "\n" << logs;
  EXPECT_TRUE(fs::exists(out / "summary.html")) << logs;
}

TEST(SlurmScripts, SayWhatIsMissing) {
  const std::string script = (root / "cluster/slurm/grade.sh").string();
  const Outcome bare = house::run("'" + script + "'");
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_NE(bare.output.find("usage: "), std::string::npos) << bare.output;
  const Outcome nowhere = house::run("'" + script + "' /nowhere out 3");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_NE(nowhere.output.find("there is no /nowhere"), std::string::npos) << nowhere.output;
  if (house::run("command -v sbatch").exit_code == 0) return;
  const Outcome labs = house::run("'" + (root / "cluster/slurm/labs.sh").string() + "'");
  EXPECT_EQ(labs.exit_code, 3);
  EXPECT_NE(labs.output.find("sbatch is not installed"), std::string::npos) << labs.output;
}

}  // namespace
}  // namespace warplab
