#include "grader/batch/collect.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/intake/intake.hpp"
#include "grader/release/handed_out.hpp"
#include "grader/report/outputs.hpp"
#include "grader/report/similarity.hpp"
#include "grader/text/report_text.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A sentence for what is odd about the batch as a whole.
/// @param failed whose last hand-in warplab failed on
std::vector<std::string> remarks_on(const std::vector<SubmissionRecord>& records,
                                    const std::vector<Submission>& entries,
                                    const std::set<std::string>& failed) {
  std::vector<std::string> remarks;
  std::set<std::string> digests, graded;
  for (const SubmissionRecord& record : records) {
    digests.insert(record.tasks_digest);
    graded.insert(record.student);
  }
  std::size_t waiting = 0;
  for (const Submission& entry : entries) waiting += !graded.contains(entry.student);
  if (waiting)
    remarks.push_back(fmt::format("{} of {} submissions have no record yet; --resume grades them", waiting,
                                  entries.size()));
  if (!failed.empty())
    remarks.push_back(fmt::format("warplab itself failed on {}: {}; --resume grades them again",
                                  counted(failed.size(), "submission"), fmt::join(failed, ", ")));
  if (digests.size() > 1)
    remarks.push_back(
        "records differ in the tasks, points, limits or oracles that they were graded by, and cannot be "
        "compared; "
        "--resume grades them again");
  for (const Submission& entry : entries)
    if (entry.is_namesake)
      remarks.push_back(
          fmt::format("{} is graded as {}, since another entry has its name; if both are one "
                      "student's, take one away",
                      entry.source, entry.student));
  return remarks;
}

}  // namespace

Collected collect(const Course& course, const fs::path& out, const fs::path& submissions,
                  const ClassPlan* plan) {
  if (!fs::exists(out / "judge" / "seed")) throw BadInput(out.string() + " holds no batch");
  RecordStore::Contents contents = RecordStore(out).read_all();
  const std::vector<Submission> entries = find_submissions(submissions);
  std::optional<PlannedMarks> marks;
  if (plan) marks.emplace(*plan, contents.hand_ins, submissions);
  std::set<std::string> failed;
  for (const SubmissionRecord& record : contents.hand_ins)
    if (record.status == SubmissionRecord::Status::own_failure) failed.insert(record.student);
  for (std::string& remark : remarks_on(contents.records, entries, failed))
    contents.problems.push_back(std::move(remark));
  for (const SubmissionRecord& record : contents.records) write_student_outputs(out, record);
  std::vector<TakenFiles> taken;
  const std::vector<TaskFile> files = task_files(course);
  // What ended the process that graded it could end this one.
  for (const Submission& submission : entries)
    if (!failed.contains(submission.student))
      taken.push_back({submission.student, read_submission(submission, files).files});
  if (marks)
    for (std::string& remark : marks->write(out)) contents.problems.push_back(std::move(remark));
  write_class_outputs(out, contents, similar_submissions(taken, given_files(course)));
  return {contents.records.size(), contents.problems};
}

}  // namespace warplab
