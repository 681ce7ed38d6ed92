// The rules of a term: times in time zones, term.json, and the tables that change marks.
#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/term/class_files.hpp"
#include "grader/term/instant.hpp"
#include "grader/text/report_text.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

std::string in_utc(const std::string& text, const std::string& zone = "UTC") {
  return TimeZone("UTC").text(parse_instant(text, TimeZone(zone)));
}

TEST(Instants, AreReadInTheirOwnZoneOrTheTerms) {
  EXPECT_EQ(in_utc("2027-03-01"), "2027-03-01 23:59");
  EXPECT_EQ(in_utc("2027-03-01 18:00"), "2027-03-01 18:00");
  EXPECT_EQ(in_utc("2027-03-01 18:00", "+01:00"), "2027-03-01 17:00");
  EXPECT_EQ(in_utc("2027-03-01T18:00:30Z", "+01:00"), "2027-03-01 18:00:30");
  EXPECT_EQ(in_utc("2027-03-01 00:30 +0530"), "2027-02-28 19:00");
  EXPECT_EQ(in_utc("2027-03-01 20:00:00.25-05:00"), "2027-03-02 01:00");
  EXPECT_EQ(TimeZone("-03:30").text(parse_instant("2027-01-01 00:00Z", TimeZone())), "2026-12-31 20:30");
}

TEST(Instants, AreWrittenWithTheOffsetOfTheirZone) {
  const auto text = [](const char* time, const char* zone) {
    return TimeZone(zone).text_with_offset(parse_instant(time, TimeZone()));
  };
  EXPECT_EQ(text("2023-01-01 17:00", "-05:00"), "2023-01-01 12:00:00 -0500");
  EXPECT_EQ(text("2023-01-01 17:00:07", "UTC"), "2023-01-01 17:00:07 +0000");
  EXPECT_EQ(text("2023-01-01 00:00", "-03:30"), "2022-12-31 20:30:00 -0330");
  if (!fs::exists("/usr/share/zoneinfo/America/New_York")) GTEST_SKIP() << "this machine has no tz database";
  EXPECT_EQ(text("2023-01-01 17:00", "America/New_York"), "2023-01-01 12:00:00 -0500");
  EXPECT_EQ(text("2023-07-01 16:00", "America/New_York"), "2023-07-01 12:00:00 -0400");
}

TEST(Instants, UntilWhichSomethingCountsHaveTheirLastMinute) {
  const auto last = [](const char* text) {
    return TimeZone().text(parse_last_instant(text, TimeZone("+01:00")));
  };
  EXPECT_EQ(last("2027-03-01 23:59"), "2027-03-01 22:59:59");
  EXPECT_EQ(last("2027-03-01"), "2027-03-01 22:59:59");
  EXPECT_EQ(last("2027-03-01 23:59:30"), "2027-03-01 22:59:30");
}

TEST(Instants, ThatCannotBeAreRefused) {
  const std::string form = "is not a time; it takes 2027-03-01, 2027-03-01 18:00 or 2027-03-01 18:00 +0100";
  const auto refusal = [](const std::string& text) {
    return message_of<BadInput>([&] { parse_instant(text, TimeZone()); });
  };
  for (const char* text : {"", "tomorrow", "1.3.2027", "2027-3-1", "2027-03-01 6pm", "2027-03-01 18:00 CEST"})
    EXPECT_EQ(refusal(text), form) << text;
  EXPECT_EQ(refusal("2027-02-29"), "is not a day of the calendar");
  EXPECT_EQ(refusal("2027-03-01 24:00"), "is not a time of the day");
  EXPECT_EQ(refusal("2027-03-01 18:00 +9900"), "has the unknown offset '+9900'");
  for (const char* zone : {"Mars/Olympus", "../etc/passwd", "", "+25:00", "UTC; rm"})
    EXPECT_TRUE(message_of<BadInput>([&] {
                  TimeZone{zone};
                }).starts_with(std::string("unknown time zone '") + zone + "'; it takes UTC, +01:00"))
        << zone;
}

