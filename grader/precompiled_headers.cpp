#include "grader/precompiled_headers.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include "grader/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_compiled = 16;  // of about 40 MB each

/// `# 12 "name" flags` taken apart.
struct LineMarker {
  std::string name;
  std::string_view flags;  ///< with the space before them and the end of the line
};

std::optional<LineMarker> line_marker(std::string_view line) {
  if (!line.starts_with("# ")) return std::nullopt;
  const std::size_t open = line.find('"'), close = line.rfind('"');
  if (open == std::string_view::npos || close == open) return std::nullopt;
  return LineMarker{std::string(line.substr(open + 1, close - open - 1)), line.substr(close + 1)};
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\f\v") == std::string_view::npos; }

}  // namespace

TextBehindHeaders split_behind_headers(std::string_view text, const std::set<std::string>& own,
                                       const fs::path& folder) {
  const std::string within = folder.string() + "/";
  TextBehindHeaders split{"", text};
  bool in_own = true;
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (const auto marker = line_marker(line)) {
      in_own = own.contains(marker->name);
      if (in_own) split.rest = text.substr(at);
      // Where in its file an include stands, and where that file lies, changes nothing for what is included.
      if (in_own)
        split.headers.append("# 1 \"own\"").append(marker->flags);
      else if (marker->name.starts_with(within))
        split.headers.append("# 1 \"").append(marker->name, within.size()).append("\"").append(marker->flags);
      else
        split.headers += line;
    } else if (!in_own) {
      split.headers += line;
    } else if (!is_blank(line)) {
      break;
    }
  }
  return split;
}

PrecompiledHeaders::PrecompiledHeaders() : folder_("headers") {}

bool PrecompiledHeaders::begins(const std::string& digest) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = states_.try_emplace(digest, State::seen_once);
  if (is_new || known->second != State::seen_once || begun_ == most_compiled) return false;
  known->second = State::being_compiled;
  ++begun_;
  return true;
}

fs::path PrecompiledHeaders::find(const std::string& text, const fs::path& work, const Compile& compile) {
  const std::string digest = sha256(text);
  const fs::path header = folder() / (digest + ".hpp"), compiled = header.string() + ".gch";
  if (begins(digest)) {
    const fs::path source = work / header.filename(), result = work / compiled.filename();
    std::ofstream(source, std::ios::binary) << text;
    State state = State::failed;
    if (compile(source, result)) {
      // A compiler that cannot use the one reads the other.
      std::ofstream(header, std::ios::binary) << text;
      folder_.kept(result);
      state = State::compiled;
    }
    fs::remove(source);
    const std::lock_guard lock(mutex_);
    states_[digest] = state;
  }
  const std::lock_guard lock(mutex_);
  return states_[digest] == State::compiled ? header : fs::path();
}

}  // namespace warplab
