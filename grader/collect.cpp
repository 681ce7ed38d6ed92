#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "common/atomic_file.hpp"
#include "common/bad_input.hpp"
#include "grader/batch.hpp"
#include "grader/class_summary.hpp"
#include "grader/feedback.hpp"
#include "grader/gradebook.hpp"
#include "grader/gradescope.hpp"
#include "grader/intake.hpp"
#include "grader/junit.hpp"
#include "grader/record_store.hpp"
#include "grader/similarity.hpp"
#include "grader/solution_regions.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The task files as they are handed out.
std::map<TaskFile, std::string> given_files(const Course& course) {
  std::map<TaskFile, std::string> given;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks) {
      std::ifstream in(lab.folder / task.file, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      given[{lab.folder.filename().string(), task.file}] = without_solutions(text, task.file);
    }
  return given;
}

void write_page(const fs::path& stem, const Page& page) {
  write_file_atomically(stem.string() + ".md", to_markdown(page));
  write_file_atomically(stem.string() + ".html", to_html(page));
}

}  // namespace

std::size_t collect(const Course& course, const fs::path& out, const fs::path& submissions) {
  if (!fs::exists(out / "judge" / "seed")) throw BadInput(out.string() + " holds no batch");
  const RecordStore::Contents contents = RecordStore(out).read_all();
  for (const char* folder : {"feedback", "gradescope"}) fs::create_directories(out / folder);
  write_file_atomically(out / "gradebook.csv", gradebook_csv(contents.records));
  write_file_atomically(out / "junit.xml", junit_xml(contents.records));
  for (const SubmissionRecord& record : contents.records) {
    write_page(out / "feedback" / record.student, feedback_page(record));
    write_file_atomically(out / "gradescope" / (record.student + ".json"),
                          gradescope_results(record).dump(1) + "\n");
  }
  std::vector<TakenFiles> taken;
  const std::vector<TaskFile> files = task_files(course);
  for (const Submission& submission : find_submissions(submissions))
    taken.push_back({submission.student, take_in(submission, files).files});
  write_page(out / "class", class_page(contents.records, contents.problems,
                                       similar_submissions(taken, given_files(course))));
  return contents.records.size();
}

}  // namespace warplab
