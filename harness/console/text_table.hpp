#pragma once

#include <string>
#include <vector>

namespace warplab {

/// A table for the console: columns of text, two spaces apart.
class TextTable {
 public:
  struct Column {
    std::string title;
    std::size_t width = 0;  ///< in characters; the title's own where that is wider
    bool is_right_aligned = false;
  };

  explicit TextTable(std::vector<Column> columns);

  /// Makes the columns wide enough for a row.
  void make_room_for(const std::vector<std::string>& cells);

  /// The titles, and a newline.
  std::string header() const;
  /// A row, and a newline; with fewer cells than columns the rest of the line is empty.
  std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<Column> columns_;
};

/// The number of characters in UTF-8 text.
std::size_t character_count(const std::string& text);

}  // namespace warplab
