// Who is in the class, and whose an entry is: rosters, names of learning platforms, and what is wrong with
// either.
#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "grader/people/csv_table.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/people/gradescope_export.hpp"
#include "grader/people/matching.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/people/roster.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

constexpr const char* roster_text =
    "id,login,name,section,group,extra_days,email,github\n"
    "98765,jdoe,Jane Doe,A,,2,jane@example.edu,janed\n"
    "98766,maxm,\"Mustermann, Max\",B,Team 7,,max@example.edu,\n"
    "98767,ozil,Özil Çelik,B,Team 7,0,ozil@example.edu,oezil\n"
    "98768,jd2,Jo de la Cruz,A,,,jo@example.edu,\n";

class People : public testing::Test {
 protected:
  Roster roster(const std::string& text) const { return Roster::read(folder_.write("roster.csv", text)); }
  std::string refusal(const std::string& text, const std::vector<std::string>& sections = {}) const {
    const auto file = folder_.write("roster.csv", text);
    std::string message = message_of<BadInput>([&] { Roster::read(file, sections); });
    EXPECT_TRUE(message.starts_with(file.string() + ":")) << message;
    return message.substr(std::min(message.size(), file.string().size() + 1));
  }
  ScratchFolder folder_;
};

TEST_F(People, ARosterIsReadWhateverItsColumnsOrder) {
  const Roster read = roster("\xEF\xBB\xBFName;ID;Login;Extra Days\r\n\"Doe; Jane\";7;jdoe; 3\r\n\r\n");
  ASSERT_EQ(read.students.size(), 1u);
  EXPECT_EQ(read.students[0].name, "Doe; Jane");
  EXPECT_EQ(read.students[0].extra_days, 3u);
  EXPECT_EQ(read.students[0].place.substr(read.students[0].place.rfind(':')), ":2");
  EXPECT_EQ(read.find("JDOE"), &read.students[0]);
  EXPECT_EQ(read.find("7"), &read.students[0]);
  EXPECT_EQ(read.find("nobody"), nullptr);
}

TEST_F(People, EachMistakeInARosterIsASentenceWithItsLine) {
  const std::string header = "id,login,name,section,extra_days\n";
  EXPECT_EQ(refusal(""), "1: the table is empty; its first line names the columns");
  EXPECT_EQ(refusal("id,login\n1,a\n"), "1: the column 'name' is missing; the first line names the columns");
  EXPECT_EQ(refusal("id,login,name,sektion\n"),
            "1: unknown column 'sektion'; did you mean section?; known columns: id, login, name, section, "
            "group, extra_days, email, github");
  EXPECT_EQ(refusal("id,login,name,id\n"), "1: the column 'id' is there twice");
  EXPECT_EQ(refusal(header), "1: the roster has no students");
  EXPECT_EQ(refusal(header + "1,a,Ada,A\n"), "2: the row has 4 fields, and the header 5");
  EXPECT_EQ(refusal("id;login;name\n1,a,Ada\n"), "2: the row has 1 field, and the header 3");
  EXPECT_EQ(refusal(header + "1,,Ada,A,\n"), "2: 'login' is empty");
  EXPECT_EQ(refusal(header + "1,a/b,Ada,A,\n"), "2: the login 'a/b' cannot name a file");
  EXPECT_EQ(refusal(header + "1,a,Ada,A,some\n"),
            "2: 'extra_days' is 'some'; it takes a whole number from 0 to 1000");
  EXPECT_EQ(refusal(header + "1,a,Ada,A,-1\n"),
            "2: 'extra_days' is '-1'; it takes a whole number from 0 to 1000");
  EXPECT_EQ(refusal(header + "1,a,\"Ada,A,\n"), "2: a quote is not closed");
  EXPECT_EQ(refusal(header + "1,a,\"Ada\"x,A,\n"),
            "2: text follows a closing quote; a quote within a field is written twice");
  EXPECT_EQ(refusal(header + "1,a,Ad\xFF,A,\n"), "2: 'name' is not UTF-8; save the table as CSV in UTF-8");
  EXPECT_EQ(refusal("\xFF\xFEi"), "1: the table is UTF-16; save it as CSV in UTF-8");
  EXPECT_EQ(refusal(header + "1,a,Ada,C,\n", {"A", "B"}), "2: unknown section 'C'; known sections: A, B");
  EXPECT_EQ(refusal(header + "1,a,Ada,,\n", {"A", "B"}),
            "2: the student has no section; known sections: A, B");
}

