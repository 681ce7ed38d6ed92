#include "common/bad_input.hpp"
#include "grader/batch.hpp"
#include "grader/grading.hpp"
#include "grader/intake.hpp"
#include "grader/outputs.hpp"
#include "grader/similarity.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The task files as they are handed out.
std::map<TaskFile, std::string> given_files(const Course& course) {
  std::map<TaskFile, std::string> given;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files())
        given[{lab.folder.filename().string(), file}] = handed_out(lab, file);
  return given;
}

}  // namespace

std::size_t collect(const Course& course, const fs::path& out, const fs::path& submissions) {
  if (!fs::exists(out / "judge" / "seed")) throw BadInput(out.string() + " holds no batch");
  const RecordStore::Contents contents = RecordStore(out).read_all();
  for (const SubmissionRecord& record : contents.records) write_student_outputs(out, record);
  std::vector<TakenFiles> taken;
  const std::vector<TaskFile> files = task_files(course);
  for (const Submission& submission : find_submissions(submissions))
    taken.push_back({submission.student, take_in(submission, files).files});
  write_class_outputs(out, contents, similar_submissions(taken, given_files(course)));
  return contents.records.size();
}

}  // namespace warplab
