// What a sandbox keeps in, at both levels, and that nothing is left when it ends.
#include "grader/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "common/host/bad_input.hpp"
#include "common/timer.hpp"
#include "grader/sandbox/file_rules.hpp"
#include "grader/sandbox/work_folder.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/child_process.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
const fs::path hostile = fs::path(WARPLAB_BINARY_DIR) / "tests" / "bin" / "hostile_program";

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess() << "'" << part << "' is in:\n" << text;
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << text;
}

testing::AssertionResult matches(const std::string& text, const std::string& pattern) {
  if (std::regex_search(text, std::regex(pattern))) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << pattern << "' matches nothing in:\n" << text;
}

/// Why a level cannot be tested here, or "".
std::string obstacle(SandboxLevel level) {
  static std::map<SandboxLevel, std::string> known;
  const auto [entry, is_new] = known.try_emplace(level);
  if (!is_new) return entry->second;
  try {
    (void)level_by_name(name_of(level));
    if (level == SandboxLevel::confined)
      for (fs::path folder = hostile.parent_path(); folder != "/"; folder = folder.parent_path())
        if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none)
          entry->second = folder.string() + " is closed to other users";
  } catch (const NotAvailable& absent) {
    entry->second = absent.what();
  }
  return entry->second;
}

/// A folder that all users can enter.
class OpenFolder : public ScratchFolder {
 public:
  OpenFolder() { fs::permissions(path(), fs::perms(0755)); }
};

class SandboxTest : public testing::TestWithParam<SandboxLevel> {
 protected:
  void SetUp() override {
    if (const std::string why = obstacle(GetParam()); !why.empty()) GTEST_SKIP() << why;
    sandbox_.emplace(GetParam(), 3);
    mark_ = "mark-" + std::to_string(getpid()) + "-" + std::to_string(runs_++);
    spec_.visible = {hostile};
    spec_.cpu_s = 20;
  }
  void TearDown() override {
    if (!sandbox_) return;
    sandbox_.reset();
    EXPECT_EQ(survivors(), 0) << "processes outlive their sandbox";
  }

  CommandOutcome run(std::vector<std::string> deed, double wall_s = 10) {
    std::vector<std::string> command{hostile, mark_};
    command.insert(command.end(), deed.begin(), deed.end());
    const HostTimer timer;
    const CommandOutcome outcome = sandbox_->run(spec_, command, wall_s);
    took_s_ = timer.elapsed_ms() / 1000;
    EXPECT_EQ(survivors(), 0) << "processes outlive their command";
    return outcome;
  }
  /// A folder that the commands can write to.
  fs::path lend() {
    spec_.folder = folder_.path();
    sandbox_->lend(folder_.path());
    return folder_.path();
  }
  bool bubblewrap() const { return GetParam() == SandboxLevel::bubblewrap; }

  /// How many processes on this machine are of this test's commands, and were started by such a name.
  int survivors(const std::string& program = "") const {
    int found = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string words = content_of(entry.path() / "cmdline");
      found += words.starts_with(program) && words.find(mark_ + '\0') != std::string::npos;
    }
    return found;
  }

  static inline int runs_ = 0;
  std::optional<Sandbox> sandbox_;
  SandboxSpec spec_;
  OpenFolder folder_;
  std::string mark_;
  double took_s_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Levels, SandboxTest,
                         testing::Values(SandboxLevel::bubblewrap, SandboxLevel::confined),
                         [](const auto& level) { return std::string(name_of(level.param)); });

// --- What is out of reach ---

