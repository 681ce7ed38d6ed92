// Variants of our labs as an instructor meets them. Each lab builds in a tree of a term, passes its tests and
// is sound. Its own solutions get all points there, and published ones do not.
//
// docs/private-fork.md has a row per variant. WARPLAB_UPDATE=1 writes the rows of those that pass.
// --gtest_filter='*transpose*' runs the variants of one lab.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "common/io/atomic_file.hpp"
#include "grader/check/mutants.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/release/solution_regions.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/authors/built_variants.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "variant", tree = folder / "tree";
constexpr const char* program = "build/emulator/bin/warplab";

constexpr const char* header = "\n| lab | variant | tasks that vary |";  // of the table on the page

/// @throws std::runtime_error with what a command printed that failed
void must_in(const fs::path& place, const std::string& command) {
  const house::Outcome outcome = house::run(
      "export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR='" + tree.string() +
      "'; if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi; cd '" +
      place.string() + "' && " + command);
  if (outcome.exit_code != 0) throw std::runtime_error(command + "\n" + outcome.output);
}

/// Puts a new tree in the place of the one before, with what that one built. Files that are the same keep
/// their times, so that only what differs is built.
void replace_tree(const fs::path& made) {
  if (fs::exists(tree)) {
    for (const auto& entry : fs::recursive_directory_iterator(made)) {
      const fs::path before = tree / entry.path().lexically_relative(made);
      if (entry.is_regular_file() && fs::is_regular_file(before) &&
          content_of(before) == content_of(entry.path()))
        fs::last_write_time(entry.path(), fs::last_write_time(before));
    }
    if (fs::exists(tree / "build")) fs::rename(tree / "build", made / "build");
    fs::remove_all(tree);
  }
  fs::rename(made, tree);
}

/// The tree of a turn, unless it is there: variants run turn by turn.
void make_tree(const Course& course, std::size_t turn) {
  static std::optional<std::size_t> is_there;
  if (is_there == turn) return;
  is_there.reset();
  const fs::path made = folder / "made";
  fs::create_directories(folder);
  fs::remove_all(made);
  std::vector<std::string> choices;
  for (const Chosen& one : choices_of_turn(course, turn))
    choices.push_back(fmt::format("{}/{}={}", one.lab, one.axis, one.choice));
  must_in(folder, "printf '00112233445566778899aabbccddeeff\\n' > seed");
  must_in(folder, fmt::format("'{}/bin/warplab' variant --secret seed --choose {} --out made",
                              WARPLAB_BINARY_DIR, fmt::join(choices, ",")));
  replace_tree(made);
  must_in(tree, "cmake --preset emulator");
  is_there = turn;
}

/// What our solutions to a lab are in a tree, file by file.
std::map<std::string, std::string> solutions_in(const fs::path& root, const Lab& lab) {
  std::map<std::string, std::string> texts;
  for (const Task& task : lab.tasks)
    for (const std::string& file : task.files())
      texts[file] = with_solutions(content_of(root / "labs" / lab.folder.filename() / file), file);
  return texts;
}

/// The records of a class of two, graded in the tree: "own" handed in its solutions, "published" ours.
std::map<std::string, SubmissionRecord> graded(const Lab& lab) {
  const fs::path in = folder / "in", out = folder / "out";
  fs::remove_all(in);
  fs::remove_all(out);
  for (const auto& [student, root] :
       {std::pair("own", tree), std::pair("published", fs::path(WARPLAB_SOURCE_DIR))})
    for (const auto& [file, text] : solutions_in(root, lab)) {
      fs::create_directories(in / student);
      std::ofstream(in / student / file) << text;
    }
  std::ofstream(folder / "grading_seed") << fmt::format("{:032x}\n", 1);
  must_in(tree,
          fmt::format("{} grade ../in --labs {} --sandbox none --seed-file ../grading_seed --out ../out",
                      program, lab.stem));
  std::map<std::string, SubmissionRecord> records;
  for (const SubmissionRecord& record : RecordStore(out).read_all().records) records[record.student] = record;
  return records;
}

