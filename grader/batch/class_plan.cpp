#include "grader/batch/class_plan.hpp"

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/clones/clones.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/marks/marks_outputs.hpp"
#include "grader/people/matching.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

constexpr const char* gradescope_list = "submission_metadata.yml";
constexpr const char* commit_times = "times.csv";

}  // namespace

ClassPlan ClassPlan::read(const Course& course, const std::filesystem::path& roster,
                          std::vector<std::filesystem::path> earlier,
                          const std::vector<std::string>& platforms) {
  ClassPlan plan{course, ClassFiles::read(roster, course), std::move(earlier), {}};
  for (const std::string& name : platforms) plan.platforms.push_back(mark_platform_by_name(name));
  for (const std::filesystem::path& batch : plan.earlier)
    if (!std::filesystem::is_directory(batch / "records"))
      throw BadInput("--earlier " + batch.string() + " holds no batch: it has no folder records");
  return plan;
}

void check_entries(const ClassPlan& plan, const std::filesystem::path& submissions,
                   const std::vector<Submission>& entries) {
  const Matcher matcher(plan.files.roster, plan.files.written_students(),
                        read_gradescope_export(submissions));
  for (const Submission& entry : entries) matcher.students_of(entry.source);
}

GradedBatch read_graded_batch(const std::filesystem::path& batch) {
  return {RecordStore::read_batch(batch).records, read_gradescope_export(batch / "marks"),
          read_git_times(batch / "marks" / commit_times)};
}

PlannedMarks::PlannedMarks(const ClassPlan& plan, std::vector<SubmissionRecord> records,
                           const std::filesystem::path& submissions)
    : plan_(plan), submissions_(submissions) {
  for (const std::filesystem::path& batch : plan.earlier) batches_.push_back(read_graded_batch(batch));
  batches_.push_back({std::move(records), read_gradescope_export(submissions),
                      read_git_times(clones_folder(submissions) / commit_times)});
  book_ = make_book(plan.course, plan.files, batches_);
}

std::vector<std::string> PlannedMarks::write(const std::filesystem::path& out) const {
  std::vector<std::string> remarks = write_marks(out, book_, plan_.files.term, plan_.platforms);
  for (std::string& remark : write_marking(out, plan_.course, book_, plan_.files))
    remarks.push_back(std::move(remark));
  if (!batches_.back().gradescope.empty())
    write_file_atomically(out / "marks" / gradescope_list, bytes_of_file(submissions_ / gradescope_list));
  if (!batches_.back().times.empty())
    write_file_atomically(out / "marks" / commit_times,
                          bytes_of_file(clones_folder(submissions_) / commit_times));
  return remarks;
}

}  // namespace warplab