TEST(Instants, KnowWhenClocksChange) {
  if (!fs::exists("/usr/share/zoneinfo/Europe/Berlin")) GTEST_SKIP() << "this machine has no tz database";
  EXPECT_EQ(in_utc("2027-03-27 18:00", "Europe/Berlin"), "2027-03-27 17:00");
  EXPECT_EQ(in_utc("2027-03-29 18:00", "Europe/Berlin"), "2027-03-29 16:00");
  EXPECT_EQ(in_utc("2027-07-01 00:00", "America/New_York"), "2027-07-01 04:00");
  const TimeZone berlin("Europe/Berlin");
  EXPECT_EQ(berlin.text(parse_instant("2027-03-29 16:00Z", berlin)), "2027-03-29 18:00");
  EXPECT_EQ(message_of<BadInput>([&] { parse_instant("2027-03-28 02:30", berlin); }),
            "never comes in Europe/Berlin, where clocks go forward");
  EXPECT_EQ(message_of<BadInput>([&] { parse_instant("2027-10-31 02:30", berlin); }),
            "comes twice in Europe/Berlin, where clocks go back; add the offset, such as +01:00");
  EXPECT_EQ(in_utc("2027-10-31 02:30 +0100", "Europe/Berlin"), "2027-10-31 01:30");
}

class TermFiles : public testing::Test {
 protected:
  TermFiles() {
    for (const char* stem : {"transpose", "vector_add"}) {
      Lab lab{stem, "", {}};
      for (const char* id : {"naive", "tiled"}) {
        Task task;
        task.lab = stem, task.id = id, task.points = 50;
        lab.tasks.push_back(task);
      }
      course_.labs.push_back(lab);
    }
    folder_.write("roster.csv", "id,login,name,section\n1,jdoe,Jane Doe,A\n2,bob,Bob Ray,B\n");
    folder_.write("term.json",
                  "{\"sections\": [\"A\", \"B\"], \"time_zone\": \"+01:00\",\n"
                  "\"labs\": {\"transpose\": {\"deadline\": {\"A\": \"2027-03-01 18:00\", \"\": "
                  "\"2027-03-02\"}}}}");
  }
  ClassFiles read() const { return ClassFiles::read(folder_ / "roster.csv", course_); }
  /// What is said of a file, from its line on.
  std::string refusal(const std::string& name, const std::string& text) {
    const fs::path file = folder_.write(name, text);
    std::string message = message_of<BadInput>([&] { read(); });
    EXPECT_TRUE(message.starts_with(file.string() + ":")) << message;
    fs::remove(file);
    return message.substr(std::min(message.size(), file.string().size() + 1));
  }
  Course course_;
  ScratchFolder folder_;
};

TEST_F(TermFiles, GiveEachStudentTheirDeadline) {
  folder_.write("extensions.csv", "student,lab,until,why\nbob,transpose,2027-03-09,ill\n");
  const ClassFiles files = read();
  const auto text = [&](const char* login, const char* lab) {
    const auto deadline = files.deadline(*files.roster.find(login), lab);
    return deadline ? files.term.zone.text(*deadline) : "none";
  };
  EXPECT_EQ(text("jdoe", "transpose"), "2027-03-01 18:00");
  EXPECT_EQ(text("bob", "transpose"), "2027-03-09 23:59");
  EXPECT_EQ(text("bob", "vector_add"), "none");
  fs::remove(folder_ / "extensions.csv");
  EXPECT_EQ(TimeZone("+01:00").text(*read().deadline(read().roster.students[1], "transpose")),
            "2027-03-02 23:59");
}

