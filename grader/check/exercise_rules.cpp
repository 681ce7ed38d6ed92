#include "grader/check/exercise_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "grader/course/handout_points.hpp"
#include "grader/course/hidden_cases.hpp"
#include "grader/course/secret.hpp"
#include "grader/course/task_problem.hpp"
#include "grader/judge/judge.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t min_hint = 12;  // characters
constexpr const char* generated_tests[] = {"MatchesReferenceAtEverySize", "LeavesInputsUnchanged"};

/// The rules of one lab, and what it breaks of them.
class Inspection {
 public:
  Inspection(const Lab& lab, const Problem& problem, const fs::path& root, const fs::path& hidden)
      : lab_(lab), problem_(problem), root_(root), hidden_(hidden), handout_(lab.folder / "README.md") {}

  std::vector<std::string> broken() {
    double points = 0;
    for (const Task& task : lab_.tasks) points += task.points;
    if (std::abs(points - lab_.points) > 1e-9)
      complain(lab_.stem, fmt::format("its points sum to {:g}", points));
    collect_tests();
    for (const Task& task : lab_.tasks) {
      check_words(task);
      check_file(task);
      check_rung(task);
      check_tests(task);
    }
    check_other_files();
    check_tasks_of_handout();
    check_ladder_of_handout();
    return std::move(broken_);
  }

 private:
  void complain(const std::string& about, const std::string& what) { broken_.push_back(about + ": " + what); }

  void check_words(const Task& task) {
    if (task.title.empty()) complain(task.name(), "it has no title");
    if (task.hint.size() < min_hint) complain(task.name(), "its hint '" + task.hint + "' is hardly one");
    for (const Limit& limit : task.limits)
      if (limit.why.size() < min_hint)
        complain(task.name(), "its limit on " + limit.measure + limit.figure + " does not say why");
    if (!task.limits.empty() && !task.busiest)
      complain(task.name(), "one warp could do all and meet its limits: it has no \"busiest\"");
  }

  void check_file(const Task& task) {
    for (const std::string& file : task.files()) {
      const fs::path path = lab_.folder / file;
      if (!fs::is_regular_file(path)) {
        complain(task.name(), "its file " + file + " does not exist");
        continue;
      }
      try {
        if (solution_regions(file_content(path), file).empty())
          complain(task.name(), file + " has no region between marks of a solution");
      } catch (const BadInput& error) {
        complain(task.name(), error.what());
      }
    }
  }

  void check_rung(const Task& task) {
    const Rung* const rung = problem_.find_rung(task.rung);
    if (!rung) return complain(task.name(), "its rung " + task.rung + " is not in the problem's table");
    if (rung->access != Rung::Access::task)
      complain(task.name(), "its rung " + task.rung + " is not marked as a task in the problem's table");
    if (task.file != lab_.stem + "_" + task.rung + ".cu" && !task.file.ends_with(".hpp"))
      complain(task.name(), task.file + " is neither the file nor a header of its rung " + task.rung);
    try {
      const Judge judge(Secret("00000000000000000000000000000000"), hidden_);
      const TaskRecord record = judge.unjudged(task, TaskRecord::Status::missing, "");
      if (std::ranges::count(record.checks, Check::Kind::hidden_cases, &Check::kind) == 0)
        complain(task.name(), "it has no hidden cases");
      else if (!task.fits.empty())
        check_steps(task, *rung);
    } catch (const BadInput& error) {
      complain(task.name(), error.what());
    }
  }

  /// Each of a task's two steps has public and hidden sizes.
  void check_steps(const Task& task, const Rung& rung) {
    int publics[2] = {0, 0}, hiddens[2] = {0, 0};
    for (const Case& c : problem_.public_cases(rung))
      if (belongs(task, c)) ++publics[fits(task, c)];
    for (const HiddenKind& kind : hidden_cases(problem_, rung, hidden_ / (lab_.stem + ".json"),
                                               Secret("00000000000000000000000000000000"))) {
      ++hiddens[kind.fits];
      for (const Case& c : kind.cases)
        if (kind.fits && !fits(task, c))
          complain(task.name(), "of its hidden kind '" + kind.kind + "' not all sizes fit blocks and tiles");
    }
    for (const bool first : {false, true}) {
      const char* const where = first ? "where blocks and tiles fit" : "where blocks and tiles do not fit";
      if (publics[first] == 0) complain(task.name(), fmt::format("it has no public size {}", where));
      if (hiddens[first] == 0) complain(task.name(), fmt::format("it has no hidden kind {}", where));
    }
  }

