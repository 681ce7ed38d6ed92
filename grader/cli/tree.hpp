#pragma once

#include <filesystem>

#include "grader/course/course.hpp"

namespace warplab {

/// The root of the tree that this program was built from.
std::filesystem::path tree_root();

/// Its course. @throws BadInput as Course::read
Course course_here();

}  // namespace warplab
