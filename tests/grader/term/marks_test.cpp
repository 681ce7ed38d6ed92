// Marks of a class on literals: which submission counts, what late days cost, what people change, and the
// tables that platforms import.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "grader/marks/book.hpp"
#include "grader/marks/exports.hpp"
#include "grader/marks/feedback_files.hpp"
#include "grader/marks/late_days.hpp"
#include "grader/marks/mark_tables.hpp"
#include "grader/marks/marking_page.hpp"
#include "grader/marks/marks_outputs.hpp"
#include "grader/people/entry_name.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab {
namespace {

Instant at(const char* text) { return parse_instant(text, TimeZone()); }

TEST(LateDays, AreBegunDaysAfterTheGrace) {
  Term term;
  term.late = {0, 10, 3, 15};
  const Instant deadline = at("2027-03-01 18:00");
  const auto days = [&](const char* text) { return lateness_of(at(text), deadline, 0, term).days; };
  EXPECT_EQ(days("2027-03-01 18:00:59"), 0u) << "the deadline's minute belongs to it";
  EXPECT_EQ(days("2027-03-01 18:15:59"), 0u);
  EXPECT_EQ(days("2027-03-01 18:16:00"), 1u);
  EXPECT_EQ(days("2027-03-02 18:15:59"), 1u);
  EXPECT_EQ(days("2027-03-02 18:16:00"), 2u);
  EXPECT_EQ(lateness_of({}, deadline, 0, term).days, 0u);
  EXPECT_EQ(lateness_of(at("2030-01-01"), {}, 0, term).days, 0u);
}

TEST(LateDays, AreUsedBeforeAPenaltyIsTaken) {
  Term term;
  term.late = {0, 10, 3, 0};
  const auto of = [&](const char* text, unsigned left) {
    return lateness_of(at(text), at("2027-03-01"), left, term);
  };
  Lateness late = of("2027-03-03 12:00", 1);
  EXPECT_EQ(late.free_days, 1u);
  EXPECT_EQ(late.penalised, 1u);
  EXPECT_DOUBLE_EQ(late.kept, 0.9);
  EXPECT_EQ(words_for(late), "2 days late, 1 late day used, 10 % off");
  late = of("2027-03-03 12:00", 5);
  EXPECT_EQ(late.free_days, 2u);
  EXPECT_DOUBLE_EQ(late.kept, 1);
  late = of("2027-03-05 12:00", 5);
  EXPECT_TRUE(late.is_too_late);
  EXPECT_EQ(late.free_days, 0u) << "what does not count uses none";
  EXPECT_EQ(words_for(late), "4 days late, which is too late to count");
  term.late = {0, 60, {}, 0};
  EXPECT_DOUBLE_EQ(of("2027-03-05", 0).kept, 0) << "and never below nothing";
}

/// A course of two labs, each of a task a (60 points) and b (40).
class Marks : public testing::Test {
 protected:
  Marks() {
    for (const char* stem : {"first", "second"}) {
      Lab lab{stem, "", {}};
      for (const auto& [id, points] : {std::pair("a", 60.0), std::pair("b", 40.0)}) {
        Task task;
        task.lab = stem, task.id = id, task.points = points;
        lab.tasks.push_back(task);
      }
      course_.labs.push_back(lab);
    }
    files_.term.late = {2, 10, {}, 0};
    files_.term.labs["first"].deadlines[""] = at("2027-03-01");
    files_.term.labs["second"].deadlines[""] = at("2027-04-01");
    add("ada", "Ada Low");
    add("bob", "Ray, Bob");
  }
  Student& add(const std::string& login, const std::string& name) {
    const std::string number = std::to_string(files_.roster.students.size() + 1);
    files_.roster.students.push_back({number, login, name});
    files_.roster.students.back().place = "roster.csv:" + number;
    return files_.roster.students.back();
  }
  /// @param a, b points, or below 0 for a file that was not handed in
  void hand_in(const std::string& entry, const char* time, double a, double b, const char* lab = "first") {
    SubmissionRecord record;
    record.student = record.source = entry;
    for (const Lab& one : course_.labs)
      for (const Task& task : one.tasks) {
        const double score = task.id == "a" ? a : b;
        TaskRecord of_task;
        of_task.lab = one.stem, of_task.id = task.id, of_task.points = task.points;
        if (one.stem == lab && score >= 0) of_task.status = TaskRecord::Status::judged, of_task.score = score;
        record.tasks.push_back(of_task);
      }
    batch_.records.push_back(record);
    if (time) files_.notes[entry].submitted = at(time);
  }
  Book book() {
    batches_ = {batch_};
    return make_book(course_, files_, batches_);
  }
  static std::string how(const LabMark& lab) {
    std::string text;
    for (const std::string& step : lab.steps) text += (text.empty() ? "" : "; ") + step;
    return text;
  }
  Course course_;
  ClassFiles files_;
  GradedBatch batch_;
  std::vector<GradedBatch> batches_;
};

TEST_F(Marks, TheBestAfterPenaltiesCounts) {
  files_.term.late.days = 0;
  hand_in("ada", "2027-02-28", 60, 0);
  hand_in("ada-2", "2027-03-02 12:00", 60, 40);
  hand_in("ada-3", "2027-03-05 12:00", 60, 40);
  LabMark mark = book().rows[0].labs[0];
  EXPECT_EQ(mark.counts->entry, "ada-2");
  EXPECT_DOUBLE_EQ(mark.mark, 90);
  EXPECT_EQ(how(mark), "100 of 100 from ada-2 (best of 3); handed in 2027-03-02 12:00; 1 day late, 10 % off");
  files_.term.policy = Policy::last;
  mark = book().rows[0].labs[0];
  EXPECT_EQ(mark.counts->entry, "ada-3");
  EXPECT_DOUBLE_EQ(mark.mark, 60);
  files_.term.policy = Policy::best_before_deadline;
  mark = book().rows[0].labs[0];
  EXPECT_EQ(mark.counts->entry, "ada");
  EXPECT_DOUBLE_EQ(mark.mark, 60);
}

TEST_F(Marks, OfEqualOnesTheLastThatIsNoLaterCounts) {
  hand_in("ada", "2027-02-26", 60, 0);
  hand_in("ada-2", "2027-02-27", 60, 0);
  hand_in("ada-3", "2027-03-02 12:00", 60, 0);
  EXPECT_EQ(book().rows[0].labs[0].counts->entry, "ada-2");
  EXPECT_EQ(book().rows[0].late_days_used, 0u);
}

TEST_F(Marks, WhatIsTooLateCountsOnlyWhereEverythingIs) {
  files_.term.late = {0, 10, 3, 0};
  for (const Policy policy : {Policy::last, Policy::best}) {
    files_.term.policy = policy;
    batch_.records.clear();
    hand_in("ada", "2027-02-27", 10, 0);
    hand_in("ada-2", "2027-02-28 12:00", 60, 0);
    hand_in("ada-3", "2027-06-01 12:00", 60, 40);
    const LabMark mark = book().rows[0].labs[0];
    EXPECT_DOUBLE_EQ(mark.mark, 60);
    EXPECT_EQ(mark.attempts, 3u);
    EXPECT_EQ(how(mark),
              std::string("60 of 100 from ada-2 (") + (policy == Policy::last ? "last" : "best") +
                  " of 2); handed in 2027-02-28 12:00; ada-3 of 2027-06-01 12:00 was too late to count");
    hand_in("bob", "2027-06-01", 60, 0);
    const LabMark late = book().rows[1].labs[0];
    EXPECT_DOUBLE_EQ(late.mark, 0);
    EXPECT_EQ(late.steps.back(), "92 days late, which is too late to count");
  }
}

TEST_F(Marks, VersionsWithoutTimesAreInTheOrderOfTheirNumbers) {
  files_.term.policy = Policy::last;
  hand_in("ada-10.zip", nullptr, 10, 0);
  hand_in("ada.zip", nullptr, 60, 40);
  hand_in("ada-2.zip", nullptr, 20, 0);
  EXPECT_EQ(book().rows[0].labs[0].counts->entry, "ada-10.zip");
}

TEST_F(Marks, WhatWasHandedInUnderOneNameIsTriedOneAfterAnother) {
  files_.term.late.days = 0;
  hand_in("ada", nullptr, 60, 40);
  hand_in("ada", nullptr, 60, 0);
  batch_.records[0].submitted = "2027-02-28 12:00 UTC", batch_.records[0].digest = "aaaaaaaaaaaaaaaa";
  batch_.records[1].submitted = "2027-03-05 12:00 UTC", batch_.records[1].digest = "bbbbbbbbbbbbbbbb";
  batch_.times["ada"] = "2027-03-06 12:00 UTC";
  LabMark mark = book().rows[0].labs[0];
  EXPECT_EQ(how(mark), "100 of 100 from ada (best of 2); handed in 2027-02-28 12:00");
  files_.term.policy = Policy::last;
  mark = book().rows[0].labs[0];
  EXPECT_EQ(how(mark), "60 of 100 from ada (last of 2); handed in 2027-03-05 12:00; 4 days late, 40 % off");
  files_.notes["ada"].submitted = at("2027-03-02 12:00");
  EXPECT_EQ(book().rows[0].labs[0].late.days, 1u) << "what a person wrote is about the last one";
  files_.term.policy = Policy::best;
  EXPECT_EQ(book().rows[0].labs[0].late.days, 0u);
}

TEST_F(Marks, ARowWithADigestIsAboutOneOfSeveralHandIns) {
  files_.term.late.days = 0;
  hand_in("ada", nullptr, 60, 40);
  hand_in("ada", "2027-03-05 12:00", 60, 0);
  batch_.records[0].digest = "aaaaaaaaaaaaaaaa", batch_.records[1].digest = "bbbbbbbbbbbbbbbb";
  Book made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 60) << "four days late, as the only time says";
  EXPECT_NE(std::ranges::find(made.remarks,
                              "ada was handed in more than once under this name; aaaaaaaaaaaa takes its time "
                              "too, and a row of submissions.csv with this digest can give another"),
            made.remarks.end());
  files_.notes["ada"].of_digests["aaaaaaaa"] = at("2027-02-28 12:00");
  made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 100);
  for (const std::string& remark : made.remarks)
    EXPECT_EQ(remark.find("more than once"), std::string::npos) << remark;
}

