#include "harness/console/text_table.hpp"

#include <algorithm>

namespace warplab {

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.width = std::max(column.width, character_count(column.title));
}

void TextTable::make_room_for(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    columns_[i].width = std::max(columns_[i].width, character_count(cells[i]));
}

std::string TextTable::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return row(titles);
}

std::string TextTable::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t width = character_count(cells[i]);
    const std::string padding(columns_[i].width - std::min(width, columns_[i].width), ' ');
    line += (i ? "  " : "") + (columns_[i].is_right_aligned ? padding + cells[i] : cells[i] + padding);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace warplab
