#include "common/io/filter_file.hpp"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/bad_input.hpp"

namespace warplab {

FilterFile read_filter(const std::string& path, const FilterLimits& limits) {
  const auto refuse = [&](const std::string& why) -> BadInput {
    return BadInput("--filter " + path + " " + why);
  };
  const std::size_t max_bytes =
      static_cast<std::size_t>(limits.side) * static_cast<std::size_t>(limits.side) * 64;

  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text, chunk(1 << 16, '\0');
  while (file && text.size() <= max_bytes) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad() || (file.fail() && !file.eof()))
    throw refuse(std::string("cannot be read: ") + std::strerror(errno ? errno : EIO) + "; accepted are " +
                 limits.accepted);
  if (text.size() > max_bytes)
    throw refuse("is larger than " + std::to_string(max_bytes) + " bytes: that is not a filter");

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
        throw refuse("has " + where + ", which is not a number");
      if (!std::isfinite(value)) throw refuse("has " + where + ", which is not finite");
      if (std::fabs(value) > static_cast<double>(limits.coefficient))
        throw refuse("has " + where + "; coefficients may be -" + std::to_string(limits.coefficient) +
                     " to " + std::to_string(limits.coefficient));
      filter.coefficients.push_back(value);
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
  if (rows > limits.side)
    throw refuse("holds " + shape + " numbers; the largest filter is " + std::to_string(limits.side) + "x" +
                 std::to_string(limits.side));
  filter.side = rows;
  return filter;
}

std::string filter_label(const std::string& path) {
  std::string label = std::filesystem::path(path).stem().string();
  for (char& letter : label)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '-';
  return label;
}

}  // namespace warplab