std::string date_of_today() {
  const std::chrono::year_month_day date(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

/// Looks for a variant's row on the page, or puts it there. @param result all cells but the day
void compare_row(const std::string& begin, const std::string& result) {
  const std::string page = content_of(built_variants_page), row = begin + result;
  if (!std::getenv("WARPLAB_UPDATE")) {
    EXPECT_NE(page.find("\n" + row), std::string::npos) << "WARPLAB_UPDATE=1 writes the row: " << row;
    return;
  }
  const std::size_t first = page.find("|\n", page.find("\n|---|", page.find(header))) + 2;
  ASSERT_LT(page.find(header), first) << "the page has no table " << header;
  std::set<std::string> rows{fmt::format("{} {} |\n", row, date_of_today())};
  std::size_t end = first;
  for (std::size_t next; page.compare(end, 2, "| ") == 0; end = next) {
    next = page.find('\n', end) + 1;
    const std::string other = page.substr(end, next - end);
    if (!other.starts_with(begin)) rows.insert(other);
  }
  write_file_atomically(built_variants_page,
                        fmt::format("{}{}{}", page.substr(0, first), fmt::join(rows, ""), page.substr(end)));
}

class Variant : public testing::TestWithParam<BuiltVariant> {};

TEST_P(Variant, BuildsIsSoundAndIsNotSolvedByPublishedSolutions) {
  if (!std::getenv("WARPLAB_ALL_VARIANTS"))
    GTEST_SKIP() << "builds trees of its own, in hours: set WARPLAB_ALL_VARIANTS=1";
  const Course course = our_course();
  const std::string& stem = GetParam().lab;
  make_tree(course, GetParam().turn);
  must_in(
      tree,
      fmt::format("cmake --build --preset emulator --target warplab {0} {0}_test {0}_reference_test", stem));
  must_in(tree, fmt::format("build/emulator/tests/bin/{}_reference_test", stem));
  must_in(tree, fmt::format("cd build/emulator && tests/bin/{}_test", stem));
  must_in(tree, fmt::format("{} check --mutants --labs {}", program, stem));  // fails if a mutant survives

  const Lab& lab = *course.find(stem);
  const auto records = graded(lab);
  const SubmissionRecord &own = records.at("own"), &published = records.at("published");
  ASSERT_EQ(own.tasks.size(), lab.tasks.size());
  ASSERT_EQ(published.tasks.size(), lab.tasks.size());
  const auto texts = solutions_in(tree, lab), published_texts = solutions_in(WARPLAB_SOURCE_DIR, lab);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < lab.tasks.size(); ++i) {
    const TaskRecord &ours = own.tasks[i], &theirs = published.tasks[i];
    EXPECT_NEAR(ours.score, ours.points, 1e-9) << ours.id;
    const auto& files = lab.tasks[i].files();
    const bool same = std::ranges::all_of(
        files, [&](const std::string& file) { return texts.at(file) == published_texts.at(file); });
    changed += !same;
    if (same)
      EXPECT_NEAR(theirs.score, theirs.points, 1e-9) << theirs.id << " does not vary";
    else
      EXPECT_LT(theirs.score, theirs.points) << theirs.id << " varies";
  }
  if (HasFailure()) return;
  const std::size_t mutants = mutants_of(lab, tree / "tests/hidden/mutants" / (stem + ".json")).size();
  compare_row(row_begin(course, GetParam()),
              fmt::format(" {} of {} | {} of {} | {:g} of {:g} |", changed, lab.tasks.size(), mutants,
                          mutants, published.score(), own.score()));
}

INSTANTIATE_TEST_SUITE_P(OurLabs, Variant, testing::ValuesIn(built_variants(our_course())),
                         [](const auto& variant) {
                           return variant.param.lab + "_" + std::to_string(variant.param.turn);
                         });

}  // namespace
}  // namespace warplab
