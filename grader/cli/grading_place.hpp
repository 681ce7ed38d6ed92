#pragma once

#include <filesystem>
#include <string>

#include "grader/course/course.hpp"
#include "grader/sandbox/sandbox.hpp"

namespace warplab {

/// tests/hidden of this tree. @throws BadInput where there is none, as in a released tree
std::filesystem::path hidden_folder();

/// @throws NotAvailable if a lab of the course is not built: submissions are linked with its adapters
void check_built(const Course& course);

/// The sandbox's level to grade at: of that name, or for "auto" the strongest that works here, which is
/// printed if it is not the best.
/// @throws NotAvailable where there is none and nobody asked to go on without
SandboxLevel level_to_grade_at(const std::string& name);

}  // namespace warplab
