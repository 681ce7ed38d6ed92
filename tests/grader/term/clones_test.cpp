// Submissions from real git repositories on this machine's disk: which commit counts, and what gives none.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "common/host/bad_input.hpp"
#include "grader/clones/clones.hpp"
#include "grader/clones/git_command.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using house::run;

/// A variable of the environment that is as it was at the end of its scope.
class EnvironmentFor {
 public:
  EnvironmentFor(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentFor() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  EnvironmentFor(const EnvironmentFor&) = delete;
  EnvironmentFor& operator=(const EnvironmentFor&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class Clones : public testing::Test {
 protected:
  Clones() {
    if (run("git --version").exit_code != 0) return;
    for (const char* login : {"jdoe", "bob"}) {
      const std::string at = (folder_.path() / "server" / ("lab-07-" + std::string(login) + ".git")).string();
      must("git init --quiet --bare " + at);
    }
    commit("jdoe", "2027-03-01T10:00:00Z", "early");
    commit("jdoe", "2027-03-01T22:00:00Z", "in time");
    commit("jdoe", "2027-03-02T09:00:00Z", "late");
    commit("bob", "2027-03-02T09:00:00Z", "late");
  }
  void SetUp() override {
    if (run("git --version").exit_code != 0) GTEST_SKIP() << "this machine has no git";
  }
  static void must(const std::string& command) {
    const house::Outcome outcome = run(command);
    ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.output;
  }
  /// Commits a task's file in a work tree of a student, at a time, and pushes it.
  void commit(const std::string& login, const std::string& time, const std::string& content) {
    const fs::path work = folder_.path() / "work" / login;
    const fs::path bare = folder_.path() / "server" / ("lab-07-" + login + ".git");
    if (!fs::exists(work)) must("git clone --quiet " + bare.string() + " " + work.string() + " 2>/dev/null");
    folder_.write("work/" + login + "/labs/07_transpose/transpose_tiled.cu", content);
    must("cd " + work.string() + " && git add . && GIT_COMMITTER_DATE=" + time + " GIT_AUTHOR_DATE=" + time +
         " git -c user.name=x -c user.email=x@x commit --quiet -m work && git push --quiet origin HEAD");
  }
  CloneRequest request(const std::string& from, const char* before = "2027-03-01 23:59") const {
    CloneRequest request;
    request.from = from;
    if (before) request.before = parse_instant(before, TimeZone());
    request.submissions = folder_.path() / "in";
    return request;
  }
  std::string handed_in(const std::string& entry) const {
    return run("tar -xOf " + (folder_.path() / "in" / (entry + ".tar")).string() +
               " labs/07_transpose/transpose_tiled.cu")
        .output;
  }
  std::string server() const { return (folder_.path() / "server").string(); }
  ScratchFolder folder_;
};

TEST_F(Clones, TheLastCommitBeforeTheDateCounts) {
  ClonedSubmissions found = take_from_git(request(server()));
  EXPECT_EQ(found.taken, 1u);
  EXPECT_EQ(found.remarks,
            std::vector<std::string>{server() + "/lab-07-bob.git gave no submission: it has no "
                                                "commit before the date"});
  EXPECT_EQ(handed_in("lab-07-jdoe"), "in time");
  const auto times = read_git_times(folder_ / "in.git/times.csv");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(TimeZone().text(times.at("lab-07-jdoe")), "2027-03-01 22:00");
  EXPECT_EQ(take_from_git(request(server(), nullptr)).taken, 2u);
  EXPECT_EQ(handed_in("lab-07-jdoe"), "late");
  take_from_git(request(server()));
  EXPECT_EQ(handed_in("lab-07-jdoe"), "in time");
  EXPECT_FALSE(fs::exists(folder_ / "in/lab-07-bob.tar")) << "what is too late does not stay";
}

TEST_F(Clones, AddressesAreMadeOfTheRoster) {
  const Roster roster = Roster::read(folder_.write(
      "roster.csv", "id,login,name,github\n1,jane,Jane Doe,jdoe\n2,bob,Bob Ray,\n3,cyd,Cyd Low,\n"));
  CloneRequest of_class = request(server() + "/lab-07", nullptr);
  EXPECT_TRUE(message_of<BadInput>([&] {
                take_from_git(of_class);
              }).ends_with("is not a folder; to make addresses of it, --roster must name the students"));
  of_class.roster = &roster;
  const ClonedSubmissions found = take_from_git(of_class);
  EXPECT_EQ(found.taken, 2u);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_TRUE(
      found.remarks[0].starts_with(server() + "/lab-07-cyd.git gave no submission: it cannot be fetched"))
      << found.remarks[0];
}

TEST_F(Clones, WhatIsNewIsFetchedAndTheSameRunGivesTheSameBytes) {
  take_from_git(request(server(), nullptr));
  const std::string first = content_of(folder_ / "in/lab-07-jdoe.tar");
  const std::string times = content_of(folder_ / "in.git/times.csv");
  folder_.write("in.git/lab-07-jdoe.partial", "of a run that was killed");
  take_from_git(request(server(), nullptr));
  EXPECT_EQ(content_of(folder_ / "in/lab-07-jdoe.tar"), first);
  EXPECT_EQ(content_of(folder_ / "in.git/times.csv"), times);
  commit("jdoe", "2027-03-03T09:00:00Z", "later");
  take_from_git(request(server(), nullptr));
  EXPECT_EQ(handed_in("lab-07-jdoe"), "later");
}

TEST_F(Clones, WhatWasFetchedBeforeCountsWhereNothingCanBeFetched) {
  const Roster roster =
      Roster::read(folder_.write("roster.csv", "id,login,name\n1,jdoe,Jane Doe\n2,bob,Bob Ray\n"));
  CloneRequest of_class = request(server() + "/lab-07", nullptr);
  of_class.roster = &roster;
  take_from_git(of_class);
  fs::rename(folder_ / "server/lab-07-jdoe.git", folder_ / "elsewhere");
  const ClonedSubmissions found = take_from_git(of_class);
  EXPECT_EQ(found.taken, 2u);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_TRUE(found.remarks[0].starts_with(
      server() + "/lab-07-jdoe.git cannot be fetched, so what was fetched before counts: "))
      << found.remarks[0];
  EXPECT_EQ(handed_in("lab-07-jdoe"), "late");
}

TEST_F(Clones, AreFetchedByACommandOfItsOwnAndNotByShards) {
  const std::string warplab = "'" WARPLAB_BINARY_DIR "/bin/warplab' ",
                    in = " '" + (folder_ / "in").string() + "' ",
                    from_git = " --from-git '" + server() + "' ";
  const house::Outcome shard = run(warplab + "grade" + in + "--out x --shard 1/2" + from_git);
  EXPECT_EQ(shard.exit_code, 2);
  EXPECT_NE(shard.output.find("--from-git does not go with --shard"), std::string::npos) << shard.output;
  EXPECT_FALSE(fs::exists(folder_ / "in"));
  const house::Outcome fetched = run(warplab + "fetch" + in + from_git);
  EXPECT_EQ(fetched.exit_code, 0) << fetched.output;
  EXPECT_EQ(handed_in("lab-07-jdoe"), "late");
  EXPECT_EQ(run(warplab + "fetch" + in).exit_code, 2);
}

TEST_F(Clones, TwoThatMakeOneSubmissionAreRefused) {
  must("git init --quiet " + server() + "/lab-07-jdoe");
  const std::string why = message_of<BadInput>([&] { take_from_git(request(server())); });
  EXPECT_TRUE(why.ends_with(" both make the submission lab-07-jdoe")) << why;
}

TEST_F(Clones, AFolderWithoutACommitInTimeIsRefused) {
  const std::string why = message_of<BadInput>([&] { take_from_git(request(server(), "2027-02-01")); });
  EXPECT_TRUE(why.ends_with("it has no commit before the date")) << why;
}

TEST_F(Clones, FoldersMayBeRelative) {
  CloneRequest relative = request(fs::relative(server()).string());
  relative.submissions = fs::relative(folder_ / "in");
  EXPECT_EQ(take_from_git(relative).taken, 1u);
  EXPECT_EQ(handed_in("lab-07-jdoe"), "in time");
}

TEST_F(Clones, ThatTakeMoreThanTheyMayCostNobodyElse) {
  // Zeros take nearly nothing in a repository.
  folder_.write("work/bob/zeros", std::string(3 << 20, '\0'));
  commit("bob", "2027-03-01T11:00:00Z", "with zeros");
  CloneRequest small = request(server(), nullptr);
  small.archive_bytes = 1 << 20;
  const ClonedSubmissions found = take_from_git(small);
  EXPECT_EQ(found.taken, 1u);
  EXPECT_EQ(found.remarks,
            std::vector<std::string>{server() +
                                     "/lab-07-bob.git gave no submission: its files take more than 1 MiB"});
  EXPECT_EQ(handed_in("lab-07-jdoe"), "late");
  EXPECT_FALSE(fs::exists(folder_ / "in.git/lab-07-bob.partial"));
}

TEST_F(Clones, AStudentsHooksAndConfigurationDoNothing) {
  const fs::path bare = folder_.path() / "server/lab-07-jdoe.git", mark = folder_.path() / "ran";
  const std::string script = "#!/bin/sh\ntouch " + mark.string() + "\n";
  for (const char* hook : {"post-checkout", "reference-transaction", "pre-receive", "post-update"}) {
    folder_.write("server/lab-07-jdoe.git/hooks/" + std::string(hook), script);
    must("chmod +x " + (bare / "hooks" / hook).string());
  }
  folder_.write("evil", script);
  must("chmod +x " + (folder_ / "evil").string());
  for (const char* key : {"core.fsmonitor", "uploadpack.packObjectsHook", "core.alternateRefsCommand",
                          "tar.tar.command", "core.sshCommand"})
    must("git -C " + bare.string() + " config " + key + " " + (folder_ / "evil").string());
  EXPECT_EQ(take_from_git(request(server())).taken, 1u);
  EXPECT_EQ(handed_in("lab-07-jdoe"), "in time");
  EXPECT_FALSE(fs::exists(mark));
}

// git refuses the repositories of others, also in the process that it starts to read them.
TEST_F(Clones, RepositoriesMayBelongToSomebodyElse) {
  folder_.write("home/.gitconfig", "[url \"" + server() + "/\"]\n\tinsteadOf = \"ours:\"\n");
  const EnvironmentFor home("HOME", (folder_ / "home").string());
  const EnvironmentFor others("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  EXPECT_EQ(take_from_git(request(server())).taken, 1u);
  const GitOutcome own = run_git({"config", "--get-regexp", "^url"});
  EXPECT_EQ(handed_in("lab-07-jdoe"), "in time");
  EXPECT_NE(own.output.find("insteadof ours:"), std::string::npos) << "the user's own settings still count";
}

TEST_F(Clones, AFolderWithoutRepositoriesIsRefused) {
  fs::create_directories(folder_ / "empty/plain");
  EXPECT_EQ(message_of<BadInput>([&] { take_from_git(request((folder_ / "empty").string())); }),
            (folder_ / "empty").string() + " holds no git repository");
  EXPECT_EQ(message_of<BadInput>([&] { take_from_git(request("--upload-pack=x")); }),
            "--from-git '--upload-pack=x' is neither a folder nor the beginning of addresses");
}

}  // namespace
}  // namespace warplab