TEST_F(Marks, ALateOneIsNothingWhereOnlyThoseBeforeTheDeadlineCount) {
  files_.term.policy = Policy::best_before_deadline;
  hand_in("ada", "2027-03-02 12:00", 60, 40);
  const Book made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 0);
  EXPECT_EQ(made.rows[0].late_days_used, 0u);
}

TEST_F(Marks, LateDaysAreSpentOnTheFirstDeadlineAndOnNothingThatGivesNoMore) {
  hand_in("ada", "2027-02-28", 60, 40);
  hand_in("ada-2", "2027-03-03 12:00", 60, 40);
  Book made = book();
  EXPECT_EQ(made.rows[0].labs[0].counts->entry, "ada");
  EXPECT_EQ(made.rows[0].late_days_used, 0u);
  hand_in("bob", "2027-03-03 12:00", 60, 40);
  hand_in("bob-2", "2027-04-02 12:00", 60, 40, "second");
  made = book();
  EXPECT_EQ(made.rows[1].late_days_used, 2u);
  EXPECT_DOUBLE_EQ(made.rows[1].labs[0].mark, 100);
  EXPECT_DOUBLE_EQ(made.rows[1].labs[1].mark, 90);
  files_.roster.students[1].extra_days = 1;
  EXPECT_DOUBLE_EQ(book().rows[1].labs[1].mark, 100);
  EXPECT_DOUBLE_EQ(book().rows[1].total(), 200);
}

