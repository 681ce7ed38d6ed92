#include "tests/house/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace warplab::house {

namespace fs = std::filesystem;

namespace {

bool is_fence(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.compare(first, 3, "```") == 0;
}

std::string without_indent(const std::string& line, std::size_t indent) {
  return line.substr(std::min(indent, std::min(line.find_first_not_of(' '), line.size())));
}

/// The anchor that GitHub gives a heading: lower case, without punctuation, with hyphens for spaces.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : std::regex_replace(heading, std::regex(R"(\[([^\]]*)\]\([^)]*\))"), "$1")) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '_' || c == '-' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

void read_links(const std::string& line, int number, std::vector<Link>& links) {
  static const std::regex code("`[^`]*`");
  static const std::regex link(R"re(\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)")re");
  const std::string text = std::regex_replace(line, code, "");
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i)
    links.push_back({number, (*i)[1].matched ? (*i)[1].str() : (*i)[2].str()});
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Document read_document(const fs::path& path) {
  Document document{path, {}, {}, {}, {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) document.lines.push_back(line);

  std::map<std::string, int> seen;
  bool fenced = false, indented = false;
  std::size_t indent = 0;
  for (int number = 1; const std::string& line : document.lines) {
    if (is_fence(line)) {
      fenced = !fenced;
      indent = line.find('`');
      if (fenced) document.blocks.push_back({number + 1, line.substr(indent + 3), {}});
      indented = false;
    } else if (fenced) {
      document.blocks.back().lines.push_back(without_indent(line, indent));
    } else if (line.starts_with("    ")) {
      if (!indented) document.blocks.push_back({number, "", {}});
      document.blocks.back().lines.push_back(line.substr(4));
      indented = true;
    } else {
      indented = indented && line.empty();
      if (indented) document.blocks.back().lines.push_back("");
      read_links(line, number, document.links);
      if (std::smatch heading; std::regex_match(line, heading, std::regex("#{1,6} +(.*?)( +\\{#.*\\})?"))) {
        const std::string anchor = anchor_of(heading[1]);
        const int before = seen[anchor]++;
        document.anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
      }
    }
    ++number;
  }
  return document;
}

std::vector<fs::path> document_paths() {
  const fs::path source = WARPLAB_SOURCE_DIR;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(source))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  for (const char* folder : {"cluster", "cmake", "common", "docs", "emulator", "grader", "harness", "labs",
                             "lens", "reference", "report", "runner", "tests", ".github"}) {
    if (!fs::exists(source / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<ShownCommand> commands_of(const CodeBlock& block) {
  std::vector<ShownCommand> commands;
  const bool console = block.language == "console";
  if (!console && block.language != "sh") return commands;
  bool goes_on = false;
  for (int number = block.line; std::string line : block.lines) {
    const bool is_command = !console || line.starts_with("$ ");
    if (console && is_command) line = line.substr(2);
    if (goes_on) {
      commands.back().text += line.substr(std::min(line.find_first_not_of(' '), line.size()));
    } else if (is_command) {
      if (!line.empty() && !line.starts_with("#")) commands.push_back({number, line, {}});
    } else if (!commands.empty()) {
      commands.back().output.push_back(line);
    }
    goes_on = !commands.empty() && (goes_on || is_command) && commands.back().text.ends_with("\\");
    if (goes_on) commands.back().text.pop_back();
    ++number;
  }
  for (ShownCommand& command : commands)
    while (!command.output.empty() && command.output.back().empty()) command.output.pop_back();
  return commands;
}

namespace {

/// Columns are as wide as what else is in them, so that how many blanks there are says nothing.
std::string with_single_blanks(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (c != ' ' || text.empty() || text.back() != ' ') text += c;
  return text;
}

bool line_matches(const std::string& shown_line, const std::string& actual_line) {
  const std::string shown = with_single_blanks(shown_line), actual = with_single_blanks(actual_line);
  if (shown.find("...") == std::string::npos) return shown == actual;
  std::size_t from = 0, at = 0;
  for (bool first = true;; first = false) {
    const std::size_t dots = shown.find("...", from);
    const std::string part = shown.substr(from, dots == std::string::npos ? dots : dots - from);
    const bool last = dots == std::string::npos;
    if (first && !actual.starts_with(part)) return false;
    if (last) return actual.size() >= at + part.size() && actual.ends_with(part);
    const std::size_t found = actual.find(part, at);
    if (found == std::string::npos) return false;
    at = found + part.size();
    from = dots + 3;
  }
}

bool matches_from(const std::vector<std::string>& shown, std::size_t s,
                  const std::vector<std::string>& actual, std::size_t a) {
  for (; s < shown.size(); ++s, ++a) {
    if (shown[s] == "...") {
      for (std::size_t skip = a; skip <= actual.size(); ++skip)
        if (matches_from(shown, s + 1, actual, skip)) return true;
      return false;
    }
    if (a >= actual.size() || !line_matches(shown[s], actual[a])) return false;
  }
  return a == actual.size();
}

}  // namespace

bool matches(const std::vector<std::string>& shown, const std::vector<std::string>& actual) {
  return matches_from(shown, 0, actual, 0);
}

}  // namespace warplab::house
