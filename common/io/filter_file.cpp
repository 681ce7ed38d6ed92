#include "common/io/filter_file.hpp"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/host/bad_input.hpp"

namespace warplab {

namespace {

/// Reads one file's numbers, row by row.
class FilterReader {
 public:
  FilterReader(const std::string& path, const FilterLimits& limits) : path_(path), limits_(limits) {}

  FilterFile read() {
    std::istringstream lines(text());
    for (std::string line; std::getline(lines, line);) read_row(line);
    check_shape();
    filter_.side = rows_;
    return std::move(filter_);
  }

 private:
  BadInput refused(const std::string& why) const { return BadInput("--filter " + path_ + " " + why); }

  std::string text() const {
    const std::size_t max_bytes =
        static_cast<std::size_t>(limits_.side) * static_cast<std::size_t>(limits_.side) * 64;
    errno = 0;
    std::ifstream file(path_, std::ios::binary);
    std::string text, chunk(1 << 16, '\0');
    while (file && text.size() <= max_bytes) {
      file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
      text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad() || (file.fail() && !file.eof()))
      throw refused(std::string("cannot be read: ") + std::strerror(errno ? errno : EIO) + "; accepted are " +
                    limits_.accepted);
    if (text.size() > max_bytes)
      throw refused("is larger than " + std::to_string(max_bytes) + " bytes: that is not a filter");
    return text;
  }

  double number(const std::string& word) const {
    std::string shown = word.substr(0, 20);
    for (char& c : shown)
      if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
    const std::string where = "'" + shown + "' in row " + std::to_string(rows_ + 1);
    double value = 0;
    const bool plus = word[0] == '+' && word.find('-') != 1;  // from_chars takes no plus
    const char* const begin = word.data() + (plus ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) throw refused("has " + where + ", which is out of range");
    if (error != std::errc() || end != word.data() + word.size())
      throw refused("has " + where + ", which is not a number");
    if (!std::isfinite(value)) throw refused("has " + where + ", which is not finite");
    if (std::fabs(value) > static_cast<double>(limits_.coefficient))
      throw refused("has " + where + "; coefficients may be -" + std::to_string(limits_.coefficient) +
                    " to " + std::to_string(limits_.coefficient));
    return value;
  }

  void read_row(std::string line) {
    for (char& c : line)
      if (c == ',' || c == '\t' || c == '\r') c = ' ';
    std::istringstream words(line);
    int in_row = 0;
    for (std::string word; words >> word; ++in_row) filter_.coefficients.push_back(number(word));
    if (in_row == 0) return;
    if (rows_ > 0 && in_row != columns_)
      throw refused("has " + std::to_string(in_row) + " numbers in row " + std::to_string(rows_ + 1) +
                    " and " + std::to_string(columns_) + " in the rows before");
    columns_ = in_row;
    ++rows_;
  }

  void check_shape() const {
    const std::string shape = std::to_string(rows_) + "x" + std::to_string(columns_);
    if (rows_ == 0) throw refused("holds no numbers");
    if (rows_ != columns_) throw refused("holds " + shape + " numbers; a filter has as many rows as columns");
    if (rows_ % 2 == 0)
      throw refused("holds " + shape + " numbers; a filter's side is odd, so that it has a centre");
    if (rows_ > limits_.side)
      throw refused("holds " + shape + " numbers; the largest filter is " + std::to_string(limits_.side) +
                    "x" + std::to_string(limits_.side));
  }

  const std::string& path_;
  const FilterLimits& limits_;
  FilterFile filter_;
  int rows_ = 0, columns_ = 0;
};

}  // namespace

FilterFile read_filter(const std::string& path, const FilterLimits& limits) {
  return FilterReader(path, limits).read();
}

std::string filter_label(const std::string& path) {
  std::string label = std::filesystem::path(path).stem().string();
  for (char& letter : label)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '-';
  return label;
}

}  // namespace warplab