TEST_F(People, NoTwoStudentsShareALoginOrAnId) {
  const std::string header = "id,login,name\n";
  const std::string file = (folder_ / "roster.csv").string();
  EXPECT_EQ(refusal(header + "1,a,Ada\n2,A,Bob\n"), "3: the login 'A' is that of " + file + ":2 as well");
  EXPECT_EQ(refusal(header + "1,a,Ada\n\n1,b,Bob\n"), "4: the id '1' is that of " + file + ":2 as well");
  EXPECT_EQ(refusal(header + "1,a,Ada\na,b,Bob\n"), "3: the id 'a' is the login of " + file + ":2");
}

TEST_F(People, ANameElsewhereIsNotAnothersLogin) {
  const std::string header = "id,login,name,email,github\n";
  const std::string file = (folder_ / "roster.csv").string();
  EXPECT_EQ(refusal(header + "1,a,Ada,,\n2,b,Bob,,a\n"), "3: 'a' is the login or id of " + file + ":2");
  EXPECT_EQ(refusal(header + "1,a,Ada,2,\n2,b,Bob,,\n"), "2: '2' is the login or id of " + file + ":3");
  EXPECT_EQ(roster(header + "1,a,Ada,,a\n").students.size(), 1u) << "one's own is fine";
}

TEST_F(People, ARowOfSeparatorsIsNoStudent) {
  EXPECT_EQ(roster("id,login,name\n1,a,Ada\n,,\n").students.size(), 1u);
}

TEST_F(People, AVersionIsNotOfTheGroupWithThatNumber) {
  const Roster read = roster("id,login,name,group\n1,jdoe,Jane Doe,\n2,bob,Bob Ray,2\n");
  const Matcher matcher(read, {}, {});
  const auto login = [&](const std::string& entry) {
    const auto found = matcher.students_of(entry);
    return found.size() == 1 ? found[0]->login : "";
  };
  EXPECT_EQ(login("jdoe-2"), "jdoe");
  EXPECT_EQ(login("Jane Doe-2"), "jdoe");
  EXPECT_EQ(login("lab-7-2"), "bob");
}

TEST(PlainWords, AreWhatPlatformsMakeOfNames) {
  EXPECT_EQ(squashed("Doe, Jane-Ann"), "doejaneann");
  EXPECT_EQ(lower_case("ÖZIL ŻÓŁĆ ΑΒΓ ДЖЁ Ÿ"), "özil żółć αβγ джё ÿ");
  EXPECT_EQ(squashed_forms("Jo de la Cruz"),
            (std::vector<std::string>{"jodelacruz", "delacruzjo", "lacruzjode", "cruzjodela"}));
  EXPECT_EQ(squashed_forms("Doe, Jane"), (std::vector<std::string>{"doejane", "janedoe"}));
  EXPECT_EQ(parts_of_name("Doe, Jane").family, "Doe");
  EXPECT_EQ(parts_of_name("Jane Ann Doe").given, "Jane Ann");
}

TEST(EntryNames, AreReadAsPlatformsWriteThem) {
  using Platform = EntryName::Platform;
  const EntryName canvas = entry_name("doejane_LATE_98765_1234567_x");
  EXPECT_EQ(canvas.platform, Platform::canvas);
  EXPECT_EQ(canvas.who, "doejane");
  EXPECT_EQ(canvas.number, "98765");
  EXPECT_EQ(canvas.order, 1234567u);
  EXPECT_TRUE(canvas.late);
  EXPECT_FALSE(entry_name("doejane_98765_1234567_x").late);
  const EntryName moodle = entry_name("Max Mustermann_4711_assignsubmission_file_");
  EXPECT_EQ(moodle.platform, Platform::moodle);
  EXPECT_EQ(moodle.who, "Max Mustermann");
  EXPECT_EQ(moodle.number, "4711");
  EXPECT_EQ(entry_name("Max Mustermann_4711_assignsubmission_file").number, "4711");
  const EntryName blackboard = entry_name("Lab_7_jdoe_attempt_2027-03-01-23-14-05_warplab-submission");
  EXPECT_EQ(blackboard.platform, Platform::blackboard);
  EXPECT_EQ(blackboard.who, "Lab_7_jdoe");
  EXPECT_EQ(blackboard.submitted, "2027-03-01 23:14:05");
  EXPECT_EQ(entry_name("submission_12345678").platform, Platform::gradescope);
  EXPECT_EQ(entry_name("lab-7-janed").platform, Platform::plain);
  EXPECT_EQ(entry_name(std::string(5000, '_')).platform, Platform::plain);
}

