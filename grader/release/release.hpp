#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/release/leaks.hpp"
#include "grader/release/released_files.hpp"

namespace warplab {

/// The outcome of a release.
struct ReleaseReport {
  bool delivered = false;           ///< not if there are leaks
  bool replaced = false;            ///< there was a release before
  std::size_t files = 0;            ///< of the students' tree
  std::size_t solutions = 0;        ///< regions for which a stub was left
  std::vector<std::string> labs;    ///< folders' names: "07_transpose"
  std::vector<std::string> absent;  ///< files of our tree that students do not get
  std::vector<Leak> leaks;
};

/// What a students' tree is to be.
enum class ReleaseFor {
  anyone,
  github  ///< a template repository, whose workflow judges each push (grader/classroom)
};

/// @throws BadInput unless it is OWNER/REPOSITORY, as GitHub names them
void check_repository_name(const std::string& name);

/// Makes the students' tree from ours, and looks for leaks in it. It appears at `out` as a whole or not at
/// all: `out` is new, or empty, or a release made before, which is replaced, but for its .git. The same tree
/// gives the same bytes.
///
/// Solutions give way to their stubs; parts between marks of withheld_parts.hpp, files of rungs that are
/// withheld, and what ReleasedFiles leaves out go without trace. RELEASE.json says what it is.
/// @param course our tree, with the labs that students get: course.only(...)
/// @param rungs of these labs at the least
/// @param repository "OWNER/REPOSITORY", for whose Codespaces README.md gets a badge below its heading; or ""
/// @throws BadInput for an `out` that holds something else, lies around our tree or cannot be written, and
/// for a mark without its other half
ReleaseReport release(const Course& course, const RungTables& rungs, const std::filesystem::path& out,
                      ReleaseFor whom = ReleaseFor::anyone, const std::string& repository = "");

}  // namespace warplab
