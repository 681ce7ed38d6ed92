#pragma once

#include <string>
#include <string_view>

namespace warplab {

/// What students do not get of a file: lines between marks, and the marks themselves. A mark is in a line
/// of its own, in the comments of its language:
///
///     // BEGIN WITHHELD          # BEGIN WITHHELD          <!-- BEGIN WITHHELD -->
///     // END WITHHELD            # END WITHHELD            <!-- END WITHHELD -->
///
/// Of a file that is withheld as a whole nothing is left but blank lines: see is_blank().
/// @param file its name, for messages
/// @throws BadInput naming the file and the line of a mark that lacks its other
/// half or is within another part
std::string without_withheld_parts(std::string_view text, const std::string& file);

/// Whether a text has no word.
bool is_blank(std::string_view text);

/// Whether a line is a mark of a withheld part or of a solution, or a stub's.
bool is_release_mark(std::string_view line);

}  // namespace warplab
