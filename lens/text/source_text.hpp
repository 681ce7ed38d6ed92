#pragma once

#include <map>
#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// Lines of source files, each file read once.
class SourceText {
 public:
  /// A line without the blanks around it; "" where there is no such file or line.
  std::string line(const std::string& file, int number);
  /// A line of counts: its own text where it has one.
  std::string line(const Line& line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// Paths as short as can be: the file's name, with so many folders before it that no two files share it.
class ShortPaths {
 public:
  /// Of all files that the launches' lines and findings name.
  explicit ShortPaths(const std::vector<const Launch*>& launches);
  std::string operator()(const std::string& path) const;

 private:
  std::map<std::string, std::string> short_;
};

/// At most `width` characters (UTF-8), with "..." where the rest was cut off.
std::string cut(const std::string& text, std::size_t width);

/// How many characters a terminal shows.
std::size_t shown_width(const std::string& text);

}  // namespace warplab::lens
