// The predictions and hunts of a class: found in its submissions, tied to its students, and marked.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "grader/intake/archive.hpp"
#include "grader/sealed/sealed_marks.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr SealedKind predictions = SealedKind::predictions;

SealedAnswers answers_of(const std::string& name, const std::string& answer = "4") {
  return {"transpose", name, {{"sectors", "How many?", answer, ""}}};
}

/// A class of three, with submissions.
struct SealedClass : testing::Test {
  ScratchFolder scratch;
  const fs::path submissions = scratch / "submissions";
  Roster roster = Roster::read(scratch.write("roster.csv",
                                             "id,login,name,group\n"
                                             "1,jdoe,Jane Doe,\n"
                                             "2,bross,\"Ross, Bob\",\n"
                                             "3,ada,Ada Low,\n"));
  const Matcher matcher{roster, {}, {}};

  void hand_in(const std::string& file, const SealedAnswers& answers) const {
    write_sealed(submissions / file, answers);
  }
  SealedHandIns hand_ins() const { return sealed_hand_ins(submissions, predictions); }
  /// Marks where every answer of "4" is right.
  std::vector<SealedMark> marks(const Seals* seals = nullptr) const {
    const WorthOfSealed worth_of = [](const SealedAnswers& given) {
      const bool is_right = given.answers.at(0).answer == "4";
      return SealedWorth{given.lab, is_right ? 10.0 : 5.0, 10, is_right ? "" : "sectors: it is 4"};
    };
    return marks_of_sealed(hand_ins().all, worth_of, seals, &matcher);
  }
  Seals seals(const std::string& rows) const {
    return Seals::read(scratch.write("seals.csv", "name,lab,seal\n" + rows));
  }
};

std::vector<std::string> entries_with_answers(const SealedHandIns& found) {
  std::vector<std::string> entries;
  for (const SealedHandIn& one : found.all)
    if (one.answers) entries.push_back(one.entry);
  return entries;
}

TEST_F(SealedClass, IsFoundInFoldersArchivesAndLooseFiles) {
  hand_in("ada/deep/predictions/transpose.json", answers_of("Ada Low"));
  hand_in("doejane_987_123_transpose.json", answers_of("Jane Doe"));
  const std::string file = content_of(submissions / "doejane_987_123_transpose.json");
  const std::string packed = archive_of({{"predictions/transpose.json", file}});
  scratch.write("submissions/bross.tar.gz", packed);
  scratch.write("submissions/Bob Ross_4711_assignsubmission_file_/warplab-submission.tar.gz", packed);
  scratch.write("submissions/eve/labs/07_transpose/tasks.json", "{\"lab\": \"transpose\"}");
  scratch.write("submissions/eve/.vscode/settings.json", "// a comment\n{}\n");
  const SealedHandIns found = hand_ins();
  EXPECT_EQ(entries_with_answers(found),
            (std::vector<std::string>{"Bob Ross_4711_assignsubmission_file_", "ada", "bross.tar.gz",
                                      "doejane_987_123_transpose.json"}));
  ASSERT_EQ(found.all.size(), 5u) << "every entry has a row";
  EXPECT_EQ(found.all.back().entry, "eve");
  EXPECT_EQ(found.all.back().problem, "it has no predictions");
  EXPECT_EQ(found.all[1].place, "ada/deep/predictions/transpose.json");
  EXPECT_TRUE(found.remarks.empty());
}

TEST_F(SealedClass, IsMarkedWhateverOneOfThemHandsIn) {
  hand_in("ada/predictions/transpose.json", answers_of("Ada Low"));
  fs::create_directories(submissions / "eve/predictions");
  fs::create_symlink("a", submissions / "eve/predictions/a");
  fs::create_symlink("b.json", submissions / "eve/predictions/b.json");
  fs::create_directories(submissions / "closed/predictions");
  fs::permissions(submissions / "closed/predictions", fs::perms::none);
  fs::create_symlink("itself", submissions / "itself");
  scratch.write("submissions/half.tar.gz", "not an archive");
  scratch.write("submissions/mallory/x.json", "{\n");
  const SealedHandIns found = hand_ins();
  fs::permissions(submissions / "closed/predictions", fs::perms::owner_all);
  EXPECT_EQ(entries_with_answers(found), std::vector<std::string>{"ada"});
  const auto problem = [&](const std::string& entry) {
    return std::ranges::find(found.all, entry, &SealedHandIn::entry)->problem;
  };
  EXPECT_NE(problem("eve").find("it has no predictions; predictions/a was ignored: it is a symbolic link"),
            std::string::npos)
      << problem("eve");
  if (geteuid() != 0) {
    EXPECT_EQ(problem("closed"), "it has no predictions; predictions was ignored: it cannot be read");
  }
  EXPECT_EQ(problem("itself"), "it is a symbolic link, which is not followed");
  EXPECT_EQ(problem("half.tar.gz"),
            "it is not an archive, or a damaged one; hand in a folder, a .zip or a .tar.gz");
  EXPECT_EQ(problem("mallory"), "mallory/x.json is not JSON in line 2: it ends too early");
  EXPECT_EQ(found.remarks,
            std::vector<std::string>{"mallory/x.json is not JSON in line 2: it ends too early"});
}

