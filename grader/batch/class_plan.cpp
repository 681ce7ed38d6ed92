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

std::map<std::string, std::string> times_in(const std::map<std::string, GradescopeEntry>& gradescope,
                                            const std::filesystem::path& commits) {
  std::map<std::string, std::string> times;
  for (const auto& [entry, listed] : gradescope) times[entry] = listed.created_at;
  for (const auto& [entry, time] : read_git_times(commits)) times[entry] = TimeZone().text(time) + " UTC";
  return times;
}

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

std::map<std::string, std::string> listed_times(const std::filesystem::path& submissions) {
  return times_in(read_gradescope_export(submissions), clones_folder(submissions) / commit_times);
}

GradedBatch read_graded_batch(const std::filesystem::path& batch) {
  const std::map<std::string, GradescopeEntry> gradescope = read_gradescope_export(batch / "marks");
  return {RecordStore::read_batch(batch).hand_ins, gradescope,
          times_in(gradescope, batch / "marks" / commit_times)};
}

PlannedMarks::PlannedMarks(const ClassPlan& plan, std::vector<SubmissionRecord> hand_ins,
                           const std::filesystem::path& submissions)
    : plan_(plan), submissions_(submissions) {
  for (const std::filesystem::path& batch : plan.earlier) batches_.push_back(read_graded_batch(batch));
  batches_.push_back({std::move(hand_ins), read_gradescope_export(submissions), listed_times(submissions)});
  book_ = make_book(plan.course, plan.files, batches_);
}

std::vector<std::string> PlannedMarks::write(const std::filesystem::path& out) const {
  std::vector<std::string> remarks = write_marks(out, book_, plan_.files.term, plan_.platforms);
  for (std::string& remark : write_marking(out, plan_.course, book_, plan_.files))
    remarks.push_back(std::move(remark));
  if (!batches_.back().gradescope.empty())
    write_file_atomically(out / "marks" / gradescope_list, bytes_of_file(submissions_ / gradescope_list));
  if (const std::filesystem::path commits = clones_folder(submissions_) / commit_times;
      std::filesystem::exists(commits))
    write_file_atomically(out / "marks" / commit_times, bytes_of_file(commits));
  return remarks;
}

}  // namespace warplab
