// Mistakes for our solutions: how they are read and put in, and that every task has some.
#include "grader/check/mutants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "common/host/bad_input.hpp"
#include "grader/release/solution_regions.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* file = R"(#include <given>
void kernel() {
  // BEGIN SOLUTION
  if (i < n)
    c[i] = a[i];
  // STUB // if (i < n) what?
  // END SOLUTION
}
void launch(int n) {
  given(i < n);
  // BEGIN SOLUTION
  kernel<<<n>>>();
  // END SOLUTION
}
)";

Mutant mistake(const std::string& of, const std::string& becomes) { return {"a", "a mistake", of, becomes}; }

std::string refusal(const std::string& of, const std::string& becomes) {
  return message_of<BadInput>([&] { (void)with_mistake(file, "k.cu", mistake(of, becomes)); });
}

TEST(Mutants, AreOurSolutionWithOneMistake) {
  std::string expected = with_solutions(file, "k.cu");
  ASSERT_NE(expected.find("    c[i] = a[i];\n}"), std::string::npos);
  expected.replace(expected.find("  if (i < n)\n    c"), std::string("  if (i < n)\n    c").size(), "  c");
  EXPECT_EQ(with_mistake(file, "k.cu", mistake("  if (i < n)\n    c", "  c")), expected);
  EXPECT_EQ(with_mistake(file, "k.cu", mistake("<<<n>>>", "<<<1>>>")).find("BEGIN"), std::string::npos);
}

TEST(Mutants, TheirTextStandsOnceInASolution) {
  EXPECT_EQ(refusal("i <= n", ""),
            "k.cu, mutant \"a mistake\": its text occurs 0 times in the solution, not once: i <= n");
  EXPECT_NE(refusal("given(", "").find("0 times"), std::string::npos);    // outside
  EXPECT_NE(refusal("what?", "").find("0 times"), std::string::npos);     // in a stub
  EXPECT_NE(refusal("a[i];\n}", "").find("0 times"), std::string::npos);  // beyond the region's end
  EXPECT_NE(refusal("[i]", "").find("2 times"), std::string::npos);
  EXPECT_NE(refusal("n", "m").find("3 times"), std::string::npos);  // in two regions
  EXPECT_NE(refusal("<<<n>>>", "<<<n>>>").find("changes nothing"), std::string::npos);
  EXPECT_NE(refusal("", "x").find("changes nothing"), std::string::npos);
}

TEST(Mutants, WhatIsWrongWithOneIsNamedWithItsPlace) {
  const ScratchFolder folder;
  Lab lab;
  lab.stem = "transpose";
  lab.tasks.resize(1);
  lab.tasks[0].id = "tiled";
  const auto refusal_of = [&](const std::string& mutants) {
    const fs::path path = folder.write("m.json", R"({"lab": "transpose", "mutants": [)" + mutants + "]}");
    const std::string text = message_of<BadInput>([&] { (void)mutants_of(lab, path); });
    return text.substr(std::min(text.size(), path.string().size()));
  };
  const std::string rest = R"("of": "a", "becomes": "b", "killed_by": "public")";
  const std::string good = R"({"task": "tiled", "name": "n", )" + rest + "}";
  const auto read =
      mutants_of(lab, folder.write("g.json", R"({"lab": "transpose", "mutants": [)" + good + "]}"));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].killed_by, Mutant::Killer::public_cases);
  EXPECT_EQ(refusal_of(good + "," + good), ", mutant 2: tiled has another one called \"n\"");
  EXPECT_EQ(refusal_of(R"({"task": "tilde", "name": "n", )" + rest + "}"),
            ", mutant 1: it is of the task \"tilde\", which does not exist; did you mean tiled?");
  EXPECT_EQ(refusal_of(R"({"task": "tiled", )" + rest + "}"), ", mutant 1: it has no \"name\"");
  EXPECT_EQ(refusal_of(R"({"task": "tiled", "name": "n", "why": "w", )" + rest + "}"),
            ", mutant 1: \"why\" means nothing here");
  EXPECT_EQ(refusal_of(R"({"task": "tiled", "name": "n", "of": "a", "becomes": "b", "killed_by": "luck"})"),
            ", mutant 1: it is killed by 'luck'; there are compile, refused, public, hidden and limit");
  EXPECT_NE(refusal_of(R"({"task": "tiled", "name": "n", "says": "(", )" + rest + "}"), "");
  for (const std::string kind : {"race", "fence_missing", "no_kernel", ""})
    EXPECT_NO_THROW((void)mutants_of(
        lab, folder.write("k.json",
                          R"({"lab": "transpose", "mutants": [{"task": "tiled", "name": "n", "kind": ")" +
                              kind + "\", " + rest + "}]}")));
  for (const std::string kind : {"raced", "none", "fence"})
    EXPECT_EQ(
        refusal_of(R"({"task": "tiled", "name": "n", "kind": ")" + kind + "\", " + rest + "}"),
        ", mutant 1: its kind '" + kind + "' is not of a finding, not a likely cause, and not 'no_kernel'");
  lab.stem = "reduction";
  EXPECT_EQ(refusal_of(good), ": it is of the lab \"transpose\"");
}

TEST(Mutants, EveryTaskHasFourThatApply) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  for (const Lab& lab : course.labs) {
    const fs::path list = course.root / "tests/hidden/mutants" / (lab.stem + ".json");
    std::map<std::string, int> counts;
    // The name, by the task and the file that came of it: one mistake may be tried in two tasks of a file.
    std::map<std::pair<std::string, std::string>, std::string> seen;
    for (const Mutant& mutant : mutants_of(lab, list)) {
      const Task& task = *std::ranges::find(lab.tasks, mutant.task, &Task::id);
      const std::string text = content_of(lab.folder / task.file);
      std::string made;
      EXPECT_NO_THROW(made = with_mistake(text, task.file, mutant)) << task.name() << ": " << mutant.name;
      const auto [same, is_new] = seen.emplace(std::pair(mutant.task, made), mutant.name);
      EXPECT_TRUE(is_new) << task.name() << ": '" << mutant.name << "' is '" << same->second << "'";
      ++counts[mutant.task];
    }
    for (const Task& task : lab.tasks) EXPECT_GE(counts[task.id], 4) << task.name();
  }
}

TEST(Mutants, LimitsAreThereToKillThem) {
  const Course course = Course::read(WARPLAB_SOURCE_DIR);
  for (const Lab& lab : course.labs) {
    const auto mutants = mutants_of(lab, course.root / "tests/hidden/mutants" / (lab.stem + ".json"));
    for (const Task& task : lab.tasks)
      EXPECT_EQ(std::ranges::any_of(mutants,
                                    [&](const Mutant& m) {
                                      return m.task == task.id && m.killed_by == Mutant::Killer::limit;
                                    }),
                !task.limits.empty())
          << task.name();
  }
}

}  // namespace
}  // namespace warplab
