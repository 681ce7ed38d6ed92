#include "grader/release/released_files.hpp"

#include <algorithm>
#include <set>

#include "grader/answers/written_part.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A path that begins with this is left out, or kept. The longest beginning that fits decides.
struct Rule {
  std::string_view prefix;
  bool kept;
};
constexpr Rule rules[] = {
    {".ci/", false},  // what changes of ours must pass
    {".github/", false},
    {".codespellrc", false},
    {"docs/words.ini", false},
    {"containers/graders.", false},        // a machine for hidden tests
    {"private/", false},                   // an instructor's own hidden cases and solutions
    {"results/", false},                   // our runs, of rungs that students have yet to write
    {"docs/lens-parity.md", false},        // counts of all rungs
    {"docs/lens-bounds.md", false},        // what limits them
    {"grader/new_lab/templates/", false},  // what a new lab begins as: a kernel that labs ask for
    {"emulator/benchmark/", false},        // kernels that labs ask for
    // Students get the tests that show how far they are. The others test warplab itself, some with kernels
    // that labs ask for; hidden cases and mutants are among them.
    {"tests/", false},
    {"tests/CMakeLists.txt", true},
    {"tests/labs/", true},
    {"tests/reference/", true},
    {"tests/reference/scipy_", false},
    {"tests/common/scratch_folder.hpp", true},  // which labs' tests use
    {"tests/common/command.", true},            // likewise
};

bool kept_by_rules(const std::string& file) {
  const Rule* longest = nullptr;
  for (const Rule& rule : rules)
    if (file.starts_with(rule.prefix) && (!longest || rule.prefix.size() > longest->prefix.size()))
      longest = &rule;
  return !longest || longest->kept;
}

}  // namespace

RungTables linked_rung_tables() {
  RungTables tables;
  for (const auto& [lab, problem] : problem_registry()) tables[lab] = problem->rungs();
  return tables;
}

ReleasedFiles::ReleasedFiles(const Course& course, const RungTables& rungs,
                             const std::vector<fs::path>& files) {
  for (const Lab& lab : course.labs) {
    const fs::path folder = fs::path("labs") / lab.folder.filename();
    left_out_.push_back(folder / "variants" / "");  // solutions of other terms
    left_out_.push_back(folder / answer_key_file);
    const auto table = rungs.find(lab.stem);
    if (table == rungs.end())
      throw std::logic_error("no problem called " + lab.stem + " is linked into this program");
    for (const Rung& rung : table->second) {
      if (rung.access != Rung::Access::withheld) continue;
      const std::string kernel = lab.stem + "_" + rung.name + ".cu";
      for (const fs::path& file : files)
        if (file.filename() == kernel && file.generic_string().starts_with(folder.generic_string() + "/"))
          left_out_.push_back(file);
      row_begins_[folder / "README.md"].push_back("| `" + rung.name + "` |");
      withheld_[folder / "published.json"].insert(rung.name);
    }
  }
  std::set<std::string> others;  // folders of labs that are not released
  for (const fs::path& file : files)
    if (std::distance(file.begin(), file.end()) > 2 && *file.begin() == "labs")
      others.insert(*++file.begin());
  for (const Lab& lab : course.labs) others.erase(lab.folder.filename());
  for (const std::string& folder : others) {
    const std::string stem = folder.substr(std::min(folder.find('_') + 1, folder.size()));
    left_out_.push_back(fs::path("labs") / folder / "");
    for (const char* part :
         {"reference/@.cpp", "reference/@.hpp", "tests/labs/@_test.cpp", "tests/reference/@_test.cpp"})
      left_out_.push_back(std::string(part).replace(std::string_view(part).find('@'), 1, stem));
    row_begins_["README.md"].push_back("| [" + folder + "]");
    row_begins_["labs/README.md"].push_back("| [" + folder + "]");
  }
}

bool ReleasedFiles::has(const fs::path& file) const {
  const std::string name = file.generic_string();
  return kept_by_rules(name) && std::ranges::none_of(left_out_, [&](const fs::path& one) {
           const std::string out = one.generic_string();
           return out.ends_with('/') ? name.starts_with(out) : name == out;
         });
}

bool ReleasedFiles::drops_line(const fs::path& document, std::string_view line) const {
  const auto begins = row_begins_.find(document);
  return begins != row_begins_.end() && std::ranges::any_of(begins->second, [&](const std::string& begin) {
           return trimmed(line).starts_with(begin);
         });
}

const std::set<std::string>& ReleasedFiles::withheld_rungs(const fs::path& published) const {
  static const std::set<std::string> none;
  const auto found = withheld_.find(published);
  return found == withheld_.end() ? none : found->second;
}

}  // namespace warplab