TEST_F(Marks, AnExtensionIsADeadlineOfOnesOwn) {
  files_.extensions.push_back({"ada", "first", at("2027-03-09"), "ill"});
  hand_in("ada", "2027-03-09 12:00", 60, 40);
  hand_in("bob", "2027-03-09 12:00", 60, 40);
  const Book made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 100);
  EXPECT_EQ(how(made.rows[0].labs[0]),
            "100 of 100 from ada; handed in 2027-03-09 12:00; deadline extended to 2027-03-09 23:59");
  EXPECT_DOUBLE_EQ(made.rows[1].labs[0].mark, 40);
}

TEST_F(Marks, OneSubmissionOfAGroupIsARowPerMember) {
  files_.roster.students[0].group = files_.roster.students[1].group = "Team 7";
  files_.roster.students[1].extra_days = 1;
  files_.term.labs["second"].by_group = false;
  hand_in("team 7", "2027-03-04 12:00", 60, 40);
  hand_in("bob", "2027-03-02 12:00", 0, 40, "second");
  const Book made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 90) << "three days late, with two";
  EXPECT_DOUBLE_EQ(made.rows[1].labs[0].mark, 100) << "three days late, with three";
  EXPECT_EQ(made.rows[0].labs[0].counts->record, made.rows[1].labs[0].counts->record);
  EXPECT_DOUBLE_EQ(made.rows[0].labs[1].mark, 0);
  EXPECT_DOUBLE_EQ(made.rows[1].labs[1].mark, 40);
  EXPECT_EQ(made.rows[0].labs[0].steps.front(), "100 of 100 from team 7, of the group Team 7");
  EXPECT_EQ(made.rows[1].labs[1].steps.front(), "40 of 100 from bob");
}

TEST_F(Marks, TheRecordsThatCountAreOfStudentsAndOfGroupsOnce) {
  add("cyd", "Cyd Moe");
  files_.roster.students[0].group = files_.roster.students[1].group = "Team 7";
  hand_in("team 7", "2027-02-27", 60, 40);
  hand_in("cyd", "2027-02-26", 10, 0);
  hand_in("cyd-2", "2027-02-27", 60, 0);
  const Book made = book();
  const std::vector<SubmissionRecord> records = counting_records(made, "first");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].student, "ada, bob");
  EXPECT_EQ(records[0].source, "team 7");
  EXPECT_EQ(records[1].student, "cyd");
  EXPECT_EQ(records[1].source, "cyd-2") << "the better of two";
  EXPECT_TRUE(counting_records(made, "second").empty());
}

TEST_F(Marks, AnOverrideOfATaskIsBeforePenaltiesAndOneOfALabAfterThem) {
  files_.term.late.days = 0;
  files_.overrides = {{"ada", "first", "b", 20, "the handout was wrong", "Lee"},
                      {"bob", "first", "", 77, "oral exam", "Lee"},
                      {"bob", "second", "", 50, "oral exam", "Lee"}};
  hand_in("ada", "2027-03-02 12:00", 60, 0);
  hand_in("bob", "2027-03-02 12:00", 60, 0);
  const Book made = book();
  const LabMark& ada = made.rows[0].labs[0];
  EXPECT_DOUBLE_EQ(ada.automatic, 60);
  EXPECT_DOUBLE_EQ(ada.decided, 80);
  EXPECT_DOUBLE_EQ(ada.mark, 72);
  EXPECT_EQ(how(ada),
            "60 of 100 from ada; handed in 2027-03-02 12:00; 1 day late, 10 % off; b changed from 0 to 20 by "
            "Lee: the handout was wrong");
  EXPECT_DOUBLE_EQ(made.rows[1].labs[0].mark, 77);
  EXPECT_DOUBLE_EQ(made.rows[1].labs[1].mark, 50);
  EXPECT_EQ(how(made.rows[1].labs[1]), "no submission; second changed from 0 to 50 by Lee: oral exam");
}

TEST_F(Marks, PointsForAnswersAreAddedAfterPenalties) {
  files_.term.late.days = 0;
  files_.written = {{"ada", "first", "question 1", 4, 5, "why float?"},
                    {"bob", "first", "question 2", 2, 5, ""}};
  hand_in("ada", "2027-03-02 12:00", 60, 40);
  const Book made = book();
  const LabMark& ada = made.rows[0].labs[0];
  EXPECT_DOUBLE_EQ(ada.mark, 94);
  EXPECT_DOUBLE_EQ(ada.of, 110) << "both parts, whoever has points for them";
  EXPECT_EQ(ada.steps.back(), "question 1: 4 of 5 (why float?)");
  EXPECT_DOUBLE_EQ(made.rows[1].labs[0].mark, 2);
  EXPECT_DOUBLE_EQ(made.rows[0].labs[1].of, 100);
}

