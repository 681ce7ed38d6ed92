// cluster/slurm/groups: two groups of GPUs in one command, without a Slurm: what sbatch is asked for, and
// what its jobs do.
#include <gtest/gtest.h>

#include "tests/cluster/stand_ins.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::Outcome;
using house::write_program;

const fs::path root = WARPLAB_SOURCE_DIR;

/// groups.sh with these arguments.
Outcome submitted(const ScratchFolder& folder, const std::string& arguments) {
  return house::run_with_sbatch(folder, "'" + (root / "cluster/slurm/groups.sh").string() + "' " + arguments);
}

TEST(Groups, SubmitsAJobForEachAndTheSecondAfterTheFirst) {
  const ScratchFolder folder;
  const Outcome outcome = submitted(folder, "out T=volta G=titan/gpu:titan:1 --suite published");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.output;
  const std::string asked = content_of(folder / "asked"), out = fs::canonical(folder / "out").string();
  for (const std::string& words :
       {"--partition=volta --gres=gpu:1 " + root.string() + "/cluster/slurm/groups.sbatch " + out +
            " T G --suite published\n",
        "--partition=titan --gres=gpu:titan:1 --dependency=afterany:1 " + root.string() +
            "/cluster/slurm/groups.sbatch " + out + " G T --suite published\n"})
    EXPECT_NE(asked.find(words), std::string::npos) << words << "\n" << asked;
  EXPECT_NE(outcome.output.find("jobs 1 and 2"), std::string::npos) << outcome.output;
}

TEST(Groups, RefusesWhatIsNotTwoGroups) {
  const ScratchFolder folder;
  for (const auto& [arguments, words] :
       {std::pair{"out T=volta", "usage: "},
        {"T=volta G=titan --repeat 3", "OUT is 'T=volta'"},
        {"out T=volta titan", "a group is 'titan'; it takes NAME=PARTITION[/GRES]"},
        {"out T=volta T=titan", "both groups are called T"}}) {
    const Outcome outcome = submitted(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.output.find(words), std::string::npos) << outcome.output;
  }
  EXPECT_FALSE(fs::exists(folder / "asked")) << "nothing is submitted";
}

TEST(Groups, AJobRunsInACopyAndTheSecondCompares) {
  const ScratchFolder folder;
  folder.write("tree/cluster/slurm/site.conf", content_of(root / "cluster/slurm/site.conf"));
  folder.write("tree/build/stale", "");
  write_program(folder, "tree/run_all.sh",
                "[[ $1 == --group ]] || exit 9\n"
                "[[ ! -e build/stale ]] || exit 8\nmkdir -p \"$4\" build/cuda/bin\n"
                "echo \"$@\" >\"$4/results.json\"\n"
                "printf '#!/bin/sh\\necho \"$@\" >\"$5\"\\n' >build/cuda/bin/warplab-results\n"
                "chmod +x build/cuda/bin/warplab-results\n");
  const auto job = [&](const std::string& arguments) {
    return house::run("TMPDIR='" + folder.path().string() + "' WARPLAB_ROOT='" + (folder / "tree").string() +
                      "' bash '" + (root / "cluster/slurm/groups.sbatch").string() + "' '" +
                      (folder / "out").string() + "' " + arguments);
  };
  const Outcome first = job("T G --repeat 3");
  ASSERT_EQ(first.exit_code, 0) << first.output;
  EXPECT_EQ(content_of(folder / "out/T/results.json"),
            "--group T --out " + (folder / "out/T").string() + " --repeat 3\n");
  EXPECT_FALSE(fs::exists(folder / "out/comparison.html"));
  const Outcome second = job("G T");
  ASSERT_EQ(second.exit_code, 0) << second.output;
  EXPECT_EQ(content_of(folder / "out/comparison.html"), "report " + (folder / "out/T").string() + " " +
                                                            (folder / "out/G").string() + " --out " +
                                                            (folder / "out/comparison.html").string() + "\n");
  for (const auto& left : fs::directory_iterator(folder.path()))
    EXPECT_FALSE(left.path().filename().string().starts_with("warplab-")) << "the copy is removed";
}

}  // namespace
}  // namespace warplab
