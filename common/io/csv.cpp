#include "common/io/csv.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"

namespace warplab {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(space) - first + 1);
}

template <class T>
HostArray read(const std::filesystem::path& path, std::ifstream& file) {
  std::vector<T> values;
  std::int64_t rows = 0, columns = 0, number = 0, blank = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::string_view rest = line;
    if (number == 1 && rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);  // a byte order mark
    if (trimmed(rest).empty()) {
      ++blank;
      continue;
    }
    const auto fail = [&](const std::string& what) {
      throw BadInput(fmt::format("{}: line {} {}", path.string(), number, what));
    };
    if (blank && rows) fail("follows an empty line");
    std::int64_t fields = 0;
    for (bool more = true; more; ++fields) {
      const std::size_t comma = rest.find(',');
      const std::string_view field = trimmed(rest.substr(0, comma));
      std::conditional_t<is_narrow_float<T>, float, T> value{};
      const char* const begin = field.data() + (field.size() > 1 && field[0] == '+' && field[1] != '-');
      const auto [end, error] = std::from_chars(begin, field.data() + field.size(), value);
      if (error == std::errc::result_out_of_range)
        fail(fmt::format("has '{}', which does not fit in {}", field.substr(0, 40), name_of(dtype_of<T>())));
      if (error != std::errc() || end != field.data() + field.size())
        fail(field.empty() ? "has an empty field"
                           : fmt::format("has '{}', which is not a number of type {}", field.substr(0, 40),
                                         name_of(dtype_of<T>())));
      if (is_narrow_float<T> && std::isinf(static_cast<float>(T(value))) && std::isfinite(value))
        fail(fmt::format("has '{}', which does not fit in {}", field.substr(0, 40), name_of(dtype_of<T>())));
      values.push_back(T(value));
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
    if (rows == 0) columns = fields;
    if (fields != columns)
      fail(fmt::format("has {} fields, and the lines before it have {}", fields, columns));
    ++rows;
  }
  if (rows == 0) throw BadInput(path.string() + ": holds no numbers");
  HostArray array(dtype_of<T>(), {rows, columns});
  std::memcpy(array.bytes().data(), values.data(), array.size_bytes());
  return array;
}

}  // namespace

HostArray read_csv(const std::filesystem::path& path, DType dtype) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw BadInput(path.string() + ": there is no such file");
  std::ifstream file(path);
  if (!file) throw BadInput(path.string() + ": cannot be read");
  return dispatch_any(dtype, [&]<class T>() { return read<T>(path, file); });
}

void write_csv(const std::filesystem::path& path, const HostArray& array) {
  const std::vector<std::int64_t>& shape = array.shape();
  if (shape.size() > 2)
    throw BadInput(fmt::format("{}: an array with {} dimensions cannot be a CSV file; write .npy",
                               path.string(), shape.size()));
  const std::int64_t columns = shape.empty() ? 1 : shape.back();
  std::string text;
  dispatch_any(array.dtype(), [&]<class T>() {
    std::int64_t column = 0;
    for (const auto element : array.as<T>()) {
      const std::conditional_t<is_narrow_float<T>, float, T> value = element;
      fmt::format_to(std::back_inserter(text), "{}",
                     value);  // the shortest text that reads back as the same value
      const bool last = ++column == columns;
      text += last ? '\n' : ',';
      if (last) column = 0;
    }
  });
  write_file_atomically(path, text);
}

std::string csv_quoted(std::string_view text) {
  if (text.find_first_of(",\"\n\r'") == std::string_view::npos && !text.starts_with(' '))
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace warplab
