#pragma once

#include <sstream>
#include <string>

namespace warplab {

/// A paragraph in lines of at most 110 columns, each with its newline.
inline std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word; line += word) {
    if (line.empty()) continue;
    if (line.size() + 1 + word.size() > 110) {
      lines += line + "\n";
      line.clear();
    } else {
      line += " ";
    }
  }
  return lines + line + "\n";
}

}  // namespace warplab
