#include "harness/worker/process_tree.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <string>

#include "common/timer.hpp"
#include "harness/worker/child_process.hpp"

namespace warplab {
namespace {

/// A process with a child that does `work`, for as long as this object is there.
class Tree {
 public:
  explicit Tree(const std::function<void()>& work) {
    root_ = fork();
    if (root_ != 0) return;
    setpgid(0, 0);
    if (fork() == 0) work();
    pause();
    _exit(0);
  }
  ~Tree() {
    setpgid(root_, root_);
    kill(-root_, SIGKILL);
    waitpid(root_, nullptr, 0);
  }
  Tree(const Tree&) = delete;
  pid_t root() const { return root_; }

 private:
  pid_t root_ = -1;
};

bool linux_lists_children() {
  const std::string self = std::to_string(getpid());
  return std::ifstream("/proc/" + self + "/task/" + self + "/children").good();
}

TEST(ProcessTree, CountsWhatADescendantComputes) {
  if (!linux_lists_children()) GTEST_SKIP() << "this Linux does not list the children of a process";
  const Tree tree([] {
    for (std::atomic<unsigned> i{0};;) ++i;
  });
  const HostTimer timer;
  while (use_of_tree(tree.root()).cpu_s < 0.2 && timer.elapsed_ms() < 60'000) usleep(10'000);
  const ProcessTreeUse use = use_of_tree(tree.root());
  EXPECT_GE(use.cpu_s, 0.2);
  EXPECT_TRUE(use.wants_to_run);
}

TEST(ProcessTree, WhoSleepsWantsNothing) {
  const Tree tree([] {
    for (;;) pause();
  });
  usleep(200'000);
  const ProcessTreeUse use = use_of_tree(tree.root());
  EXPECT_FALSE(use.wants_to_run);
  EXPECT_LT(use.cpu_s, 0.1);
}

// A time is over for who sleeps when it is over; who is kept from running by others gets some more.
TEST(ChildProcess, WaitsForWhoIsStarvedAndNotForWhoSleeps) {
  const HostTimer timer;
  ChildProcess sleeper({"/bin/sleep", "60"});
  EXPECT_EQ(sleeper.wait(0.5), ChildProcess::Event::timeout);
  EXPECT_LT(timer.elapsed_ms(), 3000);

  ChildProcess busy({"/bin/sh", "-c", "while :; do :; done"});
  EXPECT_EQ(busy.wait(0.5), ChildProcess::Event::timeout);
  EXPECT_GE(timer.elapsed_ms(), 1000);
  EXPECT_LT(timer.elapsed_ms(), 3000 + 6 * 500 + 1000);
}

}  // namespace
}  // namespace warplab