TEST_F(TermFiles, WithoutTermJsonHaveNoRules) {
  fs::remove(folder_ / "term.json");
  const ClassFiles files = read();
  EXPECT_EQ(files.term.policy, Policy::best);
  EXPECT_FALSE(files.deadline(files.roster.students[0], "transpose"));
  EXPECT_EQ(files.term.column("transpose"), "transpose");
}

TEST(Term, TitlesAreColumnsWithoutThePlatformsNumber) {
  Term term;
  term.labs["a"].column = "Lab 02 (7001)";
  term.labs["b"].column = "Lab 02 [Total Pts: 100] |664617";
  term.labs["c"].column = "Lab 02 (in pairs)";
  EXPECT_EQ(term.title("a"), "Lab 02");
  EXPECT_EQ(term.title("b"), "Lab 02");
  EXPECT_EQ(term.title("c"), "Lab 02 (in pairs)");
  EXPECT_EQ(term.title("d"), "d") << "without a column";
}

TEST_F(TermFiles, EachMistakeInTermJsonIsASentenceWithItsLine) {
  const auto of = [&](const std::string& text) { return refusal("term.json", text); };
  EXPECT_EQ(of("{\n\"labs\": }"), "2: this is not JSON");
  EXPECT_EQ(of("[]"), "1: the file is not an object in braces");
  EXPECT_EQ(of("{\"term\": \"a\",\n\"term\": \"b\"}"), "2: \"term\" is there twice");
  EXPECT_EQ(of("{\"labs\": {\"transpose\": {},\n\"matmul\": {},\n\"transpose\": {}}}"),
            "3: \"transpose\" is there twice");
  EXPECT_EQ(of("{\"sections\": [\"A\", \"A\"]}"), "1: sections has a section twice");
  EXPECT_EQ(of("{\"policy\": \"\"}"),
            "1: policy: unknown policy ''; known policies: best, last, best_before_deadline");
  EXPECT_EQ(of("{\"polciy\": \"last\"}"),
            "1: the file has an unknown key \"polciy\"; did you mean policy?; known keys: term, time_zone, "
            "policy, late, sections, labs");
  EXPECT_EQ(of("{\n\"policy\": \"first\"}"),
            "2: policy: unknown policy 'first'; known policies: best, last, best_before_deadline");
  EXPECT_TRUE(of("{\n\n\"time_zone\": \"Mars\"}").starts_with("3: time_zone: unknown time zone 'Mars'"));
  EXPECT_EQ(of("{\"late\": {\"days\": -1}}"),
            "1: late has a \"days\" of -1; it takes a whole number from 0 to 365");
  EXPECT_EQ(of("{\"late\": {\"percent_per_day\": 101}}"),
            "1: late has a \"percent_per_day\" that is not from 0 to 100");
  EXPECT_EQ(of("{\"labs\": {\n\"transpos\": {}}}"), "2: unknown lab 'transpos'; did you mean transpose?");
  EXPECT_EQ(of("{\"labs\": {\n\"transpose\": {\"deadline\": \"2027-02-30\"}}}"),
            "2: transpose has the deadline '2027-02-30', which is not a day of the calendar");
  EXPECT_EQ(of("{\"labs\": {\n\"transpose\": {\"deadline\": 7}}}"),
            "2: transpose has a deadline that is not text: 7");
  EXPECT_EQ(of("{\"sections\": [\"A\"], \"labs\": {\"transpose\": {\"deadline\": {\"C\": \"2027-03-01\"}}}}"),
            "1: transpose has a deadline for the unknown section 'C'; known sections: A");
  EXPECT_EQ(of("{\"labs\": {\"transpose\": {\"deadline\": {\"C\": \"2027-03-01\"}}}}"),
            "1: transpose has a deadline for the section 'C', and \"sections\" lists none");
}

