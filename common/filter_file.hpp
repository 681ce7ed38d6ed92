#pragma once

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/bad_input.hpp"

namespace warplab {

/// The coefficients of a square filter, row by row.
struct FilterFile {
  int side = 0;
  std::vector<float> coefficients;
};

inline constexpr int max_filter_side = 127;
inline constexpr double max_coefficient = 1e6;

/// Reads a filter: one row a line, numbers separated by blanks or commas, lines without numbers skipped.
/// @throws BadInput naming the file, unless it holds as many rows as columns, an odd number up to
/// max_filter_side, of numbers no larger than max_coefficient
inline FilterFile read_filter(const std::string& path) {
  const auto refuse = [&](const std::string& why) -> BadInput {
    return BadInput("--filter " + path + " " + why);
  };
  constexpr std::size_t max_bytes = 1 << 20;

  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(max_bytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad() || (file.fail() && !file.eof()))
    throw refuse(std::string("cannot be read: ") + std::strerror(errno ? errno : EIO) +
                 "; accepted are mean, sharpen and a file of numbers");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > max_bytes) throw refuse("is larger than 1048576 bytes: that is no filter");

  FilterFile filter;
  int rows = 0, columns = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (char& c : line)
      if (c == ',' || c == '\t' || c == '\r') c = ' ';
    std::istringstream words(line);
    int in_row = 0;
    for (std::string word; words >> word; ++in_row) {
      std::string shown = word.substr(0, 20);
      for (char& c : shown)
        if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
      const std::string where = "'" + shown + "' in row " + std::to_string(rows + 1);
      double value = 0;
      const bool plus = word[0] == '+' && word.find('-') != 1;  // from_chars takes no plus
      const char* const begin = word.data() + (plus ? 1 : 0);
      const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
      if (error == std::errc::result_out_of_range) throw refuse("has " + where + ", which is out of range");
      if (error != std::errc() || end != word.data() + word.size())
        throw refuse("has " + where + ", which is no number");
      if (!std::isfinite(value)) throw refuse("has " + where + ", which is not finite");
      if (std::fabs(value) > max_coefficient)
        throw refuse("has " + where + "; coefficients may be -1000000 to 1000000");
      filter.coefficients.push_back(static_cast<float>(value));
    }
    if (in_row == 0) continue;
    if (rows > 0 && in_row != columns)
      throw refuse("has " + std::to_string(in_row) + " numbers in row " + std::to_string(rows + 1) + " and " +
                   std::to_string(columns) + " in the rows before");
    columns = in_row;
    ++rows;
  }
  const std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
  if (rows == 0) throw refuse("holds no numbers");
  if (rows != columns) throw refuse("holds " + shape + " numbers; a filter has as many rows as columns");
  if (rows % 2 == 0)
    throw refuse("holds " + shape + " numbers; a filter's side is odd, so that it has a centre");
  if (rows > max_filter_side) throw refuse("holds " + shape + " numbers; the largest filter is 127x127");
  filter.side = rows;
  return filter;
}

}  // namespace warplab
