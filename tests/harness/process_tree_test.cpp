#include "harness/worker/process_tree.hpp"

#include <gtest/gtest.h>
#include <sched.h>
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

/// Keeps this process, and those that it starts, on one processor for as long as this object is there.
class OnOneProcessor {
 public:
  OnOneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OnOneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  OnOneProcessor(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

bool linux_tells_what_is_queued() { return std::ifstream("/proc/self/schedstat").good(); }

TEST(ProcessTree, CountsHowLongAThreadWaitsForAProcessor) {
  if (!linux_lists_children() || !linux_tells_what_is_queued()) GTEST_SKIP() << "this Linux does not tell it";
  const OnOneProcessor shared;
  const auto computes = [] {
    for (std::atomic<unsigned> i{0};;) ++i;
  };
  const Tree tree(computes), other(computes);
  const HostTimer timer;
  while (use_of_tree(tree.root()).queued_s < 0.2 && timer.elapsed_ms() < 60'000) usleep(10'000);
  const ProcessTreeUse use = use_of_tree(tree.root());
  EXPECT_GE(use.queued_s, 0.2);
  EXPECT_LE(use.queued_s + use.cpu_s, timer.elapsed_ms() / 1000 + 0.5);
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
TEST(ChildProcess, KnowsWhetherOthersKilledIt) {
  const auto killed = [](const char* script) {
    ChildProcess child({"/bin/sh", "-c", script});
    EXPECT_EQ(child.wait(60), ChildProcess::Event::ended) << script;
    return child.was_killed_by_others();
  };
  EXPECT_TRUE(killed("kill -KILL $$"));
  EXPECT_TRUE(killed("exit 137")) << "as a sandbox's words tell it";
  EXPECT_FALSE(killed("kill -SEGV $$"));
  EXPECT_FALSE(killed("exit 1"));
  EXPECT_FALSE(killed("exec 3>&- 4>&-; sleep 60")) << "it closed its socket, and was ended for that";
  ChildProcess late({"/bin/sleep", "60"});
  EXPECT_EQ(late.wait(0.2), ChildProcess::Event::timeout);
  late.kill();
  EXPECT_FALSE(late.was_killed_by_others());
}

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

// Two loops that take turns on one processor have had a half of the time that they had with two.
TEST(ChildProcess, SeveralThreadsOnOneProcessorGetTheTimeThatTheyWouldHaveWithMore) {
  if (!linux_lists_children() || !linux_tells_what_is_queued()) GTEST_SKIP() << "this Linux does not tell it";
  const OnOneProcessor shared;
  const HostTimer timer;
  ChildProcess busy({"/bin/sh", "-c", "while :; do :; done & while :; do :; done"});
  EXPECT_EQ(busy.wait(1), ChildProcess::Event::timeout);
  EXPECT_GE(timer.elapsed_ms(), 1700);
  EXPECT_LT(timer.elapsed_ms(), 30'000);
}

}  // namespace
}  // namespace warplab
