#include "report/handouts/handout_table.hpp"

#include <sstream>

#include "common/host/bad_input.hpp"

namespace warplab::report {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells = split(std::string_view(line).substr(1), '|');
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

std::string rung_in(const std::string& cell) {
  std::string name = cell;
  std::erase(name, '`');
  return name;
}

std::string size_and_type(const Row& row) { return row.size_text() + " " + row.dtype; }

bool meets(const Row& row, const std::string& condition) {
  const std::size_t space = condition.rfind(' ');
  if (space == std::string::npos) throw BadInput("the condition '" + condition + "' is not a name and value");
  const std::string value = condition.substr(space + 1);
  return !value.empty() && row.param(condition.substr(0, space)) == value;
}

}  // namespace warplab::report
