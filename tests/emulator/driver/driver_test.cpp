// Parts of warplab-cc by themselves: the commands that it runs, and the table of what is missing.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>

#include "common/io/file_content.hpp"
#include "emulator/driver/commands.hpp"
#include "emulator/driver/unsupported.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

TEST(Commands, ASignalEndsAWaitThatBeginsAfterIt) {
  catch_signals();
  const pid_t sleeps = start({"sleep", "60"}), ended = start({"true"});
  EXPECT_TRUE(wait_for(ended));
  raise(SIGTERM);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(wait_for(sleeps), Interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Commands, ASignalIsSeenThoughTheCommandHasEnded) {
  catch_signals();
  const pid_t fails = start({"false"});
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(fails), &ended, WEXITED | WNOWAIT), 0);
  raise(SIGINT);
  EXPECT_THROW(wait_for(fails), Interrupted) << "the command itself has not failed";
}

TEST(Commands, MayBeWaitedForInAnyOrderAndEndByAnyWay) {
  catch_signals();
  const pid_t succeeds = start({"true"}), fails = start({"false"}), is_ended = start({"sh", "-c", "kill $$"});
  EXPECT_FALSE(wait_for(is_ended)) << "signals are blocked in warplab-cc only";
  EXPECT_FALSE(wait_for(fails));
  EXPECT_TRUE(wait_for(succeeds));
  EXPECT_FALSE(wait_for(succeeds)) << "which is over";
}

/// The names in a header's code: without comments, literals and what it includes.
std::set<std::string> names_of(const std::string& text) {
  std::set<std::string> names;
  const std::string in_name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text.find_first_not_of(in_name, i);
    if (end > i) {
      names.insert(text.substr(i, end - i));
      i = std::min(end, text.size());
    } else if (text.compare(i, 2, "//") == 0 || text.compare(i, 8, "#include") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
      ++i;
    } else {
      ++i;
    }
  }
  return names;
}

TEST(Lacks, NothingThatAHeaderDeclaresIsMissing) {
  int headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(WARPLAB_SOURCE_DIR "/emulator/include")) {
    if (!entry.is_regular_file()) continue;
    ++headers;
    for (const std::string& name : names_of(file_content(entry.path()))) {
      // Types and numbers that a program may name, and which every function refuses.
      if (name.starts_with("CURAND_RNG_") || name.find("MipmappedArray") != name.npos) continue;
      const Lack* const lack = find_lack(name);
      EXPECT_EQ(lack, nullptr) << entry.path() << " has " << name << ", and " << lack->word
                               << " is in the table of what the emulator has not";
    }
  }
  EXPECT_GT(headers, 100);
}

}  // namespace
}  // namespace warplab::driver