TEST(EntryNames, ThatAreMeantToMisleadAreReadAsThePlatformWroteThem) {
  using Platform = EntryName::Platform;
  // What a student calls a file comes after what the platform wrote.
  const EntryName canvas = entry_name("doejane_98765_1234567_roe_LATE_1_2_x");
  EXPECT_EQ(canvas.who + " " + canvas.number, "doejane 98765") << "the first numbers decide";
  EXPECT_FALSE(canvas.late);
  EXPECT_EQ(entry_name("x_LATE_LATE_1_2_y").who, "x_LATE")
      << "the platform writes its mark once, before them";
  const EntryName moodle = entry_name("A_1_assignsubmission_x_4711_assignsubmission_file_");
  EXPECT_EQ(moodle.who + " " + moodle.number, "A 1");
  const EntryName blackboard = entry_name("L_jdoe_attempt_2027-03-01-23-14-05_attempt_2020-01-01-00-00-00");
  EXPECT_EQ(blackboard.submitted, "2027-03-01 23:14:05");
  EXPECT_EQ(entry_name("L_jdoe_attempt_2027-13-99-99-99-99").platform, Platform::plain) << "it is not a time";
  const EntryName of_another =
      entry_name("Lab 7_jdoe_attempt_2027-03-01-23-14-05_a_bob_attempt_2099-01-01-00-00-00_x");
  EXPECT_EQ(of_another.who + " " + of_another.submitted, "Lab 7_jdoe 2027-03-01 23:14:05");
  for (const char* given : {"x_bob_attempt_2020-01-01-00-00-00", "Bob Ross_4712_assignsubmission_file_x"}) {
    const EntryName late = entry_name(std::string("doejane_LATE_98765_1234567_") + given);
    EXPECT_EQ(late.platform, Platform::canvas) << given;
    EXPECT_EQ(late.who + (late.late ? " late" : ""), "doejane late") << given;
    EXPECT_EQ(entry_name(std::string("Jane Doe_4711_assignsubmission_file_") + given).who, "Jane Doe")
        << given;
  }
  const EntryName numbered = entry_name("Lab_1_2_jdoe_attempt_2027-03-01-23-14-05_x");
  EXPECT_EQ(numbered.who, "Lab_1_2_jdoe") << "Canvas writes no capitals";
  EXPECT_EQ(entry_name("Jane_1_2_Doe_4711_assignsubmission_file_").who, "Jane_1_2_Doe");
  EXPECT_EQ(entry_name("x_99999999999999999999_99999999999999999999_y").order, 0u) << "it fits no number";
  for (const char* plain :
       {"", "_", "__1_2_x", "_1_2_x", "x_1_2_", "x_1_2", "submission_", "submission_1x",
        "_4711_assignsubmission_file_", "x_assignsubmission_file_", "x_1_assignsubmission_", "x_1_assign_a",
        "x_1_assignsubmission_FILE", "_attempt_2027-03-01-23-14-05", "x_attempt_2027-03-01-23-14-0",
        "x_attempt_2027-03-01-23-14-05x", "\xff\xfe_\xff_\xff_\xff"}) {
    const EntryName read = entry_name(plain);
    EXPECT_EQ(read.platform, Platform::plain) << plain;
    EXPECT_EQ(read.who, plain);
  }
  const auto many = [](const std::string& words) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += words;
    return text;
  };
  for (const char* words :
       {"_1", "_assignsubmission_", "_attempt_", "_LATE_1", "1", "(", "_1_assignsubmission_"})
    EXPECT_EQ(entry_name("x" + many(words) + "!").who.empty(), false) << words;
  EXPECT_EQ(without_version("x" + many("-1")).size(), 39'999u);
  for (const char* no_version :
       {"", "1", "-1", " (1)", "a--1", "a_(1)", "a-1234", "a(1234)", "a()", "a-", "a1)"})
    EXPECT_EQ(without_version(no_version), no_version);
  EXPECT_FALSE(is_platform_receipt("_attempt_2027-03-01-23-14-05.txt")) << "of nobody";
  EXPECT_FALSE(is_platform_receipt("x_attempt_2027-03-01-23-14-05.txt.cu"));
}

TEST(EntryNames, LoseEndingsAndVersions) {
  EXPECT_EQ(without_archive_ending("a.TAR.gz"), "a");
  EXPECT_EQ(without_archive_ending("warplab-submission.tar-1.gz"), "warplab-submission.tar-1");
  EXPECT_EQ(without_archive_ending(".zip"), ".zip");
  EXPECT_EQ(without_archive_ending("a.tbz2"), "a");
  EXPECT_EQ(without_version("jdoe-2"), "jdoe");
  EXPECT_EQ(without_version("jdoe (1)"), "jdoe");
  EXPECT_EQ(without_version("jdoe_3"), "jdoe");
  EXPECT_EQ(without_version("jdoe2"), "jdoe2");
  EXPECT_TRUE(is_platform_receipt("Lab_7_jdoe_attempt_2027-03-01-23-14-05.txt"));
  EXPECT_TRUE(is_platform_receipt("submission_metadata.yml"));
  EXPECT_FALSE(is_platform_receipt("jdoe.txt"));
}

