#include "grader/release/leaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "grader/answers/written_part.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t distinctive_characters = 30;
constexpr std::size_t lines_of_a_copy = 3;  // in a kernel of another lab

/// A text without any white space, in which a line of code is found however it is wrapped and indented.
class Squeezed {
 public:
  Squeezed() = default;
  explicit Squeezed(std::string_view text) {
    for (const std::string_view line : lines_of(text)) {
      begins_.push_back(characters_.size());
      append(line);
    }
  }
  void append(std::string_view text) {
    std::ranges::copy_if(text, std::back_inserter(characters_), [](char c) { return !is_white(c); });
  }
  const std::string& characters() const { return characters_; }
  /// The line, from 1, that character `i` is in.
  int line_of(std::size_t i) const {
    return static_cast<int>(std::ranges::upper_bound(begins_, i) - begins_.begin());
  }

 private:
  std::string characters_;
  std::vector<std::size_t> begins_;
};

std::string squeezed(std::string_view text) { return Squeezed(text).characters(); }

struct Line {
  int number;
  std::string text;
};

/// What is looked for of a solution.
std::vector<Line> long_lines(const std::vector<SolutionRegion>& regions, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::vector<Line> found;
  for (const SolutionRegion& region : regions)
    for (int number = region.first_line + 1; number < region.last_line; ++number) {
      const std::string_view line = lines[static_cast<std::size_t>(number) - 1];
      if (is_release_mark(line)) continue;
      const std::size_t comment = line.find("//");
      std::string words = with_single_blanks(line.substr(0, comment));
      if (words.empty() &&
          comment != std::string_view::npos)  // only a comment: the words may be in prose too
        words = with_single_blanks(line.substr(line.find_first_not_of('/', comment)));
      if (words.size() < distinctive_characters) words = with_single_blanks(line);
      if (words.size() >= distinctive_characters) found.push_back({number, words});
    }
  return found;
}

/// What is looked for of an answer key: its lines without "- 2 points:" before them.
std::vector<Line> key_lines(std::string_view text) {
  std::vector<Line> found;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    std::string words = with_single_blanks(line);
    const std::size_t colon = words.find(": ");
    if (words.starts_with("- ") && colon < std::string_view("- 10 points each").size())
      words.erase(0, colon + 2);
    if (words.size() >= distinctive_characters && !is_release_mark(line)) found.push_back({number, words});
  }
  return found;
}

/// A file of a lab in our tree.
struct LabFile {
  fs::path path;  // relative to the tree
  std::string text;
  std::vector<SolutionRegion> regions;
  std::string given;  // squeezed: what is outside of regions, and stubs
  bool is_key() const { return path.filename() == answer_key_file; }
  std::vector<Line> lines() const { return is_key() ? key_lines(text) : long_lines(regions, text); }
};

/// "12_gaussian" of labs/12_gaussian/toeplitz/tile.hpp.
std::string lab_of(const fs::path& file) { return std::next(file.begin())->string(); }

/// Folders whose lines students are given anyway: they are not leaks.
const std::set<std::string_view> framework = {"common", "emulator", "harness", "lens", "reference", "report"};

/// What our tree has of solutions, and of code that students are given.
class OurTree {
 public:
  OurTree(const fs::path& root, const RungTables& rungs) : rungs_(rungs) {
    for (const fs::path& path : files_of_tree(root)) {
      const std::string top = path.begin()->string();
      if (framework.contains(top)) {
        framework_ += squeezed(bytes_of_file(root / path)) + '\n';
      } else if (top == "labs" && path.parent_path().filename() != "variants") {  // diffs of what is here
        LabFile file{path, bytes_of_file(root / path), {}, {}};
        file.regions = solution_regions(file.text, path.generic_string());
        file.given = squeezed(without_solutions(without_withheld_parts(file.text, path.generic_string()),
                                                path.generic_string()));
        files_.emplace(path, std::move(file));
      }
    }
  }