TEST_F(TermFiles, AMistakeInsideAnObjectIsShownAtItsOwnLine) {
  const auto of = [&](const std::string& text) {
    const std::string refused = refusal("term.json", text);
    return refused.substr(0, refused.find(','));
  };
  const std::string known = "{\n\"late\": {\n\"grace_minutes\": 10,\n";
  EXPECT_EQ(of(known + "\"days\":\n-1}}"),
            "4: late has a \"days\" of -1; it takes a whole number from 0 to 365");
  EXPECT_EQ(of(known + "\"percent_per_day\": 101}}"),
            "4: late has a \"percent_per_day\" that is not from 0 to 100");
  EXPECT_EQ(of(known + "\"day\": 1}}"),
            "4: late has an unknown key \"day\"; did you mean days or percent_per_day?; known keys: days");
  EXPECT_EQ(of("{\n\n\"term\": 7}"), "3: the file has a \"term\" of the wrong type: 7");
  EXPECT_EQ(of("{\"term\": \"labs\",\n\"labs\":\n7}"), "2: labs is not an object in braces")
      << "a text with the key's name is not the key";
  const std::string lab = "{\"sections\": [\"A\",\n\"deadline\"],\n\"labs\": {\"transpose\": {\n";
  EXPECT_EQ(of(lab + "\"column\": \"deadline\",\n\"deadline\": \"soon\"}}}"),
            "5: transpose has the deadline 'soon'");
  EXPECT_EQ(of(lab + "\"deadline\": {\n\"A\": \"2027-03-01\",\n\"deadline\": \"2027-02-30\"}}}}"),
            "6: transpose has the deadline '2027-02-30'");
  EXPECT_EQ(of(lab + "\"deadline\": {\n\"A\": \"2027-03-01\",\n\"C\": \"2027-03-01\"}}}}"),
            "6: transpose has a deadline for the unknown section 'C'; known sections: A");
  EXPECT_EQ(of(lab + "\"by_group\": true,\n\"by_group\": false}}, \"term\": \"by_group\"}"),
            "5: \"by_group\" is there twice");
  EXPECT_EQ(of("{\"late\":\n{\"days\": 1e999}}"), "2: a number is too large");
}