TEST_F(People, EntriesAreFoundByEveryPlatformsNames) {
  const Roster read = roster(roster_text);
  const Matcher matcher(read, {{"a folder", "ozil"}}, {});
  const auto logins = [&](const std::string& entry) {
    std::string found;
    for (const Student* student : matcher.students_of(entry)) found += student->login + " ";
    return found;
  };
  for (const char* entry :
       {"doejane_98765_1234567_x.tar.gz", "doejane_LATE_98765_1234567_x", "doejane_LATE_98765_1234568_x-2",
        "doejane_555_1234567_x", "Jane Doe_4711_assignsubmission_file_", "jdoe", "JDOE.zip", "jdoe-2",
        "jdoe (1).tar.gz", "98765", "jane@example.edu", "Lab 7_jdoe_attempt_2027-03-01-23-14-05_x.zip",
        "Lab_7_jdoe_attempt_2027-03-01-23-14-05", "lab-7-janed", "transpose-jdoe", "Jane Doe", "Doe, Jane"})
    EXPECT_EQ(logins(entry), "jdoe ") << entry;
  EXPECT_EQ(logins("mustermannmax_1_2_x"), "maxm ");
  EXPECT_EQ(logins("delacruzjo_1_2_x"), "jd2 ");
  EXPECT_EQ(logins("çeliközil_1_2_x"), "ozil ");
  EXPECT_EQ(logins("a folder.zip"), "ozil ");
  for (const char* entry : {"team7_1_2_x", "Team 7_12_assignsubmission_file_", "lab-7-team-7", "team 7"})
    EXPECT_EQ(logins(entry), "maxm ozil ") << entry;
  for (const char* entry : {"studenttest_1_2_x", "somebody", "submission_5", "xjdoe"})
    EXPECT_EQ(logins(entry), "") << entry;
}

TEST_F(People, AnEntryOfTwoIsAnErrorWithBothLines) {
  const Roster read = roster("id,login,name\n1,j1,Jane Doe\n2,j2,\"Doe, Jane\"\n");
  const std::string file = (folder_ / "roster.csv").string();
  EXPECT_EQ(message_of<BadInput>([&] { Matcher(read, {}, {}).students_of("doejane_7_8_x"); }),
            "doejane_7_8_x fits Jane Doe (" + file + ":2) and Doe, Jane (" + file +
                ":3); name its student in submissions.csv");
  EXPECT_EQ(Matcher(read, {}, {}).students_of("doejane_2_8_x")[0]->login, "j2") << "its number decides";
  EXPECT_EQ(Matcher(read, {{"doejane_7_8_x", "j1"}}, {}).students_of("doejane_7_8_x")[0]->login, "j1");
}

TEST_F(People, GradescopesListSaysWhoAndWhen) {
  folder_.write(
      "submission_metadata.yml",
      "---\nsubmission_12:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '98765'\n    :email: "
      "other@example.edu\n  :created_at: 2027-03-02 04:59:10.123456000 Z\n  :score: 3.0\n"
      "  :history:\n  - :id: 4\n    :created_at: 2027-02-02 04:59:10 Z\n"
      "    :submitters:\n    - :name: Max\n      :email: max@example.edu\n"
      "submission_13:\n  :submitters:\n  - :name: Max\n    :sid: \n    :email: \"Max@example.edu\"\n"
      "  - :name: O\n    :sid: '98767'\n    :email: o@o\n  :created_at: 2027-03-02T05:00:00 +0100\n");
  const auto listed = read_gradescope_export(folder_.path());
  ASSERT_EQ(listed.size(), 2u);
  const Roster read = roster(roster_text);
  const Matcher matcher(read, {}, listed);
  ASSERT_EQ(matcher.students_of("submission_12").size(), 1u);
  EXPECT_EQ(matcher.students_of("submission_12")[0]->login, "jdoe");
  ASSERT_EQ(matcher.students_of("submission_13").size(), 2u);
  EXPECT_EQ(listed.at("submission_12").created_at, "2027-03-02 04:59:10 +0000");
  EXPECT_EQ(listed.at("submission_13").created_at, "2027-03-02 05:00:00 +0100");
  folder_.write("submission_metadata.yml", "nothing: here\n");
  EXPECT_EQ(message_of<BadInput>([&] { read_gradescope_export(folder_.path()); }),
            (folder_ / "submission_metadata.yml").string() + ":1: no submission is listed in it");
}

}  // namespace
}  // namespace warplab
