#include "lens/text/source_text.hpp"

#include <fstream>
#include <set>

namespace warplab::lens {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The last `parts` parts of a path.
std::string tail(const std::string& path, int parts) {
  std::size_t at = path.size();
  for (; parts > 0 && at != std::string::npos && at > 0; --parts) at = path.rfind('/', at - 1);
  return parts > 0 || at == std::string::npos || at == 0 ? path : path.substr(at + 1);
}

}  // namespace

std::string SourceText::line(const std::string& file, int number) {
  const auto [at, is_new] = files_.try_emplace(file);
  if (is_new) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) {
      const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
      std::string trimmed = first == std::string::npos ? "" : text.substr(first, last - first + 1);
      for (char& c : trimmed)
        if (c == '\t') c = ' ';
      at->second.push_back(std::move(trimmed));
    }
  }
  const std::vector<std::string>& lines = at->second;
  return number < 1 || static_cast<std::size_t>(number) > lines.size() ? "" : lines[number - 1];
}

std::string SourceText::line(const Line& line) {
  return line.text ? *line.text : this->line(line.file, line.line);
}

ShortPaths::ShortPaths(const std::vector<const Launch*>& launches) {
  std::set<std::string> paths;
  for (const Launch* launch : launches) {
    for (const Line& line : launch->lines) paths.insert(line.file);
    for (const Finding& finding : launch->findings) paths.insert(finding.file);
  }
  for (const std::string& path : paths) {
    std::string name = path;
    for (int parts = 1; parts < 64; ++parts) {
      name = tail(path, parts);
      bool unique = true;
      for (const std::string& other : paths) unique = unique && (other == path || tail(other, parts) != name);
      if (unique || name == path) break;
    }
    short_[path] = name;
  }
}

std::string ShortPaths::operator()(const std::string& path) const {
  const auto at = short_.find(path);
  return at == short_.end() ? path : at->second;
}

std::size_t shown_width(const std::string& text) {
  std::size_t width = 0;
  for (char c : text) width += !continues_a_character(c);
  return width;
}

std::string cut(const std::string& text, std::size_t width) {
  if (shown_width(text) <= width) return text;
  std::size_t kept = 0, at = 0;
  const std::size_t room = width > 3 ? width - 3 : 0;
  for (; at < text.size(); ++at)
    if (!continues_a_character(text[at]) && kept++ == room) break;
  return text.substr(0, at) + "...";
}

}  // namespace warplab::lens
