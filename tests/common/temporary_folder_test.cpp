#include "common/io/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

std::size_t entries_in(const ScratchFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

/// Runs `body` in a child process that ends tidily, and interrupts it when it has made its folders.
/// @return the child's exit code, or -1 where it had none
template <class Body>
int interrupted(const ScratchFolder& folder, std::size_t entries, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    end_tidily("tidy");
    body();
    _exit(0);
  }
  for (int i = 0; i < 500 && entries_in(folder) < entries; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TemporaryFolder, GoesWithItsScope) {
  const ScratchFolder folder;
  {
    const TemporaryFolder temporary(folder / "work-");
    EXPECT_TRUE(temporary.path().filename().string().starts_with("work-"));
    std::ofstream(temporary.path() / "file") << "x";
  }
  EXPECT_EQ(entries_in(folder), 0u);
}

TEST(TemporaryFolder, CannotBeMadeWhereThereIsNoFolder) {
  EXPECT_THROW(TemporaryFolder("/nonexistent/work-"), fs::filesystem_error);
}

TEST(TemporaryFolder, GoesWhenTheProgramIsInterrupted) {
  const ScratchFolder folder;
  const int code = interrupted(folder, 2, [&] {
    const TemporaryFolder first(folder / "a-"), second(folder / "b-");
    for (;;) pause();  // returns after the handler
  });
  EXPECT_EQ(code, 130);
  EXPECT_EQ(entries_in(folder), 0u);
}

TEST(TemporaryFolder, StaysWhenItIsAboutToTakeAnothersPlace) {
  const ScratchFolder folder;
  const int code = interrupted(folder, 2, [&] {
    TemporaryFolder temporary(folder / "a-");
    temporary.leave_when_interrupted();
    std::ofstream(folder / "made") << "x";
    for (;;) pause();  // returns after the handler
  });
  EXPECT_EQ(code, 130);
  EXPECT_EQ(entries_in(folder), 2u);
}

}  // namespace
}  // namespace warplab