TEST_F(Marks, AnswersAreThoseOfTheCodeThatCountsElseTheLastOnes) {
  hand_in("ada", "2027-02-25", 60, 40);
  hand_in("ada-2", "2027-02-26", 10, 0);
  hand_in("ada-3", "2027-02-27", -1, -1);
  const auto entry = [&] { return book().rows[0].labs[0].answers->entry; };
  EXPECT_FALSE(book().rows[0].labs[0].answers.has_value());
  batch_.records[1].answers["first"] = "## 1\nsecond\n";
  EXPECT_EQ(entry(), "ada-2");
  batch_.records[2].answers["first"] = "## 1\nthird\n";
  EXPECT_EQ(entry(), "ada-3") << "answers without code count too";
  batch_.records[0].answers["first"] = "## 1\nfirst\n";
  EXPECT_EQ(entry(), "ada");
  EXPECT_EQ(book().rows[0].labs[0].attempts, 2u) << "and do not count as an attempt at the code";
}

TEST_F(Marks, AnswersAreShownAsLateAsTheyAreAndNotWhenTheyAreTooLate) {
  const ScratchFolder folder;
  folder.write("answers.md", "## 1 (at most 5 words, 4 points)\n");
  files_.term.late = {0, 10, 3, 0};
  hand_in("ada", "2027-02-25", 60, 40);
  hand_in("ada-2", "2027-03-03 12:00", -1, -1);
  batch_.records[1].answers["first"] = "## 1\nsecond\n";
  hand_in("ada-3", "2027-03-22 12:00", -1, -1);
  batch_.records[2].answers["first"] = "## 1\nafter the solutions were shown\n";
  const Book made = book();
  const LabMark& mark = made.rows[0].labs[0];
  EXPECT_EQ(mark.answers->entry, "ada-2");
  EXPECT_EQ(mark.answers_late, 2u);
  EXPECT_EQ(
      how(mark),
      "100 of 100 from ada; handed in 2027-02-25 23:59; answers of 2027-03-22 12:00 from ada-3 were too "
      "late to count; answers of 2027-03-03 12:00, 2 days late");
  const std::string page = marking_page({"first", folder.path(), {}}, made, files_);
  EXPECT_NE(page.find("handed in 2027-03-03 12:00, 2 days late"), std::string::npos) << page;
  EXPECT_EQ(page.find("solutions were shown"), std::string::npos);
  files_.term.policy = Policy::best_before_deadline;
  EXPECT_FALSE(book().rows[0].labs[0].answers.has_value());
}

TEST_F(Marks, AnswersThatAreNotMarkedYetAreSaidAndCountNothing) {
  files_.written = {{"ada", "first", "question 1", 4, 5, ""}, {"ada", "first", "question 2", {}, 3, ""}};
  hand_in("ada", "2027-02-25", 60, 40);
  const LabMark mark = book().rows[0].labs[0];
  EXPECT_DOUBLE_EQ(mark.mark, 104);
  EXPECT_DOUBLE_EQ(mark.of, 108);
  EXPECT_EQ(mark.steps.back(), "1 answer not marked yet");
}

TEST_F(Marks, AnswersAreShownBesideTheCountsOfTheCodeAndOnceForAGroup) {
  const ScratchFolder folder;
  folder.write("answers.md", "## 1 (at most 5 words, 4 points)\n");
  files_.roster.students[0].group = files_.roster.students[1].group = "g";
  hand_in("ada", "2027-02-25", 60, 40);
  Check limit;
  limit.name = "bytes moved", limit.expected = "at most 1.05", limit.kind = Check::Kind::limit;
  limit.status = Check::Status::failed, limit.counted = 2.333333;
  batch_.records[0].tasks[0].checks = {limit};
  limit.status = Check::Status::not_run, limit.counted.reset();
  batch_.records[0].tasks[1].checks = {limit};
  batch_.records[0].answers["first"] = "## 1\none two three four five six\n";
  const std::string page = marking_page({"first", folder.path(), {}}, book(), files_);
  EXPECT_NE(page.find("Ada Low (ada), Ray, Bob (bob)"), std::string::npos) << page;
  EXPECT_EQ(page.find("one two three four five six"), page.rfind("one two three four five six"));
  EXPECT_NE(page.find("<span class=\"over\">6 words of at most 5</span>"), std::string::npos);
  EXPECT_NE(page.find("<td>bytes moved</td><td class=\"n failed\">2.333</td><td class=\"whole\">at most "
                      "1.05</td>"),
            std::string::npos);
  EXPECT_NE(page.find("<td class=\"n\">not counted</td>"), std::string::npos);
  EXPECT_EQ(unnamed_parts(page), "");
}

