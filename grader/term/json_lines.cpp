#include "grader/term/json_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/host/bad_input.hpp"

namespace warplab {
namespace {

using Json = nlohmann::json;

/// Hands a parser one character after the other, and counts the lines that it has read.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, std::size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  LineCounter operator++(int) {
    const LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
};

std::size_t line_at(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

}  // namespace

std::string JsonWithLines::place(const Path& path) const {
  const auto line = lines.find(path);
  return fmt::format("{}:{}", file, line == lines.end() ? 1 : line->second);
}

JsonWithLines json_with_lines(const std::string& text, const std::string& file) {
  JsonWithLines read{{}, file};
  std::size_t line = 1;
  JsonWithLines::Path open;  // the path of the innermost object or list, after the key "" of the whole
  std::string key;           // of the value that comes next
  const auto keep = [&](int, Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      open.push_back(std::exchange(key, ""));
    } else if (event == Event::object_end || event == Event::array_end) {
      open.pop_back();
    } else if (event == Event::key) {
      key = value.get<std::string>();
      JsonWithLines::Path path(open.begin() + 1, open.end());
      path.push_back(key);
      if (!read.lines.emplace(path, line).second)
        throw BadInput(fmt::format("{}:{}: \"{}\" is there twice", file, line, key));
    }
    return true;
  };
  try {
    const char* const begin = text.data();
    read.json = Json::parse(LineCounter(begin, &line), LineCounter(begin + text.size(), &line), keep);
  } catch (const Json::parse_error& error) {
    const std::size_t byte = error.byte ? error.byte - 1 : 0;
    throw BadInput(fmt::format("{}:{}: this is not JSON", file, line_at(text, byte)));
  } catch (const Json::out_of_range&) {
    throw BadInput(fmt::format("{}:{}: a number is too large", file, line));
  }
  return read;
}

}  // namespace warplab
