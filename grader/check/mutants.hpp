#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// A mistake that students make, put into our own solution of a task: a test of the tests.
struct Mutant {
  /// What must catch it, in the order in which a file meets them.
  enum class Killer { compile, refused, public_cases, hidden_cases, limit };
  std::string task;     ///< its id: "tiled"
  std::string name;     ///< "missing __syncthreads"
  std::string of;       ///< a text that occurs once in the regions of the task's file
  std::string becomes;  ///< what is there instead
  Killer killed_by = Killer::public_cases;
  /// How it must be seen: as a kind of the lens's findings ("race"), by their likely cause ("fence_missing"),
  /// or as "no_kernel", where none was launched; "" for any way.
  std::string kind = {};
  /// A test of the wording, where no kind says what a student must read: of a limit, or of a lab's own
  /// adapter. A regular expression that the student's message matches; "" for any.
  std::string says = {};
};
/// The kind of a mutant that launches nothing.
inline constexpr const char* no_kernel = "no_kernel";
/// "compile", "refused", "public", "hidden", "limit": as the files say it.
const char* name_of(Mutant::Killer killer);

/// What `tests/hidden/mutants/<lab>.json` lists for a lab:
///
///     {"lab": "transpose",
///      "mutants": [{"task": "tiled", "name": "missing __syncthreads", "of": "  __syncthreads();",
///                   "becomes": "", "killed_by": "public", "kind": "race"}]}
///
/// @throws BadInput naming the file and what is missing, unknown, or twice, and for a `says`
/// that is not a regular expression
std::vector<Mutant> mutants_of(const Lab& lab, const std::filesystem::path& file);

/// A file with its solutions, as with_solutions(), and one mistake in them.
/// @throws BadInput naming the mutant unless its text occurs exactly once in the regions, whole within one,
/// and becomes another
std::string with_mistake(std::string_view text, const std::string& file, const Mutant& mutant);

}  // namespace warplab