TEST_F(Marks, ATimeThatDoesNotExistCostsNobodyTheMarks) {
  if (!std::filesystem::exists("/usr/share/zoneinfo/Europe/Berlin"))
    GTEST_SKIP() << "this machine has no tz database";
  files_.term.zone = TimeZone("Europe/Berlin");
  files_.term.labs["first"].deadlines[""] = at("2027-03-01 12:00");
  const std::string entry = "Lab 1_ada_attempt_2027-03-28-02-30-00_x.zip";  // clocks went from 2 to 3
  hand_in(entry, nullptr, 60, 40);
  const Book made = book();
  EXPECT_EQ(made.rows[0].labs[0].late.days, 0u);
  EXPECT_TRUE(std::ranges::any_of(made.remarks, [&](const std::string& remark) {
    return remark.starts_with(entry + " counts as on time: its time '2027-03-28 02:30:00'");
  }));
}

// Nobody can add an offset to the name that a platform gave a file.
TEST_F(Marks, ANameWithATimeThatComesTwiceIsTakenAsTheFirst) {
  if (!std::filesystem::exists("/usr/share/zoneinfo/Europe/Berlin"))
    GTEST_SKIP() << "this machine has no tz database";
  files_.term.zone = TimeZone("Europe/Berlin");
  files_.term.labs["first"].deadlines[""] = at("2027-10-31 00:59");  // 02:59 there, before clocks go back
  const std::string entry = "Lab 1_ada_attempt_2027-10-31-02-30-00_x.zip";
  hand_in(entry, nullptr, 60, 40);
  Book made = book();
  EXPECT_EQ(made.rows[0].labs[0].late.days, 0u);
  EXPECT_EQ(made.rows[0].labs[0].counts->submitted, at("2027-10-31 00:30"));
  EXPECT_NE(std::ranges::find(made.remarks,
                              entry + " has the time 2027-10-31 02:30:00, which comes twice in "
                                      "Europe/Berlin; the first is taken, and submissions.csv can name it"),
            made.remarks.end());
  files_.notes[without_archive_ending(entry)].submitted = at("2027-10-31 01:30");
  made = book();
  EXPECT_EQ(made.rows[0].labs[0].late.days, 1u);
  for (const std::string& remark : made.remarks)
    EXPECT_EQ(remark.find("comes twice"), std::string::npos) << remark;
}

TEST_F(Marks, WhatNobodyCanBeGivenIsRemarked) {
  hand_in("ada", nullptr, 60, 0);
  hand_in("low_LATE_1_77_x", nullptr, 60, 40);
  hand_in("stranger", nullptr, 60, 0);
  files_.requests = {{"bob", "first", "", "please", "", RegradeRequest::Status::open, "requests.csv:2"}};
  EXPECT_EQ(
      book().remarks,
      (std::vector<std::string>{
          "stranger fits nobody in the roster; submissions.csv can name its student",
          "low_LATE_1_77_x is marked late and has no time, so no penalty is taken; submissions.csv can "
          "name it",
          "1 student without a submission to first: bob", "requests.csv:2: the request of bob is open"}));
}

TEST_F(Marks, WhoHandedInNothingIsListedPerLabOfTheLastBatch) {
  const auto keep = [&](const std::string& lab) {
    for (SubmissionRecord& record : batch_.records)
      std::erase_if(record.tasks, [&](const TaskRecord& task) { return task.lab != lab; });
    batches_.push_back(std::move(batch_));
    batch_ = {};
  };
  add("cyd", "Cyd Moe");
  hand_in("ada", "2027-02-01", 60, 40);
  hand_in("bob", "2027-02-01", 60, 40);
  keep("first");
  hand_in("ada", "2027-03-01", 60, 40, "second");
  keep("second");
  EXPECT_EQ(make_book(course_, files_, batches_).remarks,
            std::vector<std::string>{"2 students without a submission to second: bob, cyd"})
      << "bob handed in the first lab only, and who missed that was listed with its own batch";
  batches_.pop_back();
  EXPECT_EQ(make_book(course_, files_, batches_).remarks,
            std::vector<std::string>{"1 student without a submission to first: cyd"});
}

TEST_F(Marks, ABatchThatNobodyHandedInListsAllOnce) {
  hand_in("stranger", nullptr, 60, 0);
  EXPECT_EQ(book().remarks.back(), "2 students without a submission: ada, bob");
  batch_.records.clear();
  EXPECT_EQ(book().remarks.back(), "2 students without a submission: ada, bob");
}

TEST_F(Marks, WhatCouldNotBeGradedIsNotCounted) {
  hand_in("ada", "2027-02-01", 60, 40);
  hand_in("ada-2", "2027-02-02", -1, -1);
  batch_.records.back().status = SubmissionRecord::Status::not_gradable;
  batch_.records.back().problem = "it is not an archive";
  hand_in("bob", "2027-02-02", -1, -1);
  batch_.records.back().problem = "it is not an archive";
  files_.term.policy = Policy::last;
  const Book made = book();
  EXPECT_DOUBLE_EQ(made.rows[0].labs[0].mark, 100);
  EXPECT_EQ(how(made.rows[1].labs[0]), "bob could not be graded: it is not an archive");
}

TEST_F(Marks, WhoseSubmissionCouldNotBeGradedHandedInSomething) {
  add("cyd", "Cyd Moe");
  hand_in("ada", "2027-02-01", -1, -1);
  batch_.records.back().status = SubmissionRecord::Status::own_failure;
  batch_.records.back().problem = "warplab itself failed on it";
  const auto has = [&](const std::string& remark) {
    const std::vector<std::string> remarks = book().remarks;
    return std::ranges::find(remarks, remark) != remarks.end();
  };
  EXPECT_TRUE(has("2 students without a submission: bob, cyd"));
  EXPECT_TRUE(has("1 student whose submission could not be graded: ada"));
  hand_in("bob", "2027-02-01", 60, 0);
  EXPECT_TRUE(has("1 student without a submission to first: cyd"));
  EXPECT_TRUE(has("1 student whose submission to first could not be graded: ada"));
}

