// warplab hunt: which mistakes a student gets, what a pack holds, and the marks for what was found.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/hunt/hunt_marks.hpp"
#include "grader/hunt/pack.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

std::vector<Mutant> mutants_in(const Lab& lab) {
  return mutants_of(lab, source / "tests/hidden/mutants" / (lab.stem + ".json"));
}

const Course& whole_course() {
  static const Course course = Course::read(source);
  return course;
}

const Lab& transpose() { return *whole_course().find("transpose"); }

std::vector<PlantedMistake> planted_for(const std::string& name) {
  return planted_mistakes(transpose(), mutants_in(transpose()), name);
}

TEST(Hunt, EveryLabHasFiveDifferentMistakesForAnyone) {
  for (const Lab& lab : whole_course().labs)
    for (const char* name : {"Ada Lovelace", "Bob", "C"}) {
      const std::vector<PlantedMistake> planted = planted_mistakes(lab, mutants_in(lab), name);
      std::set<std::string> names, tasks;
      for (const PlantedMistake& one : planted) {
        names.insert(one.task->id + one.name);
        tasks.insert(one.task->id);
      }
      EXPECT_EQ(names.size(), 5u) << lab.stem;
      EXPECT_GE(tasks.size(), std::min<std::size_t>(lab.tasks.size(), 2)) << lab.stem;
    }
}

TEST(Hunt, DrawsFromTheNameAsItIsRead) {
  std::set<std::string> first;
  for (int student = 0; student < 40; ++student) first.insert(planted_for(std::to_string(student))[0].name);
  EXPECT_GE(first.size(), 8u);
  EXPECT_EQ(planted_for("  ada   LOVELACE")[0].name, planted_for("Ada Lovelace")[0].name);
}

// Outside of its lines a planted file is the solution.
TEST(Hunt, LinesAreThoseThatTheMistakeChanged) {
  for (int student = 0; student < 20; ++student)
    for (const PlantedMistake& one : planted_for(std::to_string(student))) {
      SCOPED_TRACE(one.task->id + ": " + one.name);
      const std::string before = with_solutions(bytes_of_file(transpose().folder / one.task->file), "");
      const std::vector<std::string_view> old_lines = lines_of(before),
                                          lines = lines_of(one.files.at(one.task->file));
      ASSERT_LE(one.first_line, one.last_line);
      const auto first = static_cast<std::size_t>(one.first_line),
                 last = static_cast<std::size_t>(one.last_line);
      ASSERT_LE(last, lines.size());
      for (std::size_t i = 0; i + 1 < first; ++i) EXPECT_EQ(lines[i], old_lines[i]);
      for (std::size_t i = 0; i < lines.size() - last; ++i)
        EXPECT_EQ(lines[lines.size() - 1 - i], old_lines[old_lines.size() - 1 - i]);
      EXPECT_LE(last - first, 6u) << "a mistake is in one place";
    }
}

TEST(Hunt, WhatWasTakenOutIsBetweenItsTwoLines) {
  for (int student = 0; student < 200; ++student)
    for (const PlantedMistake& one : planted_for(std::to_string(student))) {
      if (one.task->id != "tiled" || one.name != "missing __syncthreads") continue;
      const std::vector<std::string_view> lines = lines_of(one.files.at(one.task->file));
      EXPECT_EQ(one.last_line, one.first_line + 1);
      EXPECT_NE(lines[static_cast<std::size_t>(one.first_line) - 1].find("tile[y][x] = in["),
                std::string_view::npos);
      return;
    }
  FAIL() << "no student got the missing barrier";
}

TEST(Hunt, RefusesALabWithTooFewMutants) {
  std::vector<Mutant> few = mutants_in(transpose());
  few.resize(4);
  EXPECT_THROW(planted_mistakes(transpose(), few, "Ada"), BadInput);
}