TEST_F(TermFiles, EachMistakeInATableIsASentenceWithItsLine) {
  const std::string extensions = "student,lab,until\n";
  EXPECT_EQ(refusal("extensions.csv", extensions + "jdo,transpose,2027-03-09\n"),
            "2: the roster has no student 'jdo'; did you mean jdoe?");
  EXPECT_EQ(refusal("extensions.csv", extensions + "jdoe,transpos,2027-03-09\n"),
            "2: unknown lab 'transpos'; did you mean transpose?");
  EXPECT_EQ(refusal("extensions.csv", extensions + "jdoe,vector_add,2027-03-09\n"),
            "2: term.json has no deadline for vector_add, so none can be extended");
  EXPECT_EQ(refusal("extensions.csv", extensions + "jdoe,transpose,2027-02-01\n"),
            "2: '2027-02-01' is before the deadline, 2027-03-01 18:00");
  EXPECT_EQ(refusal("extensions.csv", extensions + "jdoe,transpose,soon\n"),
            "2: 'soon' is not a time; it takes 2027-03-01, 2027-03-01 18:00 or 2027-03-01 18:00 +0100");
  EXPECT_EQ(refusal("extensions.csv", extensions + "1,transpose,2027-03-09\njdoe,transpose,2027-03-08\n"),
            "3: " + (folder_ / "extensions.csv").string() + ":2 has decided on this already");
  const std::string overrides = "student,what,points,why,by\n";
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tild,5,x,Lee\n"),
            "2: the lab transpose has no task 'tild'; did you mean tiled?");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tiled,51,x,Lee\n"),
            "2: 51 points are more than the 50 that transpose/tiled is worth");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tiled,-5,x,Lee\n"),
            "2: 'points' is '-5'; it takes a number from 0, such as 7.5");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tiled,nan,x,Lee\n"),
            "2: 'points' is 'nan'; it takes a number from 0, such as 7.5");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tiled,5,,Lee\n"), "2: 'why' is empty");
  EXPECT_EQ(refusal("overrides.csv", "student,what,points\n"),
            "1: the column 'why' is missing; the first line names the columns");
  folder_.write("written.csv", "student,lab,part,points,most\nbob,transpose,question 1,3,5\n");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose,106,x,Lee\n"),
            "2: 106 points are more than the 105 that transpose is worth");
  EXPECT_EQ(refusal("overrides.csv", overrides + "jdoe,transpose/tiled,51,x,Lee\n"),
            "2: 51 points are more than the 50 that transpose/tiled is worth")
      << "answers are not part of a task";
  fs::remove(folder_ / "written.csv");
  const std::string requests = "student,what,why,status,answer\n";
  EXPECT_EQ(refusal("requests.csv", requests + "jdoe,transpose,x,done,\n"),
            "2: unknown status 'done'; known statuses: open, accepted, refused");
  EXPECT_EQ(refusal("requests.csv", requests + "jdoe,transpose,x,refused,\n"),
            "2: a request that is accepted or refused needs an answer, which the student sees");
  EXPECT_EQ(refusal("requests.csv", requests + "jdoe,transpose,x,accepted,yes\n"),
            "2: the request is accepted, and overrides.csv has no points for it");
  const std::string written = "student,lab,part,points,most\n";
  EXPECT_EQ(refusal("written.csv", written + "jdoe,transpose,question 1,three,5\n"),
            "2: 'points' is 'three'; it takes a number from 0, such as 7.5");
  EXPECT_EQ(refusal("written.csv", written + "jdoe,transpose,question 1,6,5\n"),
            "2: 6 points are more than the 5 that 'question 1' has");
  EXPECT_EQ(refusal("written.csv", written + "jdoe,transpose,question 1,3,5\nbob,transpose,question 1,3,6\n"),
            "3: 'question 1' has 6 points here, and 5 in " + (folder_ / "written.csv").string() + ":2");
  EXPECT_EQ(refusal("submissions.csv", "entry,student,submitted\nx.zip,jdoe,\nx.tar.gz,bob,\n"),
            "3: " + (folder_ / "submissions.csv").string() + ":2 has decided on this already");
  EXPECT_EQ(refusal("submissions.csv", "entry,submitted\nx.zip,25:00\n"),
            "2: '25:00' is not a time; it takes 2027-03-01, 2027-03-01 18:00 or 2027-03-01 18:00 +0100");
}

TEST_F(TermFiles, ARemarkThatBeginsLikeAFormulaIsReadAsItWasWritten) {
  for (const char* remark : {"-0.5: no units", "=1+1", "'quoted'", "why?"}) {
    folder_.write("written.csv", "student,lab,part,points,most,remark\nbob,transpose,question 1,3,5," +
                                     csv_field(remark) + "\n");
    EXPECT_EQ(read().written.at(0).remark, remark);
  }
}

TEST_F(TermFiles, ARowAboutASubmissionMayNameItsDigest) {
  const std::string columns = "entry,student,submitted,digest\n";
  folder_.write("submissions.csv", columns + "x.zip,jdoe,2027-03-02,\nx,,2027-03-01,0123456789ab\n");
  const SubmissionNote note = read().notes.at("x");
  EXPECT_EQ(note.login, "jdoe");
  EXPECT_EQ(note.submitted, parse_instant("2027-03-02", read().term.zone));
  EXPECT_EQ(note.of_digests.at("0123456789ab"), parse_instant("2027-03-01", read().term.zone));
  EXPECT_EQ(refusal("submissions.csv", columns + "x.zip,,2027-03-01,12AB\n"),
            "2: '12AB' is not the beginning of a digest; pages of feedback have 12 digits");
  EXPECT_EQ(refusal("submissions.csv", columns + "x,bob,2027-03-01,0123456789ab\n"),
            "2: a row with a digest has a time only, without a student");
}

}  // namespace
}  // namespace warplab