TEST_F(Marks, WhatWarplabFailedOnIsAnOpenMarkUntilSomebodyDecides) {
  hand_in("ada", nullptr, -1, -1);
  batch_.records.back().status = SubmissionRecord::Status::own_failure;
  batch_.records.back().problem = "warplab itself failed on it";
  Book made = book();
  EXPECT_TRUE(made.rows[0].labs[0].is_open());
  EXPECT_FALSE(made.rows[1].labs[0].is_open());
  EXPECT_TRUE(marks_csv(made).find("\n1,ada,Ada Low,,,,,0,200,0,2,first: ada could not be graded: warplab "
                                   "itself failed on it = open | ") != std::string::npos)
      << marks_csv(made);
  EXPECT_NE(marks_by_lab_csv(made, files_.term).find(",0,0,,100,ada could not be graded"), std::string::npos);
  const std::string page = to_markdown(mark_page(made.rows[0], made.rows[0].labs[0], files_.term));
  EXPECT_NE(page.find("There is no mark yet"), std::string::npos) << page;
  EXPECT_EQ(page.find("0 of 100 points"), std::string::npos) << page;
  files_.overrides = {{"ada", "first", "", 77, "oral exam", "Lee"}};
  made = book();
  EXPECT_FALSE(made.rows[0].labs[0].is_open());
  EXPECT_NE(marks_csv(made).find("\n1,ada,Ada Low,,,77,,77,"), std::string::npos) << marks_csv(made);
  hand_in("ada", nullptr, 60, 0);
  files_.overrides.clear();
  EXPECT_FALSE(book().rows[0].labs[0].is_open()) << "another hand-in counts";
}

TEST_F(Marks, OurTablesHaveARowPerStudentAndOnePerLab) {
  files_.overrides = {{"ada", "first", "b", 20, "=cmd", "Lee"}};
  hand_in("ada", "2027-03-02 12:00", 60, 0);
  const Book made = book();
  EXPECT_EQ(marks_csv(made),
            "id,login,name,section,group,first,second,total,of,late_days_used,late_days_left,how\n"
            "1,ada,Ada Low,,,80,0,80,200,1,1,\"first: 60 of 100 from ada; handed in 2027-03-02 12:00; 1 day "
            "late, 1 late day used; b changed from 0 to 20 by Lee: =cmd = 80 | second: no submission = 0\"\n"
            "2,bob,\"Ray, Bob\",,,0,0,0,200,0,2,first: no submission = 0 | second: no submission = 0\n");
  const std::string by_lab = marks_by_lab_csv(made, files_.term);
  EXPECT_NE(by_lab.find("\nada,Ada Low,first,ada,1,2027-03-02 12:00,2027-03-01 23:59,1,1,0,60,80,80,100,"),
            std::string::npos)
      << by_lab;
  EXPECT_NE(by_lab.find("\nbob,\"Ray, Bob\",second,,0,,2027-04-01 23:59,0,0,0,0,0,0,100,no submission\n"),
            std::string::npos)
      << by_lab;
}

class Exports : public Marks {
 protected:
  Exports() {
    files_.roster.students[0].section = "A";
    files_.roster.students[0].email = "ada@example.edu";
    files_.term.labs["first"].column = "Lab 1, first (345)";
    files_.term.labs["second"].column = "Lab 2 [Total Pts: 100] |678";
  }
  MarkExport of(MarkPlatform platform) {
    book_ = book();
    return mark_export(platform, book_, files_.term);
  }
  Book book_;
};

TEST_F(Exports, CanvasGetsItsFiveColumnsAndTheRowOfPoints) {
  hand_in("lowada_1_77_x", nullptr, 60, 0);
  EXPECT_EQ(of(MarkPlatform::canvas).files.at("canvas.csv"),
            "Student,ID,SIS User ID,SIS Login ID,Section,\"Lab 1, first (345)\",Lab 2 [Total Pts: 100] |678\n"
            "    Points Possible,,,,,100,100\n"
            "\"Low, Ada\",1,,ada,A,60,\n"
            "\"Ray, Bob\",2,,bob,,,\n");
}

TEST_F(Exports, MoodleGetsAWorksheetPerLab) {
  hand_in("Ada Low_4711_assignsubmission_file_", nullptr, 60, 0);
  hand_in("bob", nullptr, 60, 40);
  const MarkExport made = of(MarkPlatform::moodle);
  EXPECT_EQ(made.files.at("moodle-first.csv"),
            "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),Feedback comments\n"
            "Participant 4711,Ada Low,ada@example.edu,60,100,-,60 of 100 from Ada "
            "Low_4711_assignsubmission_file_\n");
  EXPECT_EQ(made.remarks, std::vector<std::string>{
                              "moodle-first.csv lacks those whose participant's number no name shows: bob"});
}

TEST_F(Exports, MoodlesNumberOfAPartnerIsNotAStudents) {
  files_.roster.students[0].group = files_.roster.students[1].group = "Team 7";
  hand_in("Ada Low_4711_assignsubmission_file_", nullptr, 60, 0);
  const MarkExport made = of(MarkPlatform::moodle);
  EXPECT_DOUBLE_EQ(book_.rows[1].labs[0].mark, 60);
  EXPECT_EQ(made.files.at("moodle-first.csv").find("Bob"), std::string::npos);
  EXPECT_EQ(made.remarks, std::vector<std::string>{
                              "moodle-first.csv lacks those whose participant's number no name shows: bob"});
}

