#include "grader/similar/others.hpp"

#include <utility>

#include "common/host/bad_input.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

TakenFiles solutions_of(const fs::path& tree, const std::vector<TaskFile>& files) {
  TakenFiles taken{tree.string(), {}};
  for (const TaskFile& file : files) {
    const fs::path path = tree / "labs" / file.first / file.second;
    if (fs::is_regular_file(path)) taken.files[file] = with_solutions(bytes_of_file(path), file.second);
  }
  return taken;
}

}  // namespace

std::vector<TakenFiles> taken_of_class(const fs::path& submissions, const std::vector<TaskFile>& files) {
  std::vector<TakenFiles> taken;
  for (const Submission& submission : find_submissions(submissions)) {
    Intake intake = read_submission(submission, files);
    if (!intake.files.empty()) taken.push_back({submission.student, std::move(intake.files)});
  }
  return taken;
}

std::vector<TakenFiles> others_in(const fs::path& folder, const std::vector<TaskFile>& files) {
  std::vector<TakenFiles> others;
  if (fs::is_directory(folder / "labs") && fs::is_directory(folder / "reference")) {
    others.push_back(solutions_of(folder, files));
    if (others[0].files.empty()) others.clear();
  } else {
    others = taken_of_class(folder, files);
    for (TakenFiles& one : others) one.student = (folder / one.student).string();
  }
  if (others.empty()) throw BadInput(folder.string() + " holds no file that a task names");
  return others;
}

}  // namespace warplab
