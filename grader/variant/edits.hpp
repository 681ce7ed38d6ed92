#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// Lines of a file that become others.
struct Edit {
  std::string file;         ///< relative to the tree's root
  std::string place;        ///< where it is written: "labs/07_transpose/variants/direction_left.diff:12"
  std::string of, becomes;  ///< whole lines with their ends; `of` has one at least
};

/// The hunks of a unified diff, as `git diff` writes it; text before its first file is a description. Line
/// numbers of hunks mean nothing here, only their lengths do.
/// @param name of the diff, for messages and places
/// @throws BadInput naming the line of what is not such a diff, makes, removes or renames a file, or has
/// lines to add and none to find their place by
std::vector<Edit> edits_of(std::string_view diff, const std::string& name);

/// A text after an edit. @throws BadInput naming the edit's place and its file unless the text has the lines
/// exactly once
std::string with_edit(std::string text, const Edit& edit);

}  // namespace warplab