  const std::map<fs::path, LabFile>& files() const { return files_; }

  /// Whether students are given that line before they write this file.
  bool is_given(const std::string& line, const LabFile& before) const {
    const auto has = [&](const std::string& text) { return text.find(line) != std::string::npos; };
    if (before.is_key()) {
      const auto handout = files_.find(before.path.parent_path() / "README.md");
      return handout != files_.end() && has(handout->second.given);
    }
    if (has(before.given) || has(framework_)) return true;
    const std::string name = lab_of(before.path),
                      stem = name.substr(std::min(name.find('_') + 1, name.size()));
    const auto table = rungs_.find(stem);
    if (table == rungs_.end()) return false;
    for (const Rung& rung : table->second) {
      const std::string kernel = stem + "_" + rung.name + ".cu";
      if (before.path.filename() == kernel) return false;
      const auto file = std::ranges::find_if(files_, [&](const auto& one) {
        return one.first.filename() == kernel && lab_of(one.first) == name;
      });
      if (file != files_.end() && rung.access != Rung::Access::withheld && has(file->second.given))
        return true;
    }
    return false;
  }

 private:
  const RungTables& rungs_;
  std::string framework_;
  std::map<fs::path, LabFile> files_;
};

/// Code that is written apart from a solution: of another lab, or one of the programs with mistakes to find.
bool is_other_code(const fs::path& file, const fs::path& solution) {
  return *file.begin() == "labs" &&
         (lab_of(file) != lab_of(solution) || file.parent_path().filename() == "mistakes") &&
         (file.extension() == ".cu" || file.extension() == ".hpp");
}

std::vector<fs::path> all_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(root));
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string sentence(const Leak& leak) {
  const bool is_key = fs::path(leak.solution_file).filename() == answer_key_file;
  return fmt::format("{}:{} has line {} of {} {}: {}", leak.file, leak.line, leak.solution_line,
                     is_key ? "the key" : "the solution", leak.solution_file, leak.text);
}

std::vector<Leak> leaks(const fs::path& ours, const fs::path& released, const RungTables& rungs) {
  const OurTree tree(ours, rungs);
  std::map<fs::path, Squeezed> texts;
  for (const fs::path& file : all_files(released))
    texts.emplace(file, Squeezed(bytes_of_file(released / file)));

  std::map<std::pair<std::string, int>, Leak> found;
  for (const auto& [path, solution] : tree.files()) {
    std::map<fs::path, std::vector<Leak>> elsewhere;
    std::set<std::string> seen;
    for (const Line& line : solution.lines()) {
      const std::string wanted = squeezed(line.text);
      if (!seen.insert(wanted).second || tree.is_given(wanted, solution)) continue;
      const std::boyer_moore_horspool_searcher searcher(wanted.begin(), wanted.end());
      for (const auto& [file, text] : texts) {
        const std::string& characters = text.characters();
        for (auto at = characters.begin();
             (at = std::search(at, characters.end(), searcher)) != characters.end(); ++at)
          elsewhere[file].push_back({file.generic_string(),
                                     text.line_of(static_cast<std::size_t>(at - characters.begin())),
                                     path.generic_string(), line.number, line.text});
      }
    }
    for (const auto& [file, hits] : elsewhere) {
      std::set<int> lines;
      for (const Leak& leak : hits) lines.insert(leak.solution_line);
      if (is_other_code(file, path) && lines.size() < lines_of_a_copy) continue;
      for (const Leak& leak : hits) {  // of several lines that one line gives away, the longest is told
        Leak& told = found.try_emplace({leak.file, leak.line}, leak).first->second;
        if (leak.text.size() > told.text.size()) told = leak;
      }
    }
  }
  std::vector<Leak> all;
  for (auto& [where, leak] : found) all.push_back(std::move(leak));
  return all;
}

}  // namespace warplab
