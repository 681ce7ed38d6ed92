#include "emulator/driver/explain.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/driver/cuda_names.hpp"
#include "emulator/driver/template_libraries.hpp"
#include "emulator/driver/unsupported.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

/// Removes comments and literals, line by line.
class Code {
 public:
  /// Whether the next line begins in a comment or in a raw string.
  bool is_within() const { return in_comment_ || !raw_end_.empty(); }

  std::string of(const std::string& line) {
    std::string code;
    for (std::size_t i = 0; i < line.size();) {
      const std::string_view rest = std::string_view(line).substr(i);
      if (!raw_end_.empty()) {
        i = pass_until(line, i, std::exchange(raw_end_, ""), raw_end_);
      } else if (in_comment_) {
        std::string open;
        i = pass_until(line, i, "*/", open);
        in_comment_ = !open.empty();
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        in_comment_ = true;
        i += 2;
      } else if (rest.starts_with("R\"") && rest.find('(') != rest.npos) {
        raw_end_ = ")" + std::string(rest.substr(2, rest.find('(') - 2)) + "\"";
        i += rest.find('(') + 1;
      } else if (line[i] == '"' || (line[i] == '\'' && !is_in_number(line, i))) {
        i = end_of_literal(line, i);
      } else {
        code += line[i++];
      }
    }
    return code;
  }

 private:
  /// The place after `end`. Where the line does not have it, `open` becomes it.
  static std::size_t pass_until(const std::string& line, std::size_t from, const std::string& end,
                                std::string& open) {
    const std::size_t at = line.find(end, from);
    if (at != std::string::npos) return at + end.size();
    open = end;
    return line.size();
  }
  static std::size_t end_of_literal(const std::string& line, std::size_t i) {
    const char quote = line[i];
    while (++i < line.size() && line[i] != quote)
      if (line[i] == '\\') ++i;
    return i + 1;
  }
  /// 1'000, but not L'x'
  static bool is_in_number(const std::string& line, std::size_t i) {
    std::size_t begin = i;
    while (begin > 0 &&
           (std::isalnum(static_cast<unsigned char>(line[begin - 1])) || line[begin - 1] == '\''))
      --begin;
    return begin < i && std::isdigit(static_cast<unsigned char>(line[begin]));
  }

  bool in_comment_ = false;
  std::string raw_end_;  ///< of the raw string that is open, or ""
};

/// The name in `#include "..."` or `#include <...>`, or "".
std::string included(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) return "";
  const std::size_t open = line.find_first_of("\"<", hash);
  if (open == std::string::npos) return "";
  const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

class SourceReader {
 public:
  explicit SourceReader(const Arguments& arguments) : libraries_(find_template_libraries(arguments)) {
    for (const std::string& flag : arguments.preprocess)
      if (flag.starts_with("-I")) folders_.emplace_back(flag.substr(2));
  }

  void read(const fs::path& source) {
    if (!files_.insert(source.lexically_normal()).second) return;
    std::ifstream file(source);
    Code code;
    bool continues = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      // A header's name is in quotes, where Code would not see it.
      const std::string header = code.is_within() ? "" : included(line);
      const std::string text = code.of(line);
      const Lack* const lack = find_lack(header.empty() ? text : header, libraries_.cub_version != 0);
      if (!continues) names_.read(text, source.string() + ":" + std::to_string(number));
      const bool defines = continues || line.find("#define") != std::string::npos;
      continues = defines && line.ends_with('\\');
      if (defines) continue;  // a macro may be of no use
      if (const fs::path own = header.empty() ? "" : find(source, header, line.find('<') == line.npos);
          !own.empty())
        read(own);
      else if (lack != nullptr && !is_in_libraries(header) && told_.insert(lack->what).second)
        std::printf("%s:%d: the emulator has no %s\n", source.c_str(), number, lack->what);
    }
  }
  /// Names that no larger lack explains. @return how many
  std::size_t tell_missing_names() const {
    std::size_t count = 0;
    for (const auto& [name, place] : names_.missing()) {
      if (find_lack(name, libraries_.cub_version != 0) != nullptr) continue;
      std::printf("%s: the emulator has no %s\n", place.c_str(), name.c_str());
      ++count;
    }
    return count;
  }
  bool found_lacks() const { return !told_.empty(); }

 private:
  /// The program's own header of that name, or "".
  fs::path find(const fs::path& source, const std::string& header, bool is_quoted) const {
    if (is_quoted && fs::exists(source.parent_path() / header)) return source.parent_path() / header;
    for (const fs::path& folder : folders_)
      if (fs::exists(folder / header)) return folder / header;
    return "";
  }

  /// Whether a header is NVIDIA's, and here.
  bool is_in_libraries(const std::string& header) const {
    return !header.empty() && header.starts_with("cuda/") && libraries_.has_libcupp &&
           std::any_of(libraries_.folders.begin(), libraries_.folders.end(),
                       [&](const std::string& folder) { return fs::exists(fs::path(folder) / header); });
  }

  TemplateLibraries libraries_;
  std::vector<fs::path> folders_;  ///< of headers, as -I names them
  std::set<fs::path> files_;
  std::set<std::string_view> told_;
  CudaNames names_;
};

}  // namespace

bool explain(const Arguments& arguments) {
  SourceReader reader(arguments);
  for (const std::string& source : arguments.sources) reader.read(source);
  const bool found_nothing = reader.tell_missing_names() == 0 && !reader.found_lacks();
  if (found_nothing) std::printf("nothing in these files is known to be missing from the emulator\n");
  return found_nothing;
}

}  // namespace warplab::driver