TEST_F(Exports, BlackboardGetsTabsAndItsOwnColumns) {
  hand_in("ada", nullptr, 60, 0.5);
  EXPECT_EQ(of(MarkPlatform::blackboard).files.at("blackboard.xls"),
            "Last Name\tFirst Name\tUsername\tStudent ID\tLab 1, first (345)\tLab 2 [Total Pts: 100] |678\n"
            "Low\tAda\tada\t1\t60.5\t\n"
            "Ray\tBob\tbob\t2\t\t\n");
}

TEST_F(Exports, GradescopeGetsItsOwnColumnsAndTimes) {
  files_.term.zone = TimeZone("-05:00");
  hand_in("ada", "2027-03-02 01:29:05", 60, 0);
  hand_in("ada-2", "2027-04-02 00:59:00", 60, 40, "second");
  EXPECT_EQ(of(MarkPlatform::gradescope).files.at("gradescope.csv"),
            "First Name,Last Name,SID,Email,Sections,\"Lab 1, first (345)\",\"Lab 1, first (345) - Max "
            "Points\",\"Lab 1, first (345) - Submission Time\",\"Lab 1, first (345) - Lateness "
            "(H:M:S)\",Lab 2 [Total Pts: 100] |678,Lab 2 [Total Pts: 100] |678 - Max Points,Lab 2 [Total "
            "Pts: 100] |678 - Submission Time,Lab 2 [Total Pts: 100] |678 - Lateness (H:M:S),Total Lateness "
            "(H:M:S)\n"
            "Ada,Low,1,ada@example.edu,A,60,100,2027-03-01 20:29:05 -0500,01:30:05,100,100,2027-04-01 "
            "19:59:00 -0500,01:00:00,02:30:05\n"
            "Bob,Ray,2,,,,100,,00:00:00,,100,,00:00:00,00:00:00\n");
}

TEST_F(Exports, WhatIsWithinTheGraceIsNotLateAtGradescope) {
  files_.term.late.grace_minutes = 120;
  hand_in("ada", "2027-03-02 01:29:05", 60, 0);
  EXPECT_NE(
      of(MarkPlatform::gradescope).files.at("gradescope.csv").find("2027-03-02 01:29:05 +0000,00:00:00"),
      std::string::npos);
}

TEST_F(Exports, AnUnknownPlatformIsRefused) {
  EXPECT_EQ(
      message_of<BadInput>([] { mark_platform_by_name("ilias"); }),
      "--export names the unknown platform 'ilias'; known platforms: canvas, moodle, blackboard, gradescope");
}

TEST_F(Exports, FeedbackHasTheNamesThatPlatformsTakeBack) {
  hand_in("lowada_1_77_x.tar.gz", nullptr, 60, 0);
  hand_in("Bob Ray_12_assignsubmission_file_", nullptr, 60, 0);
  files_.requests = {
      {"ada", "first", "b", "it ran", "it raced", RegradeRequest::Status::refused, "requests.csv:2"}};
  const Book made = book();
  const auto canvas = feedback_for_upload(MarkPlatform::canvas, made, 0, files_.term);
  ASSERT_EQ(canvas.size(), 1u);
  EXPECT_EQ(canvas.begin()->first, "lowada_1_77_x.html");
  for (const char* words :
       {"mark of Ada Low", "60 of 100 from lowada_1_77_x.tar.gz", "it ran", "it raced", "refused"})
    EXPECT_NE(canvas.begin()->second.find(words), std::string::npos) << words;
  const auto moodle = feedback_for_upload(MarkPlatform::moodle, made, 0, files_.term);
  ASSERT_EQ(moodle.size(), 1u);
  EXPECT_EQ(moodle.begin()->first, "Bob Ray_12_assignsubmission_file_/feedback.html");
  EXPECT_TRUE(feedback_for_upload(MarkPlatform::gradescope, made, 0, files_.term).empty());
}

TEST_F(Exports, FeedbackGoesToThoseOfWhomNothingCouldBeGradedToo) {
  hand_in("lowada_1_77_x.tar.gz", nullptr, -1, -1);
  batch_.records[0].status = SubmissionRecord::Status::not_gradable;
  batch_.records[0].problem = "the archive is truncated";
  hand_in("raybob_2_78_x.tar.gz", nullptr, -1, -1);
  batch_.records[1].answers["first"] = "## 1\nfour blocks\n";
  hand_in("Cyd Moe_12_assignsubmission_file_", nullptr, -1, -1);
  batch_.records[2].answers["first"] = "## 1\nfour blocks\n";
  add("cyd", "Cyd Moe");
  files_.written = {{"bob", "first", "question 1", 3, 4, "how large?"},
                    {"cyd", "first", "question 1", 3, 4, ""}};
  const Book made = book();
  const auto pages = feedback_for_upload(MarkPlatform::canvas, made, 0, files_.term);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_NE(pages.at("lowada_1_77_x.html").find("the archive is truncated"), std::string::npos);
  EXPECT_NE(pages.at("lowada_1_77_x.html").find("The submission that could not be graded"),
            std::string::npos);
  EXPECT_NE(pages.at("raybob_2_78_x.html").find("how large?"), std::string::npos);
  EXPECT_TRUE(mark_export(MarkPlatform::canvas, made, files_.term).files.at("canvas.csv").find("ada,A,,") !=
              std::string::npos)
      << "a person decides whether it is worth nothing";
  const std::string moodle =
      mark_export(MarkPlatform::moodle, made, files_.term).files.at("moodle-first.csv");
  EXPECT_NE(moodle.find("Participant 12,Cyd Moe,,3,104,"), std::string::npos) << moodle;
}

