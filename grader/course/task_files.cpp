#include "grader/course/task_files.hpp"

#include <set>

namespace warplab {

std::vector<TaskFile> task_files(const Course& course) {
  std::set<TaskFile> files;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files()) files.emplace(lab.folder.filename().string(), file);
  return {files.begin(), files.end()};
}

}  // namespace warplab
