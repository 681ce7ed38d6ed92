#pragma once

#include <string>

#include "grader/cli/command.hpp"
#include "grader/sealed/sealed_marks.hpp"

namespace warplab {

// What `predict` and `hunt` share: they ask a student, and mark what was sealed.

/// A line of what the student types. @throws BadInput at the end of the input
std::string line_after(const std::string& prompt);

/// Marks what a class handed in, and writes the table to a file, or prints it where `out` is empty. What
/// cannot be read has a row without points, and a sentence on standard error.
/// @throws BadInput
void mark_sealed(const SealedFlags& flags, SealedKind kind, const WorthOfSealed& worth_of,
                 const std::string& out);

}  // namespace warplab