TEST_P(SandboxTest, HasNoSockets) {
  const CommandOutcome outcome = run({"sockets"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output,
            "internet: Operation not permitted\nlocal: Operation not permitted\nnetlink: Operation not "
            "permitted\npair: Operation not permitted\n");
}

TEST_P(SandboxTest, WithAGpuListensAsItsDriverDoesAndReachesNobody) {
  spec_.gpu = true;
  const CommandOutcome outcome = run({"listens"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output,
            "local: done\nbind: done\nlisten: done\nconnect: Operation not permitted\n"
            "internet: Operation not permitted\nthread's name: done\n");
}

TEST_P(SandboxTest, CannotReadWhatIsNotNamed) {
  const OpenFolder elsewhere;
  const fs::path secret = elsewhere.write("secret", "hidden-secret");
  fs::permissions(secret, fs::perms(0600));
  fs::create_directory(elsewhere / "closed");
  fs::permissions(elsewhere / "closed", fs::perms(0700));
  const fs::path open_inside = elsewhere.write("closed/open", "hidden-inside");
  const CommandOutcome outcome =
      run({"reads", secret, elsewhere / "closed", open_inside, "/etc/shadow", "/proc/1/environ"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST_P(SandboxTest, CannotReadWhatIsClosedToOthersEvenWhereItIsNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "where we are not root, the user inside has our rights";
  const OpenFolder elsewhere;
  const fs::path secret = elsewhere.write("secret", "hidden-secret");
  fs::permissions(secret, fs::perms(0600));
  fs::create_directory(elsewhere / "closed");
  const fs::path inside = elsewhere.write("closed/open", "hidden-inside");
  fs::permissions(elsewhere / "closed", fs::perms(0700));
  spec_.visible.push_back(elsewhere.path());
  EXPECT_EQ(run({"reads", secret, elsewhere / "closed", inside}).output, "");
}

TEST_P(SandboxTest, CannotReadEvenWhatIsOpenToAllUnlessItIsNamed) {
  if (!bubblewrap() && !files_can_be_restricted()) GTEST_SKIP() << "this kernel lacks Landlock";
  const OpenFolder elsewhere;
  const fs::path file = elsewhere.write("open", "hidden-text");
  EXPECT_EQ(run({"reads", file, elsewhere.path(), "/etc/passwd", "/etc", "/home", "/root", "/var"}).output,
            "");
  spec_.visible.push_back(file);
  EXPECT_EQ(run({"reads", file}).output, "hidden-text\n");
}

TEST_P(SandboxTest, WritesToItsFolderAlone) {
  const OpenFolder elsewhere;
  fs::permissions(elsewhere.path(), fs::perms(0777));
  const fs::path inside = lend() / "inside";
  spec_.visible.push_back(elsewhere.path());
  const std::string output =
      run({"writes", inside, elsewhere / "outside", "/outside", "/dev/shm/outside", "/var/tmp/outside",
           hostile, "/usr/outside", "/proc/sys/kernel/core_pattern"})
          .output;
  EXPECT_TRUE(contains(output, inside.string() + ": done"));
  EXPECT_EQ(output.find("done"), output.rfind("done")) << output;
  EXPECT_TRUE(fs::exists(inside));
}

TEST_P(SandboxTest, MakesNoSystemCallThatReachesOut) {
  const std::string output = run({"system_calls", std::to_string(getpid())}).output;
  for (const char* call : {"ptrace", "process_vm_readv", "unshare", "clone", "mount", "bpf", "io_uring",
                           "keyctl", "shmget", "perf_event_open", "userfaultfd", "personality", "prctl"})
    EXPECT_TRUE(contains(output, std::string(call) + ": Operation not permitted\n"));
  EXPECT_TRUE(contains(output, "a number that is not known: Function not implemented\n"));
  EXPECT_FALSE(contains(output, "kill: done"));
  EXPECT_FALSE(contains(output, "setuid: done"));
}

TEST_P(SandboxTest, IsAUserWithoutRightsInAnEmptyEnvironment) {
  const int left_open = open("/etc/passwd", O_RDONLY);  // neither closed on exec nor meant for anybody
  setenv("WARPLAB_TEST_SECRET", "hidden", 1);
  lend();
  spec_.environment = {{"WARPLAB_SEED", "7"}};
  const std::string output = run({"status"}).output;
  unsetenv("WARPLAB_TEST_SECRET");
  close(left_open);
  EXPECT_TRUE(matches(output, "uid 60[0-9]+ euid 60[0-9]+\n"));
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
    EXPECT_TRUE(contains(output, std::string(set) + ":\t0000000000000000\n"));
  EXPECT_TRUE(contains(output, "NoNewPrivs:\t1\n"));
  if (geteuid() == 0) {
    EXPECT_TRUE(contains(output, "Groups:\t \n"));
  }
  EXPECT_TRUE(contains(output, "env WARPLAB_SEED=7\n"));
  int variables = 0;
  for (std::size_t at = 0; (at = output.find("env ", at)) != std::string::npos; ++at) ++variables;
  EXPECT_EQ(variables, 5) << output;
  EXPECT_FALSE(contains(output, "open "));
}

TEST_P(SandboxTest, SeesItsOwnProcessesAlone) {
  if (!bubblewrap()) GTEST_SKIP() << "of others' processes it sees the names";
  const std::string output = run({"processes"}).output;
  EXPECT_TRUE(contains(output, "hostile_program"));
  EXPECT_FALSE(contains(output, "sandbox_test"));
}

// A batch runs thousands of commands, and each look at processes looks at the dead as well.
TEST_P(SandboxTest, BuriesItsDead) {
  for (int i = 0; i < 3; ++i) run({"processes"});
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process of a command that has ended is left";
}

// --- Limits ---

TEST_P(SandboxTest, EndsAForkBomb) {
  spec_.processes = 20;
  const CommandOutcome outcome = run({"fork_bomb"}, 1);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  EXPECT_LT(took_s_, 3);
}

TEST_P(SandboxTest, BoundsTheNumberOfProcesses) {
  spec_.processes = 20;
  const CommandOutcome outcome = run({"crowd"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(matches(outcome.output, "made 1[0-9]\n"));
}

TEST_P(SandboxTest, BoundsMemory) {
  spec_.memory_bytes = std::uint64_t{200} << 20;
  const CommandOutcome outcome = run({"memory_bomb"});
  EXPECT_TRUE(matches(outcome.output, "took 1[0-9][0-9] MiB\n"));
}

TEST_P(SandboxTest, BoundsTheMemoryOfAllProcessesTogether) {
  spec_.memory_bytes = std::uint64_t{200} << 20;
  const CommandOutcome outcome = run({"memory_bomb_of_many"});
  EXPECT_EQ(outcome.killed_for, "its processes together took more than 200 MiB of memory");
  EXPECT_LT(took_s_, 5);
}

TEST_P(SandboxTest, BoundsTheSizeOfAFile) {
  spec_.file_bytes = 3 << 20;
  const CommandOutcome outcome = run({"large_file", lend() / "file"});
  EXPECT_TRUE(contains(outcome.output, "open: done\nFile too large after 3 MiB"));
}

TEST_P(SandboxTest, BoundsTheSizeOfAllFiles) {
  spec_.disk_bytes = 20 << 20;
  const CommandOutcome outcome = run({"disk_bomb", lend(), "named"});
  EXPECT_EQ(outcome.killed_for, "it wrote more than 20 MiB of files");
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  EXPECT_LT(took_s_, 5);
}

TEST_P(SandboxTest, BoundsTheSizeOfFilesWithoutAName) {
  spec_.disk_bytes = 20 << 20;
  const CommandOutcome outcome = run({"disk_bomb", lend(), "unlinked"});
  EXPECT_EQ(outcome.killed_for, "it wrote more than 20 MiB of files");
  EXPECT_LT(took_s_, 5);
}

TEST_P(SandboxTest, BoundsItsTemporaryFolder) {
  spec_.disk_bytes = 20 << 20;
  const CommandOutcome outcome = run({"disk_bomb", "/tmp", "named"}, 2);
  EXPECT_TRUE(contains(outcome.output,
                       bubblewrap() ? "stopped: No space left on device" : "stopped: Permission denied"));
}

TEST_P(SandboxTest, KeepsTheBeginningAndTheEndOfLongOutput) {
  const CommandOutcome outcome = run({"prints"});
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_EQ(outcome.killed_for, "");
  EXPECT_EQ(outcome.output.rfind("the beginning\nline 0\n", 0), 0u);
  EXPECT_TRUE(contains(outcome.output, "\n[...]\n"));
  EXPECT_TRUE(outcome.output.ends_with("line 99999\nthe end\n"))
      << outcome.output.substr(outcome.output.size() - 100);
  EXPECT_LT(outcome.output.size(), 100'000u);
}

TEST_P(SandboxTest, EndsAFloodOfOutput) {
  const CommandOutcome outcome = run({"flood"}, 30);
  EXPECT_EQ(outcome.killed_for, "it printed more than 64 MiB");
  EXPECT_EQ(outcome.output.rfind("the beginning\n", 0), 0u);
  EXPECT_LT(outcome.output.size(), 100'000u);
}

TEST_P(SandboxTest, EndsWhateverWaits) {
  for (const char* deed : {"sleeps", "stubborn", "quiet", "stops"}) {
    const CommandOutcome outcome = run({deed}, 0.5);
    EXPECT_TRUE(outcome.timed_out) << deed;
    EXPECT_EQ(outcome.exit_code, 128 + SIGKILL) << deed;
    EXPECT_LT(took_s_, 2.5) << deed;
  }
}

TEST_P(SandboxTest, EndsWhatSpinsBeyondItsProcessorTime) {
  spec_.cpu_s = 1;
  const CommandOutcome outcome = run({"spins"}, 20);
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGXCPU);
}

TEST_P(SandboxTest, EndsDaemonsWithTheirCommand) {
  EXPECT_EQ(run({"daemon", "leaves"}).exit_code, 0);
  EXPECT_TRUE(run({"daemon", "stays"}, 0.5).timed_out);
  EXPECT_LT(took_s_, 2.5);
}

TEST_P(SandboxTest, TellsHowACommandEnded) {
  EXPECT_EQ(run({"dies"}).exit_code, 128 + SIGSEGV);
  const CommandOutcome absent = sandbox_->run(spec_, {"/usr/bin/there-is-no-such-program"}, 10);
  EXPECT_EQ(absent.exit_code, 127);
  EXPECT_TRUE(contains(absent.output, "cannot execute /usr/bin/there-is-no-such-program"));
  spec_.visible.push_back("/there/is/no/such/path");
  EXPECT_THROW((void)sandbox_->prefix(spec_), BadInput);
}

// --- Folders that change hands ---

TEST_P(SandboxTest, TakesBackAFolderWithoutWhatWasPlantedInIt) {
  const OpenFolder elsewhere;
  const fs::path secret = elsewhere.write("secret", "hidden");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(elsewhere.path().c_str(), 12345, 12345), 0);
  }
  if (geteuid() == 0) {
    ASSERT_EQ(chown(secret.c_str(), 12345, 12345), 0);
  }
  const fs::path folder = lend();
  (void)run({"plants", folder, secret});               // which ends it where it is too deep
  link(secret.c_str(), (folder / "foreign").c_str());  // as if it could be planted
  sandbox_->take_back(folder);
  std::vector<std::string> left;
  int deep = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    struct stat status {};
    ASSERT_EQ(lstat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, geteuid()) << entry.path();
    EXPECT_EQ(status.st_mode & 07022, 0u) << entry.path();
    deep += entry.path().filename() == "deep";
    if (entry.path().filename() != "deep") left.push_back(fs::relative(entry.path(), folder));
  }
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left.size(), 6u);  // of a file with two names one is left
  for (const char* kept : {"closed", "inner", "inner/closed", "inner/closed/file", "single"})
    EXPECT_TRUE(std::binary_search(left.begin(), left.end(), kept)) << kept;
  EXPECT_EQ(std::binary_search(left.begin(), left.end(), "plain") +
                std::binary_search(left.begin(), left.end(), "second_name"),
            1);
  EXPECT_GT(deep, 50);
  EXPECT_LT(deep, 65);
  struct stat status {};
  ASSERT_EQ(stat(secret.c_str(), &status), 0);
  if (geteuid() == 0) {
    EXPECT_EQ(status.st_uid, 12345u);
  }
  ASSERT_EQ(stat(elsewhere.path().c_str(), &status), 0);
  if (geteuid() == 0) {
    EXPECT_EQ(status.st_uid, 12345u);
  }
}

TEST_P(SandboxTest, TakesBackNoLinkInAFoldersPlace) {
  const OpenFolder elsewhere;
  fs::create_directory_symlink(folder_.path(), elsewhere / "link");
  EXPECT_THROW(sandbox_->take_back(elsewhere / "link"), std::system_error);
  EXPECT_THROW(sandbox_->take_back(elsewhere / "absent"), std::system_error);
}

// --- What must work ---

TEST_P(SandboxTest, CompilesLinksAndRunsAProgram) {
  folder_.write("hello.cpp", "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n");
  const fs::path folder = lend();
  const CommandOutcome compiled =
      sandbox_->run(spec_, {"/usr/bin/g++", "-O1", "hello.cpp", "-o", "hello"}, 60);
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
  EXPECT_EQ(sandbox_->run(spec_, {folder / "hello"}, 10).output, "hello\n");
  sandbox_->take_back(folder);
  EXPECT_TRUE(fs::exists(folder / "hello"));
}

/// As `module load` brings them: a folder of the PATH, and one that the loader is told of.
TEST_P(SandboxTest, FindsToolsAndLibrariesOfModules) {
  const fs::path as = folder_.write("binutils/bin/as", "#!/bin/sh\necho an assembler\n");
  fs::permissions(as, fs::perms(0755));
  setenv("LD_LIBRARY_PATH", ":/opt/gcc/lib64:lib:", 1);
  spec_.environment = loader_environment();
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(loader_environment().size(), 0u);
  for (const auto& variable : path_to({as, "/usr/bin/ld"})) spec_.environment.push_back(variable);
  for (const fs::path& prefix : toolchain_folders(as)) spec_.visible.push_back(prefix);
  const CommandOutcome outcome =
      sandbox_->run(spec_, {"/bin/sh", "-c", "as; echo $LD_LIBRARY_PATH $PATH"}, 10);
  EXPECT_EQ(outcome.output, "an assembler\n/opt/gcc/lib64 " + as.parent_path().string() + ":/usr/bin:/bin\n");
  EXPECT_EQ(path_to({"/usr/bin/as", "/bin/ld"}).size(), 0u);
}

TEST(Confine, LoadsNoLibraryOfACompiler) {
  const std::string loaded = house::run("ldd '" WARPLAB_BINARY_DIR "/libexec/warplab-confine'").output;
  EXPECT_TRUE(contains(loaded, "libc.so"));
  for (const char* library : {"libstdc++", "libgcc_s"}) EXPECT_FALSE(contains(loaded, library));
}

TEST_P(SandboxTest, EndsACompilationThatTakesTooMuch) {
  // Templates without an end are stopped by the compiler; these are only very many.
  folder_.write(
      "bomb.cpp",
      "template <int N, int M> struct A { using T = A<N - 1, 2 * M>; using U = A<N - 1, 2 * M + 1>;\n"
      "static constexpr long v = T::v + U::v; };\n"
      "template <int M> struct A<0, M> { static constexpr long v = M; };\nlong x = A<28, 1>::v;\n");
  lend();
  spec_.memory_bytes = std::uint64_t{300} << 20;
  const CommandOutcome outcome = sandbox_->run(spec_, {"/usr/bin/g++", "-c", "bomb.cpp"}, 1.5);
  EXPECT_NE(outcome.exit_code, 0);
}

TEST_P(SandboxTest, ShowsAFileAtAnotherPlace) {
  if (!bubblewrap()) GTEST_SKIP() << "there is no other place";
  const OpenFolder elsewhere;
  spec_.bound = {{elsewhere.write("file", "its text"), "/elsewhere/other"}};
  EXPECT_EQ(run({"reads", "/elsewhere/other"}).output, "its text\n");
}

TEST_P(SandboxTest, LendsNoUserTwice) {
  Sandbox second(GetParam(), 3);
  const auto user_of = [](const Sandbox& sandbox) {
    const std::vector<std::string> words = sandbox.prefix({});
    const auto flag = std::find(words.begin(), words.end(), "--user");
    return flag == words.end() ? "" : *(flag + 1);
  };
  if (geteuid() == 0) {
    EXPECT_NE(user_of(*sandbox_), user_of(second));
  }
}

TEST_P(SandboxTest, KillsWhatAnEarlierSandboxOfItsUserLeft) {
  if (bubblewrap()) GTEST_SKIP() << "there a command ends with who started it";
  std::vector<std::string> words = sandbox_->prefix(spec_);
  words.insert(words.end(), {hostile, mark_, "daemon", "stays"});
  ChildProcess child(words);
  child.wait(0.5);
  child.kill();
  EXPECT_EQ(survivors(), 3);
  sandbox_.reset();
  EXPECT_EQ(survivors(), 0);
  sandbox_.emplace(GetParam(), 3);
}

TEST_P(SandboxTest, ACommandBehindThePrefixEndsWithItsProcess) {
  std::vector<std::string> words = sandbox_->prefix(spec_);
  words.insert(words.end(), {hostile, mark_, "daemon", "stays"});
  {
    ChildProcess child(words);
    EXPECT_EQ(child.wait(0.5), ChildProcess::Event::timeout);
    EXPECT_GE(survivors(), 4);
  }
  sandbox_->end_all();
  for (int i = 0; i < 50 && survivors(); ++i) usleep(10'000);  // the kernel ends a pid space on its own
  EXPECT_EQ(survivors(), 0);
}

TEST_P(SandboxTest, ACommandEndsWithTheGraderThatRanIt) {
  const pid_t grader = fork();
  if (grader == 0) {
    (void)sandbox_->run(spec_, {hostile, mark_, "stubborn"}, 60);
    _exit(0);
  }
  // Until the command itself runs: bubblewrap binds itself to its parent just before.
  for (int i = 0; i < 500 && survivors(hostile) < 2; ++i) usleep(10'000);
  EXPECT_GE(survivors(hostile), 2);
  kill(grader, SIGKILL);
  ASSERT_EQ(waitpid(grader, nullptr, 0), grader);
  // Of what it started, its own process is gone at both levels; at confined the next sandbox ends the rest. A
  // busy machine takes its time to end them.
  const int left = bubblewrap() ? 0 : 1;
  for (int i = 0; i < 500 && survivors() > left; ++i) usleep(10'000);
  EXPECT_LE(survivors(), left);
}

// --- Levels ---

TEST(SandboxLevel, IsFoundByItsName) {
  EXPECT_EQ(level_by_name("none"), SandboxLevel::none);
  EXPECT_THROW(level_by_name("jail"), BadInput);
}

TEST(SandboxLevel, StrongestIsOneThatWorksAndTellsWhatStrongerOnesLack) {
  std::string why = "?";
  const SandboxLevel level = strongest_level(why);
  EXPECT_EQ(level_by_name(name_of(level)), level);
  EXPECT_EQ(why.empty(), level == SandboxLevel::bubblewrap) << why;
}

TEST(SandboxLevel, NoneBoundsTimeAndOutputAlone) {
  Sandbox sandbox(SandboxLevel::none, 0);
  EXPECT_TRUE(sandbox.prefix({}).empty());
  EXPECT_EQ(sandbox.run({}, {"/usr/bin/id", "-u"}, 10).output, std::to_string(getuid()) + "\n");
  EXPECT_TRUE(sandbox.run({}, {"/usr/bin/sleep", "100"}, 0.2).timed_out);
}

}  // namespace
}  // namespace warplab
