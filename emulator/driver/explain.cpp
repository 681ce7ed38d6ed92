#include "explain.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <vector>

#include "unsupported.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

/// The line without comments and literals. @param in_comment whether it begins in a comment, and ends in one
std::string code_of(const std::string& line, bool& in_comment) {
  std::string code;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    if (in_comment) {
      in_comment = !rest.starts_with("*/");
      i += in_comment ? 0 : 1;
    } else if (rest.starts_with("//")) {
      break;
    } else if (rest.starts_with("/*")) {
      in_comment = true;
      ++i;
    } else if (line[i] == '"') {
      while (++i < line.size() && line[i] != '"')
        if (line[i] == '\\') ++i;
    } else {
      code += line[i];
    }
  }
  return code;
}

/// The name in `#include "..."`, or "".
std::string included(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t"), open = line.find('"');
  if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) return "";
  const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

class Reader {
 public:
  explicit Reader(const Arguments& arguments) {
    for (const std::string& flag : arguments.preprocess)
      if (flag.starts_with("-I")) folders_.emplace_back(flag.substr(2));
  }

  void read(const fs::path& source) {
    if (!files_.insert(source.lexically_normal()).second) return;
    std::ifstream file(source);
    bool in_comment = false;
    bool continues = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      const std::string header = included(line);
      // A header's name is in quotes, where code_of would not see it.
      const Lack* const lack = find_lack(header.empty() ? code_of(line, in_comment) : header);
      const bool defines = continues || line.find("#define") != std::string::npos;
      continues = defines && line.ends_with('\\');
      if (defines) continue;  // a macro may be of no use
      if (const fs::path own = header.empty() ? "" : find(source, header); !own.empty())
        read(own);
      else if (lack != nullptr && told_.insert(lack->what).second)
        std::printf("%s:%d: the emulator has no %s\n", source.c_str(), number, lack->what);
    }
  }
  bool found_nothing() const { return told_.empty(); }

 private:
  /// The program's own header of that name, or "".
  fs::path find(const fs::path& source, const std::string& header) const {
    if (fs::exists(source.parent_path() / header)) return source.parent_path() / header;
    for (const fs::path& folder : folders_)
      if (fs::exists(folder / header)) return folder / header;
    return "";
  }

  std::vector<fs::path> folders_;  ///< of headers, as -I names them
  std::set<fs::path> files_;
  std::set<std::string_view> told_;
};

}  // namespace

bool explain(const Arguments& arguments) {
  Reader reader(arguments);
  for (const std::string& source : arguments.sources) reader.read(source);
  if (reader.found_nothing())
    std::printf("nothing in these files is known to be missing from the emulator\n");
  return reader.found_nothing();
}

}  // namespace warplab::driver
