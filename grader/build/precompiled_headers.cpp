#include "grader/build/precompiled_headers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <vector>

#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t max_compiled = 16;  // of about 40 MB each

/// `# 12 "name" flags` taken apart.
struct LineMarker {
  std::string name;
  std::string_view place;  ///< up to the name's end
  std::string_view flags;  ///< with the space before them and the end of the line
  bool enters() const { return flags.starts_with(" 1"); }
  bool leaves() const { return flags.starts_with(" 2"); }
};

std::optional<LineMarker> line_marker(std::string_view line) {
  if (!line.starts_with("# ")) return std::nullopt;
  const std::size_t open = line.find('"'), close = line.rfind('"');
  if (open == std::string_view::npos || close == open) return std::nullopt;
  return LineMarker{std::string(line.substr(open + 1, close - open - 1)), line.substr(0, close + 1),
                    line.substr(close + 1)};
}

bool has_only_white_space(std::string_view line) {
  return line.find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

/// The files that include one another down to a line.
class IncludeStack {
 public:
  void follow(const LineMarker& marker) {
    if (marker.leaves() && files_.size() > 1) files_.pop_back();
    if (marker.enters() || files_.empty())
      files_.push_back(marker.name);
    else
      files_.back() = marker.name;
  }
  /// Markers that lead there from the beginning of a file. g++ ignores one that leaves what nobody entered.
  std::string opened() const {
    std::string markers;
    for (const std::string& file : files_) markers += "# 1 \"" + file + (markers.empty() ? "\"\n" : "\" 1\n");
    return markers;
  }

 private:
  std::vector<std::string> files_;
};

}  // namespace

TextBehindHeaders split_behind_headers(std::string_view text, const std::set<std::string>& own,
                                       const fs::path& folder) {
  const std::string within = folder.string() + "/";
  TextBehindHeaders split;
  IncludeStack stack;
  std::size_t rest = 0;
  bool in_own = true;
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (const auto marker = line_marker(line)) {
      stack.follow(*marker);
      in_own = own.contains(marker->name);
      if (in_own) {
        split.rest = stack.opened().append(marker->place).append("\n");
        rest = end;
      }
      // Where in its file an include is, and where that file lies, changes nothing for what is included.
      if (in_own)
        split.headers.append("# 1 \"own\"").append(marker->flags);
      else if (marker->name.starts_with(within))
        split.headers.append("# 1 \"").append(marker->name, within.size()).append("\"").append(marker->flags);
      else
        split.headers += line;
    } else if (!in_own) {
      split.headers += line;
    } else if (!has_only_white_space(line)) {
      break;
    }
  }
  split.rest += text.substr(rest);
  return split;
}

PrecompiledHeaders::PrecompiledHeaders() : folder_("headers") {}

bool PrecompiledHeaders::begins(const std::string& digest) const {
  // Files say it, so that all processes of a batch know it; only one of them can make each.
  const auto is_first = [&](const char* ending) {
    const int made =
        open((folder() / (digest + ending)).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0) close(made);
    return made >= 0;
  };
  if (is_first(".seen")) return false;
  const auto begun = std::ranges::count_if(
      fs::directory_iterator(folder()),
      [](const fs::directory_entry& entry) { return entry.path().extension() == ".begun"; });
  return begun < max_compiled && is_first(".begun");
}

fs::path PrecompiledHeaders::find(const std::string& text, const fs::path& work, const Compile& compile) {
  const std::string digest = sha256(text);
  const fs::path header = folder() / (digest + ".hpp"), compiled = header.string() + ".gch";
  if (begins(digest)) {
    const fs::path source = work / header.filename(), result = work / compiled.filename();
    std::ofstream(source, std::ios::binary) << text;
    if (compile(source, result)) {
      // A compiler that cannot use the one reads the other.
      std::ofstream(header, std::ios::binary) << text;
      folder_.kept(result);
    }
    fs::remove(source);
  }
  return fs::exists(compiled) ? header : fs::path();
}

}  // namespace warplab
