#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/release/released_files.hpp"

namespace warplab {

/// A line of a solution, or of an answer key, that students would find somewhere.
struct Leak {
  std::string file;  ///< of the released tree, relative to its root
  int line = 0;
  std::string solution_file;  ///< of our tree, likewise; or the key's
  int solution_line = 0;
  std::string text;  ///< the line, without what surrounds it
};

/// "labs/07_transpose/README.md:12 has line 30 of the solution labs/07_transpose/transpose_tiled.cu: ..."
std::string sentence(const Leak& leak);

/// Looks for the distinctive lines of every solution in every text of a released tree, whatever the white
/// space, be it in comments or in prose. Distinctive is what has 30 characters or more, without a comment
/// after it where that leaves as many, and is not in given code:
///   - in common/, emulator/ and reference/ of our tree;
///   - outside of regions in the solution's own file, stubs included;
///   - outside of regions in rungs of its lab before its own in the table, except those that are withheld.
/// Kernels of other labs may share up to two lines with a solution, such as how an index is computed; more
/// are a copy.
/// Of answer keys each line is looked for, without "- 2 points:" before it, if it has as many characters and
/// is not in the lab's handout.
/// @param ours, released roots of the two trees
/// @return at most one leak a line of the released tree, in the order of files and lines
std::vector<Leak> leaks(const std::filesystem::path& ours, const std::filesystem::path& released,
                        const RungTables& rungs);

}  // namespace warplab
