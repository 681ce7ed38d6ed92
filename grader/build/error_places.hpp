#pragma once

#include <map>
#include <string>

namespace warplab {

/// g++'s messages on a translation, with columns and carets of the student's own lines. What it found is
/// at another column of the translated line; it is at the same word of the student's. Where the student's
/// line has no such word, the message has a line only.
/// @param translated what g++ compiled, with line markers
/// @param own texts of the student's files, by the paths that line markers name
std::string with_own_columns(const std::string& messages, const std::string& translated,
                             const std::map<std::string, std::string>& own);

}  // namespace warplab