  void collect_tests() {
    static const std::regex test(R"(TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
    const std::string text = file_content(root_ / "tests/labs" / (lab_.stem + "_test.cpp"));
    for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
      tests_.insert((*at)[1].str() + "." + (*at)[2].str());
    for (const Rung& rung : problem_.rungs())
      for (const char* name : generated_tests)
        tests_.insert(test_suite_of(lab_.stem, rung.name) + "." + name);
  }

  void check_tests(const Task& task) {
    if (task.tests.empty()) complain(task.name(), "it names no public test");
    for (const std::string& test : task.tests)
      if (!tests_.contains(test)) complain(task.name(), "its public test " + test + " does not exist");
  }

  /// Files that no task names are not taken from a submission.
  void check_other_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(lab_.folder))
      if (entry.is_regular_file() && entry.path().extension() != ".diff")  // of a variant: lines of others
        files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& path : files) {
      const std::string name = path.lexically_relative(lab_.folder).string();
      if (std::ranges::any_of(tasks_of_handout(lab_),
                              [&](const Task& task) { return std::ranges::count(task.files(), name) > 0; }))
        continue;
      const std::string text = file_content(path);
      if (text.find("// BEGIN SOLUTION") != std::string::npos)
        complain(lab_.stem, name + " has a solution, but no task names it, so it is not taken");
    }
  }

  /// The lines of the handout from a heading to the next one.
  std::vector<std::string> section(const std::string& heading) const {
    std::vector<std::string> lines;
    std::ifstream in(handout_);
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("## "))
        inside = line.starts_with("## " + heading);
      else if (inside)
        lines.push_back(line);
    }
    return lines;
  }

  void check_tasks_of_handout() {
    std::string all;
    for (const std::string& line : section("Tasks")) all += line + '\n';
    if (all.empty()) return complain(lab_.stem, "its handout has no section Tasks");
    const std::vector<double> points = points_in_handout(bytes_of_file(handout_));
    std::vector<double> expected;
    for (const Task& task : tasks_of_handout(lab_)) expected.push_back(task.usual_points);
    if (points != expected)
      complain(lab_.stem, fmt::format("its handout has tasks of {} points, tasks.json of {}",
                                      fmt::join(points, ", "), fmt::join(expected, ", ")));
    const bool by_rule = all.find("`" + lab_.stem + "_<rung>.cu`") != std::string::npos;
    for (const Task& task : lab_.tasks)
      for (const std::string& file : task.files())
        if ((!by_rule || file != task.file) && all.find("`" + file + "`") == std::string::npos)
          complain(task.name(), "the section Tasks of the handout does not name " + file);
    static const std::regex source(R"(`(\w+\.cu)`)");
    for (std::sregex_iterator at(all.begin(), all.end(), source), end; at != end; ++at)
      if (!fs::exists(lab_.folder / (*at)[1].str()))
        complain(lab_.stem, "its handout names " + (*at)[1].str() + ", which does not exist");
  }

  void check_ladder_of_handout() {
    static const std::regex row(R"(^\| `(\w+)` \|)");
    std::set<std::string> shown, known, peers;
    for (const std::string& line : section(R"(The ladder)"))  // raw: what handouts say
      if (std::smatch found; std::regex_search(line, found, row)) shown.insert(found[1]);
    for (const Rung& rung : problem_.rungs()) (rung.peer_of.empty() ? known : peers).insert(rung.name);
    for (const std::string& name : known)
      if (!shown.contains(name)) complain(lab_.stem, "the ladder of its handout lacks the rung " + name);
    for (const std::string& name : shown)
      if (!known.contains(name) && !peers.contains(name))
        complain(lab_.stem, "the ladder of its handout has the rung " + name + ", which does not exist");
  }

  const Lab& lab_;
  const Problem& problem_;
  const fs::path &root_, &hidden_;
  fs::path handout_;
  std::set<std::string> tests_;
  std::vector<std::string> broken_;
};

}  // namespace

std::string test_suite_of(const std::string& lab, const std::string& rung) {
  std::string suite;
  bool starts = true;
  for (const char c : lab + "_" + rung) {
    if (c == '_') {
      starts = true;
      continue;
    }
    suite += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts = false;
  }
  return suite;
}

std::vector<std::string> broken_rules(const Lab& lab, const Problem& problem, const fs::path& root,
                                      const fs::path& hidden) {
  return Inspection(lab, problem, root, hidden).broken();
}

}  // namespace warplab