TEST(HuntPack, HoldsTheFilesAndNoAnswer) {
  ScratchFolder scratch;
  const fs::path folder = scratch.path() / "hunts/transpose";
  const std::vector<PlantedMistake> planted = planted_for("Ada");
  write_pack(folder, "transpose", "Ada", planted);
  EXPECT_THROW(write_pack(folder, "transpose", "Ada", planted), BadInput);
  const HuntPack pack = read_pack(folder);
  EXPECT_EQ(pack.name, "Ada");
  ASSERT_EQ(pack.mistakes.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(texts_of(pack.mistakes[i], *planted[i].task), planted[i].files);
  const std::string json = bytes_of_file(folder / "hunt.json");
  for (const PlantedMistake& one : planted) EXPECT_EQ(json.find(one.name), std::string::npos);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cu") {
      EXPECT_EQ(bytes_of_file(entry.path()).find("END SOLUTION"), std::string::npos);
    }
  std::ofstream(folder / "hunt.json") << "{}";
  EXPECT_THROW(read_pack(folder), BadInput);
}

TEST(HuntMarks, ReadsALineAndAKind) {
  EXPECT_EQ(find_of("28 race").line, 28);
  EXPECT_EQ(find_of("28 out of bounds").kind, "out of bounds");
  for (const char* none : {"", "28", "race", "x race", "0 race", "-3 race", "28 slow"})
    EXPECT_EQ(find_of(none).line, 0) << none;
  for (const std::string& kind : symptom_kinds()) EXPECT_EQ(find_of(text_of(GivenFind{3, kind})).kind, kind);
}

TEST(HuntMarks, GiveHalfForAnsweringAndAQuarterEachForLinesAndKinds) {
  const std::vector<PlantedMistake> planted = planted_for("Ada");
  const auto race = [](const PlantedMistake&) { return Symptoms{{"race"}, ""}; };
  const auto given = [&](int right_lines, int right_kinds) {
    SealedAnswers answers{"transpose", "Ada", {}, SealedKind::hunt};
    for (int i = 0; i < 5; ++i) {
      const int line = i < right_lines ? planted[static_cast<std::size_t>(i)].last_line : 1;
      answers.answers.push_back({std::to_string(i + 1), "",
                                 text_of(GivenFind{line, i < right_kinds ? "race" : "deadlock"}),
                                 "put a barrier after the load"});
    }
    return answers;
  };
  EXPECT_EQ(hunt_marks(given(5, 5), planted, race).points, 10);
  EXPECT_EQ(hunt_marks(given(0, 0), planted, race).points, 5);
  EXPECT_EQ(hunt_marks(given(5, 0), planted, race).points, 7.5);
  const HuntMarks marks = hunt_marks(given(2, 5), planted, race);
  EXPECT_EQ(marks.points, 8.5);
  ASSERT_EQ(marks.remarks.size(), 3u);
  EXPECT_NE(marks.remarks[0].find(planted[2].name), std::string::npos);
  SealedAnswers hasty = given(5, 5);
  hasty.answers[4].reason = "a barrier";
  EXPECT_EQ(hunt_marks(hasty, planted, race).points, 0);
}

TEST(HuntMarks, ALabThatIsUnfitGivesNoneAndTheReasonAndNothingIsJudged) {
  std::vector<Mutant> few = mutants_in(transpose());
  few.resize(4);
  const SealedAnswers answers{
      "transpose", "Ada", {{"1", "", "28 race", "put a barrier there"}}, SealedKind::hunt};
  const HuntMarks marks = hunt_marks(
      answers, [&] { return planted_mistakes(transpose(), few, "Ada"); },
      [](const PlantedMistake&) -> Symptoms { throw std::logic_error("nothing was planted"); });
  EXPECT_EQ(marks.points, 0);
  EXPECT_FALSE(marks.committed);
  ASSERT_EQ(marks.remarks.size(), 1u);
  EXPECT_NE(marks.remarks[0].find("transpose has 4 mutants to plant, and a hunt takes 5"), std::string::npos)
      << marks.remarks[0];
}

TEST(HuntMarks, FindsAreSealedApartFromPredictions) {
  ScratchFolder scratch;
  const fs::path file = scratch.path() / "found.json";
  SealedAnswers finds{"transpose", "Ada", {{"1", "", "28 race", "why"}}, SealedKind::hunt};
  write_sealed(file, finds);
  EXPECT_FALSE(may_hold_sealed(content_of(file), SealedKind::predictions));
  EXPECT_TRUE(may_hold_sealed(content_of(file), SealedKind::hunt));
  EXPECT_EQ(read_sealed(file, SealedKind::hunt).seal(), finds.seal());
  finds.kind = SealedKind::predictions;
  EXPECT_NE(read_sealed(file, SealedKind::hunt).seal(), finds.seal());
}

}  // namespace
}  // namespace warplab
