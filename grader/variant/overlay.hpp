#pragma once

#include <cstddef>
#include <filesystem>

namespace warplab {

/// How many files of the tree were replaced, and how many are new.
struct OverlayReport {
  std::size_t replaced = 0, added = 0;
};

/// Writes a course tree with an instructor's own files over it. They lie in a folder of their own, at the
/// places that they take: `private/tests/hidden/transpose.json`. They may be of labs, references and tests,
/// and course.json. One that the tree has replaces it; hidden tests and what is in a lab's `variants/` may be
/// new. A README.md at the top of the folder, and a repository `.git`, are the instructor's.
/// @param root the tree; the overlay may lie in it, and is then not taken for a part of it
/// @param merged a new folder
/// @throws BadInput if there is no such folder, or naming a file of it that has no place in a tree
OverlayReport lay_over(const std::filesystem::path& root, const std::filesystem::path& overlay,
                       const std::filesystem::path& merged);

}  // namespace warplab
