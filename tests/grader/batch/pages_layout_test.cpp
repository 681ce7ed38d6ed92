// The grader's pages as a browser lays them out: nothing sticks out of them, on a telephone and on a desk.
#include <gtest/gtest.h>

#include <ostream>

#include "grader/data/data_output.hpp"
#include "grader/data/filter.hpp"
#include "grader/marks/marking_page.hpp"
#include "grader/new_term/mistakes.hpp"
#include "grader/report/class_summary.hpp"
#include "grader/report/feedback.hpp"
#include "grader/report/leaderboard.hpp"
#include "grader/viva/viva_page.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"
#include "tests/grader/batch/sample_records.hpp"
#include "tests/pages/page_layout.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

std::vector<SubmissionRecord> sample_class() {
  std::vector<SubmissionRecord> records;
  for (int i = 0; i < 30; ++i)
    records.push_back(test::sample_record("a-student-with-a-long-name-" + std::to_string(i)));
  records.push_back(test::hostile_record("hostile"));
  return records;
}

std::string feedback() { return to_html(feedback_page(test::sample_record("ada"))); }
std::string hostile_feedback() { return to_html(feedback_page(test::hostile_record("ada"))); }
std::string overview() { return to_html(overview_page(test::sample_record("ada"))); }
std::string summary() { return to_html(class_page(sample_class(), {"bob.json is not JSON"}, {})); }
std::string mistakes() {
  return to_html(mistakes_page("spring 2027", sample_class(), {{"transpose/tiled", {30, 90, 240}}}));
}

std::string leaderboard() {
  std::vector<SubmissionRecord> records = sample_class();
  for (SubmissionRecord& record : records)
    for (Check& check : record.tasks[1].checks) {
      check.status = Check::Status::passed;
      if (check.kind == Check::Kind::limit) check.counted = 1.25e9;
    }
  return to_html(leaderboard_page(leaderboard_of(records, "transpose/tiled", {})));
}

/// The marking page of a lab of ours, with its key and rubric.
std::string marking() {
  const Course course = Course::read(source).only({"transpose"});
  ClassFiles files;
  files.roster.students = {{"1", "ada", "Ada Lovelace-with-a-second-name"}};
  GradedBatch batch;
  SubmissionRecord record = test::sample_record("ada");
  record.answers["transpose"] = "## 1\n" + std::string(300, 'w') + "\n\n## 2\nBecause of " +
                                test::hostile_text + "\n\n    code();  // " + std::string(200, '-') + "\n";
  batch.records = {record};
  const std::vector<GradedBatch> batches = {batch};
  return marking_page(course.labs.at(0), make_book(course, files, batches), files);
}

std::string viva() {
  VivaQuestion question;
  question.kind = VivaQuestion::Kind::bank;
  question.task = "transpose/tiled_padded_rows", question.file = "transpose_tiled_padded_rows.cu";
  question.line = 43;
  question.source = "tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[(row0 + threadIdx.y) * cols + " +
                    std::string(120, 'x') + "];";
  question.input = "512x256 int";
  question.text = "Which bank does lane 17 hit?";
  question.answer = "bank 3: its address is byte 12 of the tile";
  question.then_ask = "And if rows had 33 words?";
  return to_html(viva_page({"ada", {question, question}, {"transpose/naive could not be recorded"}}));
}

std::string data() {
  DataFilter filter;
  filter.sizes = {"16384x16384"}, filter.dtypes = {"int"}, filter.device = "h200";
  return data_page(filtered(measured_rows(source / "results", "transpose"), filter), "transpose on H200");
}

struct GraderPage {
  const char* name;
  std::string (*make)();
};

void PrintTo(const GraderPage& page, std::ostream* out) { *out << page.name; }

class GraderLayout : public testing::TestWithParam<GraderPage> {};

TEST_P(GraderLayout, FitsATelephoneAndADeskAndCanBeReadAloud) {
  const std::string page = GetParam().make();
  EXPECT_EQ(unnamed_parts(page), "");
  if (house::browser().empty()) GTEST_SKIP() << "chromium is not installed";
  const ScratchFolder folder;
  for (const int width : {390, 1280})
    EXPECT_EQ(house::overflow(folder.path(), house::unfolded(page), width), "") << width;
}

INSTANTIATE_TEST_SUITE_P(
    Pages, GraderLayout,
    testing::Values(GraderPage{"Feedback", feedback}, GraderPage{"HostileFeedback", hostile_feedback},
                    GraderPage{"Overview", overview}, GraderPage{"Summary", summary},
                    GraderPage{"Mistakes", mistakes}, GraderPage{"Leaderboard", leaderboard},
                    GraderPage{"Marking", marking}, GraderPage{"Viva", viva}, GraderPage{"Data", data}),
    [](const testing::TestParamInfo<GraderPage>& page) { return page.param.name; });

}  // namespace
}  // namespace warplab
