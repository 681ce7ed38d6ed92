#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grader/guard/guard_symbols.hpp"

namespace warplab {

/// Why a student's file is refused before it runs.
struct Refusal {
  int line = 0;           ///< of the student's file; 0 if it has none
  std::string text;       ///< one sentence for the student: what, and what to write instead
  std::string file = {};  ///< that the line is of, where it is not the task's file: a header
};

/// What a file is to the compiler.
enum class SourceKind { unit, header };

/// Looks at a student's file as handed in: what could mislead the looks below, such as `#line`, and what no
/// solution needs, such as absolute includes, inline assembly and attributes that switch instrumentation off.
/// What is found here is told with its line; no safety depends on it, as the validator reads the machine
/// code.
std::optional<Refusal> refusal_of_source(std::string_view text, SourceKind kind = SourceKind::unit);

/// Looks at the preprocessed file. @param file the student's, as line markers name it
std::optional<Refusal> refusal_of_preprocessed(std::string_view text, const std::string& file);

/// Looks at which files of the labs were included: a header that students get in another form than the
/// tree's, since a part of it is a solution or withheld, must not help them.
/// @param root of the tree
std::optional<Refusal> refusal_of_includes(std::string_view preprocessed, const std::filesystem::path& root);

}  // namespace warplab
