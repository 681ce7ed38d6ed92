// Honest files, graded for real: each gets all points of its tasks, however it is written.
#include "tests/grader/honest_variations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/bad_input.hpp"
#include "grader/judge/record.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch_run.hpp"
#include "tests/grader/transformations.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// What a record says of a file's tasks that did not get all points.
std::string complaint(const HonestVariation& variation, const Course& course,
                      const SubmissionRecord& record) {
  std::string text;
  for (const TaskRecord& judged : record.tasks) {
    const Lab* const lab = course.find(judged.lab);
    const auto task = std::ranges::find(lab->tasks, judged.id, &Task::id);
    const bool is_right =
        judged.status == TaskRecord::Status::judged && judged.score == judged.points &&
        std::ranges::none_of(judged.checks, [](const Check& c) { return c.status == Check::Status::failed; });
    if (judged.lab != variation.lab || task->file != variation.task_file || is_right) continue;
    text += fmt::format("{}: {} of {:g} points for {}: {}", variation.name, judged.score, judged.points,
                        judged.id, judged.reason);
    for (const Check& check : judged.checks)
      if (check.status == Check::Status::failed)
        text += fmt::format("\n  {}: {}", check.name, check.happened);
  }
  return text;
}

void expect_all_points(const std::vector<HonestVariation>& variations) {
  const ScratchFolder scratch;
  const auto submissions = as_submissions(variations);
  std::set<std::string> names;
  std::string labs;
  for (std::size_t i = 0; i < submissions.size(); ++i)
    for (const HonestVariation& variation : submissions[i]) {
      scratch.write(fmt::format("in/honest{:03}/{}", i, variation.file.string()), variation.source);
      for (const auto& [header, text] : variation.headers)
        scratch.write(fmt::format("in/honest{:03}/{}", i, header.string()), text);
      if (names.insert(variation.lab).second) labs += (labs.empty() ? "" : ",") + variation.lab;
    }
  const BatchRun run = run_batch({"grade", scratch / "in", "--out", scratch / "out", "--labs", labs, "--jobs",
                                  "2", "--seed", "00112233445566778899aabbccddeeff"},
                                 7200);
  ASSERT_EQ(run.exit_code, exit_ok) << run.output;
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    const std::string text = content_of(scratch / fmt::format("out/records/honest{:03}.json", i));
    ASSERT_NE(text, "");
    const SubmissionRecord record = record_from(nlohmann::ordered_json::parse(text));
    for (const HonestVariation& variation : submissions[i])
      EXPECT_EQ(complaint(variation, course, record), "");
  }
}

#ifndef WARPLAB_LONG_TESTS

TEST(HonestVariations, AreAtLeastThreeHundredOverAllTasks) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  const auto written = written_variations(), transformed = transformed_solutions(course);
  EXPECT_GE(written.size() + transformed.size(), 300u);
  EXPECT_GE(written.size(), 150u);
  std::set<fs::path> files;
  for (const HonestVariation& variation : transformed) files.insert(variation.file);
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      EXPECT_TRUE(files.contains(fs::path("labs") / lab.folder.filename() / task.file)) << task.name();
}

TEST(HonestVariations, EachChangesManyFiles) {
  std::map<std::string, int> changed;
  for (const HonestVariation& one : transformed_solutions(Course::read(WARPLAB_SOURCE_DIR)))
    ++changed[one.name.substr(0, one.name.find(' '))];
  for (const Transformation& one : transformations()) EXPECT_GE(changed[one.name], 10) << one.name;
}

TEST(HonestVariations, ShareSubmissionsUnlessTheyAreOneFile) {
  const auto at = [](const char* file) { return HonestVariation{"", file, "", "", ""}; };
  const auto submissions = as_submissions({at("a"), at("a"), at("b"), at("a")});
  ASSERT_EQ(submissions.size(), 3u);
  EXPECT_EQ(submissions[0].size(), 2u);
}

/// A handful, on two cores in less than a minute.
TEST(HonestVariations, OfTheFirstTaskGetAllPoints) {
  const std::set<std::string> few = {"constant_const_array", "match_any",    "sine_and_cosine",
                                     "gpu_assert",           "cuda_barrier", "all_of_the_c_library",
                                     "pasted_names",         "events",       "assert_in_the_kernel",
                                     "names_of_the_emulator"};
  std::vector<HonestVariation> chosen;
  for (const HonestVariation& one : written_variations())
    if (few.contains(one.name)) chosen.push_back(one);
  EXPECT_EQ(chosen.size(), few.size());
  for (const HonestVariation& one : transformed_solutions(Course::read(WARPLAB_SOURCE_DIR)))
    if (one.lab == "vector_add" && one.name.starts_with("windows_notepad")) chosen.push_back(one);
  expect_all_points(chosen);
}

#else

/// All of them take an hour and a half: WARPLAB_ALL_HONEST=1 in the environment. Without it each task has
/// one or two of the transformations.
bool is_tried(std::size_t number) { return std::getenv("WARPLAB_ALL_HONEST") != nullptr || number % 15 == 0; }

constexpr std::size_t parts = 6;

/// A third of the parts per day: together they take a quarter of an hour of two processors.
bool is_of_today(std::size_t part) {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return std::getenv("WARPLAB_ALL_HONEST") != nullptr ||
         static_cast<std::size_t>(today.time_since_epoch().count()) % 3 == part % 3;
}

class HonestPart : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Of6, HonestPart, testing::Range(std::size_t{0}, parts));

TEST_P(HonestPart, GetsAllPoints) {
  if (!is_of_today(GetParam())) GTEST_SKIP() << "another day's part; WARPLAB_ALL_HONEST=1 tries all";
  std::vector<HonestVariation> all = written_variations(), chosen;
  const auto transformed = transformed_solutions(Course::read(WARPLAB_SOURCE_DIR));
  for (std::size_t i = 0; i < transformed.size(); ++i)
    if (is_tried(i)) all.push_back(transformed[i]);
  for (std::size_t i = GetParam(); i < all.size(); i += parts) chosen.push_back(all[i]);
  expect_all_points(chosen);
}

#endif

}  // namespace
}  // namespace warplab
