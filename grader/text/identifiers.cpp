#include "grader/text/identifiers.hpp"

#include <algorithm>
#include <cctype>

namespace warplab {
namespace {

bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

bool is_identifier(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, continues_name);
}

std::string renamed(const std::string& text, const std::map<std::string, std::string>& renames) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && continues_name(text[end])) ++end;
    const auto other = renames.find(text.substr(at, end - at));
    if (other != renames.end() && text.compare(end, 3, ".cu") != 0)
      result += other->second;
    else
      result.append(text, at, std::max(end, at + 1) - at);
    at = std::max(end, at + 1);
  }
  return result;
}

}  // namespace warplab
