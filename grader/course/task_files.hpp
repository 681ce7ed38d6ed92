#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// A file that tasks name: the lab's folder, "07_transpose", and the file's name, "transpose_tiled.cu".
using TaskFile = std::pair<std::string, std::string>;

/// Contents of files by their names in the lab's folder.
using FileTexts = std::map<std::string, std::string>;

/// The files that the tasks of a course name, each once.
std::vector<TaskFile> task_files(const Course& course);

}  // namespace warplab
