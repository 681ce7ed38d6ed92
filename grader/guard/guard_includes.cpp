#include <set>

#include "grader/guard/guard.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The files that line markers name: # 12 "labs/07_transpose/transpose.hpp" 1
std::set<fs::path> files_of(std::string_view preprocessed) {
  std::set<fs::path> files;
  for (std::size_t at = 0; at < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
    const std::string_view line = preprocessed.substr(at, end - at);
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (line.starts_with("# ") && open < close) files.emplace(line.substr(open + 1, close - open - 1));
    at = end + 1;
  }
  return files;
}

/// Whether students get a file as it is in the tree.
bool is_given(const fs::path& file) {
  const std::string text = bytes_of_file(file), name = file.filename();
  return without_solutions(without_withheld_parts(text, name), name) == text;
}

}  // namespace

std::optional<Refusal> refusal_of_includes(std::string_view preprocessed, const fs::path& root) {
  const fs::path labs = fs::weakly_canonical(root / "labs");
  for (const fs::path& named : files_of(preprocessed)) {
    const fs::path file = fs::weakly_canonical(named), within = file.lexically_relative(labs);
    if (within.empty() || *within.begin() == ".." || !fs::is_regular_file(file) || is_given(file)) continue;
    return Refusal{
        0, "it includes labs/" + within.string() +
               ", which is not handed out as it is there; include it by its bare name, or leave it out"};
  }
  return std::nullopt;
}

}  // namespace warplab
