// Honest files, graded for real: each gets all points of its tasks, however it is written.
#include "tests/grader/submissions/honest_variations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/judge/record.hpp"
#include "grader/release/solution_regions.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/today.hpp"
#include "tests/grader/submissions/batch_run.hpp"
#include "tests/grader/submissions/transformations.hpp"

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
  const BatchRun run =
      run_batch({"grade", scratch / "in", "--out", scratch / "out", "--labs", labs, "--jobs", "2",
                 "--seed-file", scratch.write("seed", "00112233445566778899aabbccddeeff")},
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

TEST(HonestVariations, EachTransformationChangesManyFiles) {
  std::map<std::string, int> changed;
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      const std::string text = with_solutions(content_of(lab.folder / task.file), task.file);
      for (const Form& form : forms()) {
        std::string before = text;
        for (const Transformation& one : form.transformations) {
          const std::string after = one.apply(before);
          changed[one.name] += after != before;
          before = after;
        }
      }
    }
  EXPECT_EQ(changed.size(), 19u);
  for (const auto& [name, files] : changed) EXPECT_GE(files, 10) << name;
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
    if (one.lab == "vector_add" && one.name.starts_with("editor_on_windows")) chosen.push_back(one);
  expect_all_points(chosen);
}

#else

constexpr std::size_t parts = 6;

bool tries_all() { return std::getenv("WARPLAB_ALL_HONEST") != nullptr; }

// A third of the parts is tried per day, and each solution in one of its forms.

/// Those of today; WARPLAB_ALL_HONEST=1 in the environment tries all, and WARPLAB_HONEST=sobel those that
/// have this in their names.
std::vector<HonestVariation> chosen_variations() {
  std::vector<HonestVariation> all = written_variations(), chosen;
  const std::size_t form = today() / 3 % forms().size();
  for (HonestVariation& one : transformed_solutions(Course::read(WARPLAB_SOURCE_DIR)))
    if (tries_all() || std::getenv("WARPLAB_HONEST") || one.name.starts_with(forms()[form].name))
      all.push_back(std::move(one));
  const char* const part_of_name = std::getenv("WARPLAB_HONEST");
  for (HonestVariation& one : all)
    if (!part_of_name || one.name.find(part_of_name) != std::string::npos) chosen.push_back(std::move(one));
  return chosen;
}

class HonestPart : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Of6, HonestPart, testing::Range(std::size_t{0}, parts));

TEST_P(HonestPart, GetsAllPoints) {
  if (!tries_all() && !std::getenv("WARPLAB_HONEST") && !is_todays(GetParam(), 3))
    GTEST_SKIP() << "another day's part; WARPLAB_ALL_HONEST=1 tries all";
  const std::vector<HonestVariation> all = chosen_variations();
  std::vector<HonestVariation> chosen;
  for (std::size_t i = GetParam(); i < all.size(); i += parts) chosen.push_back(all[i]);
  if (chosen.empty()) GTEST_SKIP() << "no variation has this in its name";
  expect_all_points(chosen);
}

#endif

}  // namespace
}  // namespace warplab