TEST_F(SealedClass, WithoutAnySealedAnswersIsBadInput) {
  scratch.write("submissions/ada/found.json", "{}");
  EXPECT_EQ(message_of<BadInput>([&] { (void)hand_ins(); }), submissions.string() + " holds no predictions");
  write_sealed(submissions / "ada/hunts/transpose/found.json",
               {"transpose", "Ada Low", {{"1", "", "28 race", "why"}}, SealedKind::hunt});
  EXPECT_THROW((void)hand_ins(), BadInput) << "finds are not predictions";
  EXPECT_EQ(entries_with_answers(sealed_hand_ins(submissions, SealedKind::hunt)).size(), 1u);
}

TEST_F(SealedClass, GivesEachRowToTheStudentOfTheEntryAndDoubtsOtherNames) {
  hand_in("jdoe/transpose.json", answers_of("Jane Doe"));
  hand_in("ada/transpose.json", answers_of("Bob Ross", "5"));
  const std::vector<SealedMark> all = marks();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].student, "ada");
  EXPECT_EQ(all[0].doubts, std::vector<std::string>{"the name in it, Bob Ross, is not that of Ada Low"});
  EXPECT_EQ(all[1].student, "jdoe");
  EXPECT_TRUE(all[1].doubts.empty());
  EXPECT_EQ(table_of(all),
            "entry,student,name,lab,points,of,seal,remarks\n"
            "\"ada\",ada,\"Bob Ross\",\"transpose\",5,10," +
                all[0].seal +
                ",\"the name in it, Bob Ross, is not that of Ada Low; sectors: it is 4\"\n"
                "\"jdoe\",jdoe,\"Jane Doe\",\"transpose\",10,10," +
                all[1].seal + ",\"\"\n");
  EXPECT_EQ(written_rows_of(all, predictions),
            "student,lab,part,points,most,remark\n"
            "ada,transpose,predictions,,10,\"sectors: it is 4\"\n"
            "jdoe,transpose,predictions,10,10,\"\"\n");
}

TEST_F(SealedClass, KnowsStudentsByNameLoginOrBoth) {
  for (const char* name : {"bob ROSS", "Ross, Bob", "bross", "2", "Bob Ross bross"}) {
    fs::remove_all(submissions);
    hand_in("bross/transpose.json", answers_of(name));
    EXPECT_TRUE(marks().at(0).doubts.empty()) << name;
  }
}

TEST_F(SealedClass, DoubtsSeveralFilesOfOneNameOrStudent) {
  hand_in("jdoe/transpose.json", answers_of("Jane Doe"));
  hand_in("jdoe-2/transpose.json", answers_of("Jane Doe"));
  EXPECT_TRUE(marks().at(0).doubts.empty()) << "the same file once more";
  hand_in("jdoe-3/transpose.json", answers_of("jdoe", "5"));
  for (const SealedMark& mark : marks()) EXPECT_EQ(mark.doubts.size(), 1u + (mark.entry == "jdoe-3"));
  EXPECT_EQ(marks().at(0).doubts.at(0), "jdoe-3 has a file with other answers for the lab, too");
  fs::remove_all(submissions / "jdoe-3");
  hand_in("bross/transpose.json", answers_of("Jane Doe"));
  const std::vector<SealedMark> all = marks();
  EXPECT_EQ(all.at(1).entry, "jdoe");
  EXPECT_EQ(all.at(1).doubts.at(0), "bross has a file with these answers for the lab, too");
  EXPECT_EQ(written_rows_of(all, predictions),
            "student,lab,part,points,most,remark\n"
            "bross,transpose,predictions,,10,\"\"\n"
            "jdoe,transpose,predictions,,10,\"\"\n");
}

TEST_F(SealedClass, TakesOfSeveralSealsTheFirst) {
  const SealedAnswers first = answers_of("Jane Doe", "5"), better = answers_of("Jane Doe");
  hand_in("jdoe/a.json", better);
  hand_in("jdoe/b.json", first);
  const Seals known = seals("Jane  Doe,Transpose," + first.seal() + "\njane doe,transpose," + better.seal() +
                            "\nJane Doe,reduction,0123456789abcdef\n");
  const std::string file = scratch / "seals.csv";
  EXPECT_EQ(known.remarks(),
            std::vector<std::string>{file + ":3: jane doe has another seal for transpose in " + file +
                                     ":2, which counts"});
  const std::vector<SealedMark> all = marks(&known);
  EXPECT_EQ(all.at(0).refusal,
            "this seal is in " + file + ":3, after another one of this name and lab in " + file + ":2");
  EXPECT_EQ(all.at(0).worth.points, 0);
  EXPECT_EQ(all.at(1).refusal, "");
  EXPECT_EQ(written_rows_of(all, predictions),
            "student,lab,part,points,most,remark\n"
            "jdoe,transpose,predictions,5,10,\"sectors: it is 4\"\n")
      << "what is refused casts no doubt on the other";
}

TEST_F(SealedClass, TakesASealOnlyForItsNameAndLab) {
  const SealedAnswers given = answers_of("Jane Doe");
  EXPECT_EQ(seals("Jane Doe,transpose," + given.seal() + "\n").objection_to(given), "");
  for (const std::string row : {"Bob Ross,transpose,", "Jane Doe,reduction,"})
    EXPECT_EQ(seals(row + given.seal() + "\n").objection_to(given),
              "no seal of this name and lab was handed in");
  EXPECT_EQ(seals("Jane Doe,transpose,0123456789abcdef\n").objection_to(given),
            "this seal was not handed in");
  EXPECT_THROW(seals("Jane Doe,transpose\n"), BadInput);
}

}  // namespace
}  // namespace warplab
