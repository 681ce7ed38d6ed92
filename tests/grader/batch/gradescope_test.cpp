// An upload for Gradescope: what is in it, and that results are written whatever happens.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "grader/batch/autograde.hpp"
#include "grader/batch/gradescope_upload.hpp"
#include "grader/text/sha256.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch/unpacked_upload.hpp"
#include "tests/grader/judge/host_adder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const Secret secret("00112233445566778899aabbccddeeff");

Course vector_add() { return Course::read(WARPLAB_SOURCE_DIR).only({"vector_add"}); }

TEST(GradescopeUpload, HoldsWhatGradingItsLabsTakesAndNothingElse) {
  const ScratchFolder scratch;
  UploadOptions options;
  options.minutes = 20;
  options.hidden_checks = Visibility::after_published;
  options.leaderboard = true;
  const Upload upload = make_upload(vector_add(), secret, options, scratch / "autograder.zip");
  const auto files = test::files_of_zip(scratch / "autograder.zip");
  EXPECT_EQ(upload.files, files.size());
  EXPECT_EQ(upload.bytes, fs::file_size(scratch / "autograder.zip"));
  for (const char* name : {"setup.sh", "run_autograder", "settings.sh", "judge/seed", "tree/CMakeLists.txt",
                           "tree/grader/judge/judge.cpp", "tree/labs/02_vector_add/vector_add_problem.cpp",
                           "tree/reference/vector_add.cpp", "tree/tests/hidden/vector_add.json"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(files.at("setup.sh").mode & 0111, 0111u);
  EXPECT_EQ(files.at("run_autograder").mode & 0111, 0111u);
  EXPECT_EQ(files.at("judge/seed").mode, 0600u);
  EXPECT_EQ(files.at("judge/seed").content, secret.digits() + "\n");
  for (const auto& [name, file] : files) {
    EXPECT_FALSE(name.starts_with("tree/labs/07_transpose")) << name;
    EXPECT_FALSE(name.starts_with("tree/tests/") && name != "tree/tests/hidden/vector_add.json") << name;
    if (name != "judge/seed") {
      EXPECT_EQ(file.content.find(secret.digits()), std::string::npos) << name << " has the secret";
    }
  }
  const std::string& settings = files.at("settings.sh").content;
  EXPECT_NE(settings.find("SECONDS_ALLOWED=1170\n"), std::string::npos) << settings;
  EXPECT_NE(settings.find("OPTIONS=(--hidden-checks after_published --leaderboard)\n"), std::string::npos)
      << settings;
  EXPECT_NE(settings.find("vector_add__grid_stride.dir/vector_add_adapter.cpp.o"), std::string::npos)
      << settings;
}

TEST(GradescopeUpload, IsTheSameBytesForTheSameSecret) {
  const ScratchFolder scratch;
  make_upload(vector_add(), secret, {}, scratch / "a.zip");
  make_upload(vector_add(), secret, {}, scratch / "b.zip");
  EXPECT_EQ(content_of(scratch / "a.zip"), content_of(scratch / "b.zip"));
}

TEST(GradescopeUpload, IsRefusedForAReleasedTree) {
  const ScratchFolder scratch;
  Course released = vector_add();
  released.root = scratch.path();
  EXPECT_NE(message_of<BadInput>([&] {
              make_upload(released, secret, {}, scratch / "a.zip");
            }).find("only the instructor's tree can grade"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(scratch / "a.zip"));
}

/// The scripts of an upload, around a stand-in for the program.
class RunAutograder : public ::testing::Test {
 protected:
  RunAutograder() {
    for (const char* script : {"setup.sh", "run_autograder"})
      fs::copy_file(fs::path(WARPLAB_SOURCE_DIR) / "grader/gradescope" / script,
                    scratch_.write(std::string("source/") + script, ""),
                    fs::copy_options::overwrite_existing);
    allow_seconds(60);
  }
  void allow_seconds(int seconds) {
    scratch_.write("source/settings.sh", "SECONDS_ALLOWED=" + std::to_string(seconds) +
                                             "\nTARGETS=(warplab)\nOPTIONS=(--leaderboard)\n");
  }
  void program(const std::string& body) {
    const fs::path file =
        scratch_.write("source/tree/build/emulator/bin/warplab", "#!/usr/bin/env bash\n" + body + "\n");
    fs::permissions(file, fs::perms(0755));
  }
  /// @return the results, of a run that ended well
  json run() {
    const house::Outcome outcome = house::run("AUTOGRADER_ROOT='" + scratch_.path().string() + "' bash '" +
                                              (scratch_ / "source/run_autograder").string() + "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    said_ = outcome.output;
    return json::parse(content_of(scratch_ / "results/results.json"));
  }
  void expect_no_grade(const json& results, const std::string& words) {
    EXPECT_EQ(results.at("score"), 0);
    EXPECT_EQ(results.at("visibility"), "visible");
    EXPECT_EQ(results.at("stdout_visibility"), "hidden");
    EXPECT_NE(results.at("output").get<std::string>().find(words), std::string::npos) << results;
  }

  ScratchFolder scratch_;
  std::string said_;
};

TEST_F(RunAutograder, SaysThatItWasNotBuilt) { expect_no_grade(run(), "was not built"); }

TEST_F(RunAutograder, KeepsWhatTheProgramWrote) {
  program(R"(while (($#)); do [[ $1 == --out ]] && out=$2; shift; done; echo '{"score": 70}' >"$out")");
  EXPECT_EQ(run().at("score"), 70);
}

TEST_F(RunAutograder, HandsOverSeedMetadataAndOptions) {
  program(R"(echo "$*"; while (($#)); do [[ $1 == --out ]] && out=$2; shift; done; echo '{}' >"$out")");
  (void)run();
  const std::string root = scratch_.path().string();
  EXPECT_EQ(said_, "autograde " + root + "/submission --out " + root + "/results/results.json --seed-file " +
                       root + "/source/judge/seed --metadata " + root +
                       "/submission_metadata.json --leaderboard\n");
}

TEST_F(RunAutograder, SaysThatTheProgramFailedAndShowsInstructorsWhy) {
  program("echo 'warplab: the disk is full'; exit 4");
  expect_no_grade(run(), "The autograder failed. Your submission is not at fault");
  EXPECT_NE(said_.find("the disk is full"), std::string::npos);
  EXPECT_NE(said_.find("code 4"), std::string::npos);
}

TEST_F(RunAutograder, SaysThatTheProgramCrashed) {
  program("kill -SEGV $$");
  expect_no_grade(run(), "The autograder failed");
}

TEST_F(RunAutograder, SaysThatTheTimeIsUp) {
  allow_seconds(1);
  program("sleep 30");
  expect_no_grade(run(), "longer than 1 seconds");
}

TEST_F(RunAutograder, LeavesASentenceWhenItIsKilledItself) {
  // run_autograder before timeout, whose end would have it write something else.
  program(R"(read -r _ _ _ run_autograder _ </proc/$PPID/stat; kill -KILL "$run_autograder" $PPID)");
  (void)house::run("AUTOGRADER_ROOT='" + scratch_.path().string() + "' bash '" +
                   (scratch_ / "source/run_autograder").string() + "'");
  expect_no_grade(json::parse(content_of(scratch_ / "results/results.json")), "was stopped before");
}

/// Takes every file for a right one.
struct RightBuilder : RungBuilder {
  Built build(const Task&, const FileTexts&) override { return {std::make_unique<HostAdder>(), {}, ""}; }
};

class Autograde : public ::testing::Test {
 protected:
  Autograde() : course_(vector_add()) {
    for (Task& task : course_.labs[0].tasks) task.limits.clear();
    options_.submission = scratch_ / "submission";
    options_.results = scratch_ / "results.json";
    options_.metadata = scratch_ / "submission_metadata.json";
    options_.hidden = fs::path(WARPLAB_SOURCE_DIR) / "tests/hidden";
    options_.sandbox = "confined";
    fs::create_directory(options_.submission);
  }
  json grade() {
    testing::internal::CaptureStdout();
    RightBuilder builder;
    autograde(course_, secret, options_, builder);
    said_ = testing::internal::GetCapturedStdout();
    return json::parse(content_of(options_.results));
  }
  void graded_before(double score, const std::string& with, const std::string& tasks_digest) {
    scratch_.write("submission_metadata.json", json{{"previous_submissions",
                                                     {{{"score", score},
                                                       {"results",
                                                        {{"extra_data",
                                                          {{"score_of_this_submission", score},
                                                           {"seed_digest", sha256(with)},
                                                           {"tasks_digest", tasks_digest}}}}}}}}}
                                                   .dump());
  }

  ScratchFolder scratch_;
  Course course_;
  AutogradeOptions options_;
  std::string said_;
};

TEST_F(Autograde, WritesPointsTestsTheTimeAndNamesTheSandbox) {
  scratch_.write("submission/vector_add_grid_stride.cu", "right");
  const json results = grade();
  EXPECT_EQ(results.at("score"), 10);
  EXPECT_GT(results.at("execution_time"), 0);
  EXPECT_EQ(results.at("extra_data").at("sandbox"), "confined");
  EXPECT_NE(said_.find("10 of 30 points, sandbox: confined"), std::string::npos) << said_;
  for (const json& test : results.at("tests"))
    for (const char* field :
         {"name", "score", "max_score", "status", "output", "output_format", "visibility"})
      EXPECT_TRUE(test.contains(field)) << field;
}

TEST_F(Autograde, OfAnEmptySubmissionSaysWhatIsMissing) {
  const json results = grade();
  EXPECT_EQ(results.at("score"), 0);
  EXPECT_NE(results.at("output").get<std::string>().find("Nothing could be graded"), std::string::npos);
}

TEST_F(Autograde, KeepsTheBestScoreThatWasGradedAlike) {
  graded_before(20, secret.digits(), digest_of_tasks(course_, options_.hidden));
  EXPECT_EQ(grade().at("score"), 20);
  graded_before(20, "ffffffffffffffffffffffffffffffff", digest_of_tasks(course_, options_.hidden));
  EXPECT_EQ(grade().at("score"), 0) << "an upload with another secret graded other inputs";
  graded_before(20, secret.digits(), digest_of_tasks(Course::read(WARPLAB_SOURCE_DIR), options_.hidden));
  EXPECT_EQ(grade().at("score"), 0) << "an upload with other points counted other points";
}

TEST_F(Autograde, TakesNoHarmFromMetadataWithoutSense) {
  for (const char* text : {"", "[]", "{\"previous_submissions\": 7}", "{\"previous_submissions\": [null, 3]}",
                           "{\"previous_submissions\": [{\"results\": null}]}"}) {
    scratch_.write("submission_metadata.json", text);
    EXPECT_EQ(grade().at("score"), 0) << text;
  }
}

}  // namespace
}  // namespace warplab
