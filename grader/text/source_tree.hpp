#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab {

/// Whether a file or folder at the root of a tree has the name of a part of warplab. What a course puts there
/// besides, such as rosters, submissions and batches, has not.
bool is_part_of_tree(const std::string& name);

/// The files of a tree of warplab, relative to its root and sorted: those that git tracks and that are there;
/// where it tracks none, those of the parts of warplab, but for results. @throws BadInput if there is no such
/// folder
std::vector<std::filesystem::path> files_of_tree(const std::filesystem::path& root);

/// As files_of_tree(), where these must be among them, such as those of a lab that was just made.
/// @throws BadInput also if one of them is there and git does not track it
std::vector<std::filesystem::path> files_of_tree_with(const std::filesystem::path& root,
                                                      const std::vector<std::filesystem::path>& files);

/// The commit that a tree is at, "14f1ef5a2b3c", with "-dirty" after it if files differ; "" where git
/// does not know.
std::string commit_of_tree(const std::filesystem::path& root);

/// The bytes of a file. @throws BadInput naming it if it cannot be read
std::string bytes_of_file(const std::filesystem::path& file);

}  // namespace warplab
