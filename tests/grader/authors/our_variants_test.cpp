// The variants that our own labs declare: that they fit in every combination, and change what they must.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "grader/check/exercise_rules.hpp"
#include "grader/check/mutants.hpp"
#include "grader/release/release.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/variant/variant.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/authors/built_variants.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// All combinations of a lab's choices.
std::vector<std::vector<Chosen>> combinations(const Course& course, const Lab& lab) {
  std::vector<std::vector<Chosen>> all{{}};
  for (const VariantAxis& axis : variants_of(course.root, lab)) {
    std::vector<std::vector<Chosen>> longer;
    for (const std::vector<Chosen>& some : all)
      for (const VariantChoice& choice : axis.choices) {
        longer.push_back(some);
        longer.back().push_back({lab.stem, axis.name, choice.name});
      }
    all = std::move(longer);
  }
  return all;
}

TEST(OurVariants, AreAtLeastThirtyOfAtLeastEightLabs) {
  const Course course = our_course();
  std::size_t variants = 0;
  for (const Lab& lab : course.labs) variants += combinations(course, lab).size();
  EXPECT_GE(course.labs.size(), 8u);
  EXPECT_GE(variants, 30u);
}

// Mutants are mistakes in the solutions, so they must have followed.
TEST(OurVariants, FitInEveryCombinationAndSoDoTheirMutants) {
  const Course course = our_course();
  for (const Lab& lab : course.labs) {
    for (const std::vector<Chosen>& chosen : combinations(course, lab)) {
      const auto changed = changed_files(course, chosen);
      const std::string folder = "labs/" + lab.folder.filename().string() + "/";
      const std::string mutants_file = "tests/hidden/mutants/" + lab.stem + ".json";
      const ScratchFolder scratch;
      const auto text = [&](const std::string& file) {
        return changed.contains(file) ? changed.at(file) : content_of(course.root / file);
      };
      EXPECT_TRUE(changed.contains("reference/" + lab.stem + ".cpp")) << chosen[0].choice;
      EXPECT_TRUE(changed.contains(folder + "README.md")) << chosen[0].choice;
      int different = 0;
      for (const Task& task : lab.tasks) {
        const std::string file = folder + task.file;
        different += with_solutions(text(file), file) != with_solutions(content_of(course.root / file), file);
      }
      EXPECT_GE(different, 1) << "the published solutions of " << lab.stem << " solve it";
      for (const Mutant& mutant : mutants_of(lab, scratch.write("mutants.json", text(mutants_file)))) {
        const auto task = std::ranges::find(lab.tasks, mutant.task, &Task::id);
        ASSERT_NE(task, lab.tasks.end());
        EXPECT_NO_THROW(with_mistake(text(folder + task->file), task->file, mutant))
            << lab.stem << ", " << mutant.name << ", " << chosen[0].choice;
      }
    }
  }
}

// Names must be gone from all that students see, or the published files might still be linked.
TEST(OurVariants, LeaveNoOldNameOfALauncher) {
  const Course course = our_course();
  std::size_t renamed = 0;
  for (const Lab& lab : course.labs) {
    std::vector<Chosen> chosen;
    std::map<std::string, std::string> renames;
    for (const VariantAxis& axis : variants_of(course.root, lab)) {
      const VariantChoice& last = axis.choices.back();
      chosen.push_back({lab.stem, axis.name, last.name});
      renames.insert(last.renames.begin(), last.renames.end());
    }
    const auto changed = changed_files(course, chosen);
    for (const Task& task : lab.tasks)
      if (const auto to = renames.find(task.launcher); to != renames.end()) {
        const std::string& tasks = changed.at("labs/" + lab.folder.filename().string() + "/tasks.json");
        EXPECT_NE(tasks.find("\"launcher\": \"" + to->second + "\""), std::string::npos) << to->second;
      }
    const std::string header = "labs/" + lab.folder.filename().string() + "/" + lab.stem + ".hpp";
    for (const auto& [from, to] : renames) {
      ++renamed;
      EXPECT_NE(changed.at(header).find(" " + to + "("), std::string::npos) << to;
      for (const auto& [file, text] : changed)
        if (!file.ends_with("_adapter.cpp")) {
          EXPECT_EQ(text.find(" " + from + "("), std::string::npos) << file << " has " << from;
        }
    }
  }
  EXPECT_GE(renamed, 10u);
}

TEST(OurVariants, AreCoursesThatKeepTheRulesAndLeakNothing) {
  const Course course = our_course();
  const ScratchFolder scratch;
  std::vector<std::string> stems;
  for (const Lab& lab : course.labs) stems.push_back(lab.stem);
  for (std::size_t turn = 0; turn < 3; ++turn) {
    const fs::path tree = scratch / std::to_string(turn);
    make_variant(course, choices_of_turn(course, turn), tree);
    const Course varied = Course::read(tree);
    for (const Lab& lab : varied.labs) {
      if (!course.find(lab.stem)) continue;
      EXPECT_FALSE(fs::exists(lab.folder / "variants"));
      for (const std::string& rule :
           broken_rules(lab, *problem_registry().at(lab.stem), tree, tree / "tests/hidden"))
        ADD_FAILURE() << turn << ": " << lab.stem << ": " << rule;
    }
    const ReleaseReport report = release(varied.only(stems), linked_rung_tables(), scratch / "students");
    for (const Leak& leak : report.leaks) ADD_FAILURE() << turn << ": " << sentence(leak);
    fs::remove_all(tree);
  }
}

// variant_long_test builds and checks them, which takes too long for each run.
TEST(OurVariants, ThatWereBuiltAreOnThePage) {
  const Course course = our_course();
  const std::string page = content_of(built_variants_page);
  std::set<std::string> labs, rows;
  for (const BuiltVariant& variant : built_variants(course)) {
    labs.insert(variant.lab);
    rows.insert(row_begin(course, variant));
  }
  for (const std::string& row : rows) EXPECT_NE(page.find("\n" + row), std::string::npos) << row;
  const std::regex any_row(R"(\n\| \d\d_\w+ \| `)");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), any_row), {}), std::ssize(rows));
  EXPECT_GE(rows.size(), 12u);
  EXPECT_GE(labs.size(), 5u);
}

TEST(OurVariants, AreNotReleased) {
  const Course course = our_course();
  const ReleasedFiles released(course, linked_rung_tables(), files_of_tree(course.root));
  for (const Lab& lab : course.labs) {
    const fs::path folder = fs::path("labs") / lab.folder.filename();
    EXPECT_FALSE(released.has(folder / "variants/variants.json")) << lab.stem;
    EXPECT_TRUE(released.has(folder / "README.md")) << lab.stem;
  }
}

}  // namespace
}  // namespace warplab
