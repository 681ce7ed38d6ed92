#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab {

/// A part of a file that students write: what is there in our tree, and what they find instead.
struct SolutionRegion {
  int first_line = 0, last_line = 0;  ///< of the file, from 1: those with the marks
  std::vector<std::string> solution;  ///< lines as they are
  std::vector<std::string> stub;  ///< lines as they are left, indented like the mark that begins the region
};

/// The regions of a source file, between lines `// BEGIN SOLUTION` and `// END SOLUTION`. Within them a line
/// `// STUB text` leaves `text`.
/// @param file its name, for messages
/// @throws BadInput naming the file and the line of a mark that lacks its other half, is within another
/// region, or of a stub outside of any
std::vector<SolutionRegion> solution_regions(std::string_view text, const std::string& file);

/// The file as students get it: with stubs in the place of solutions, and without
/// marks. @throws BadInput as above
std::string without_solutions(std::string_view text, const std::string& file);

/// The file as a student hands it in who has written what we did: solutions without marks and stubs. @throws
/// BadInput as above
std::string with_solutions(std::string_view text, const std::string& file);

}  // namespace warplab