TEST_F(Exports, AGroupsFeedbackIsSharedWithoutWhatConcernsOneMember) {
  files_.roster.students[0].group = files_.roster.students[1].group = "Team 7";
  files_.overrides = {{"bob", "first", "", 10, "did not take part", "Lee"}};
  hand_in("team7_5_77_x", nullptr, 60, 0);
  const auto pages = feedback_for_upload(MarkPlatform::canvas, book(), 0, files_.term);
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages.begin()->second.find("did not take part"), std::string::npos);
  EXPECT_NE(pages.begin()->second.find("Team 7"), std::string::npos);
}

TEST_F(Exports, AreWrittenWholeAndTheSameEachTime) {
  hand_in("lowada_1_77_x.tar.gz", "2027-03-01", 60, 0);
  const ScratchFolder folder;
  const Book made = book();
  const std::vector<MarkPlatform> all = {MarkPlatform::canvas, MarkPlatform::moodle, MarkPlatform::blackboard,
                                         MarkPlatform::gradescope};
  write_marks(folder / "one", made, files_.term, all);
  write_marks(folder / "two", made, files_.term, all);
  for (const char* file :
       {"marks.csv", "marks_by_lab.csv", "canvas.csv", "moodle-second.csv", "blackboard.xls",
        "gradescope.csv", "feedback-canvas-first.zip", "feedback/first/ada.html", "feedback/second/bob.md"}) {
    const std::string content = content_of(folder.path() / "one" / "marks" / file);
    EXPECT_FALSE(content.empty()) << file;
    EXPECT_EQ(content, content_of(folder.path() / "two" / "marks" / file)) << file;
  }
  write_marks(folder / "one", made, files_.term, {MarkPlatform::canvas});
  EXPECT_TRUE(std::filesystem::exists(folder / "one/marks/canvas.csv"));
  for (const char* file : {"moodle-first.csv", "blackboard.xls", "gradescope.csv"})
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "one" / "marks" / file)) << file << " may be old";
}

TEST_F(Exports, WhatARunDoesNotWriteAgainIsTakenAway) {
  hand_in("lowada_1_77_x.tar.gz", "2027-03-01", 60, 0);
  const ScratchFolder folder;
  const auto left = [&](const char* file) { return std::filesystem::exists(folder.path() / "marks" / file); };
  write_marks(folder.path(), book(), files_.term, {MarkPlatform::canvas, MarkPlatform::moodle});
  ASSERT_TRUE(left("feedback-canvas-first.zip"));
  for (const char* other :
       {"moodle-third.csv", "feedback-canvas-third.zip", "moodle-My notes.csv", "feedback.zip"})
    folder.write(std::string("marks/") + other, "x");
  batch_.records.clear();
  hand_in("ada", "2027-03-01", 60, 0);  // under a name for which Canvas takes no page back
  write_marks(folder.path(), book(), files_.term, {MarkPlatform::canvas, MarkPlatform::moodle});
  EXPECT_FALSE(left("feedback-canvas-first.zip")) << "there is no page for it now";
  EXPECT_FALSE(left("moodle-third.csv")) << "of a lab that the book no longer has";
  EXPECT_FALSE(left("feedback-canvas-third.zip"));
  for (const char* kept :
       {"canvas.csv", "moodle-first.csv", "marks.csv", "moodle-My notes.csv", "feedback.zip"})
    EXPECT_TRUE(left(kept)) << kept;
  write_marks(folder.path(), book(), files_.term, {});
  EXPECT_FALSE(left("canvas.csv"));
  EXPECT_FALSE(left("moodle-first.csv"));
}

TEST_F(Exports, PagesOfStudentsWhoLeftAreTakenAway) {
  hand_in("lowada_1_77_x.tar.gz", "2027-03-01", 60, 0);
  const ScratchFolder folder;
  write_marks(folder.path(), book(), files_.term, {});
  for (const char* left : {"marks/feedback/first/bob.html", "marks/feedback/first/bob.md"})
    EXPECT_TRUE(std::filesystem::exists(folder / left)) << left;
  folder.write("marks/feedback/first/notes.txt", "of the instructor");
  folder.write("marks/feedback/third/ada.md", "of a lab that the batch no longer has");
  std::erase_if(files_.roster.students, [](const Student& student) { return student.login == "bob"; });
  write_marks(folder.path(), book(), files_.term, {});
  for (const char* left : {"marks/feedback/first/bob.html", "marks/feedback/first/bob.md",
                           "marks/feedback/second/bob.html", "marks/feedback/third"})
    EXPECT_FALSE(std::filesystem::exists(folder / left)) << left;
  for (const char* kept :
       {"marks/feedback/first/ada.html", "marks/feedback/second/ada.md", "marks/feedback/first/notes.txt"})
    EXPECT_TRUE(std::filesystem::exists(folder / kept)) << kept;
}

}  // namespace
}  // namespace warplab
