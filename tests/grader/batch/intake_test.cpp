// What is taken of submissions: whole trees, loose files and archives, and what hostile ones cost.
#include "grader/intake/intake.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "common/host/bad_input.hpp"
#include "grader/intake/archive.hpp"
#include "grader/text/printable.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch/built_archive.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using test::build_archive;
using test::Entry;

const TaskFile tiled{"07_transpose", "transpose_tiled.cu"}, naive{"07_transpose", "transpose_naive.cu"},
    sobel{"06_sobel", "sobel_fused.cu"};
const std::vector<TaskFile> wanted = {sobel, naive, tiled};
const std::string in_place = "labs/07_transpose/transpose_tiled.cu";

Intake take(const fs::path& path, const IntakeLimits& limits = {}) {
  return read_submission(single_submission(path), wanted, limits);
}

Intake take_archive(const std::string& bytes, const IntakeLimits& limits = {},
                    const std::string& name = "alice.zip") {
  const ScratchFolder scratch;
  return take(scratch.write(name, bytes), limits);
}

std::string all_notes(const Intake& intake) {
  std::string text;
  for (const std::string& note : intake.notes) text += note + "\n";
  return text;
}

TEST(Intake, TakesTheFilesOfTasksAloneFromAWholeTree) {
  const ScratchFolder scratch;
  scratch.write("alice/" + in_place, "tiled");
  scratch.write("alice/labs/07_transpose/tasks.json", "{\"points\": 1000}");
  scratch.write("alice/CMakeLists.txt", "execute_process(COMMAND rm)");
  const Intake intake = take(scratch.path() / "alice");
  EXPECT_EQ(intake.problem, "");
  EXPECT_EQ(intake.student, "alice");
  EXPECT_EQ(intake.source, "alice");
  EXPECT_EQ(intake.files, (std::map<TaskFile, std::string>{{tiled, "tiled"}}));
  EXPECT_TRUE(intake.notes.empty()) << all_notes(intake);
}

TEST(Intake, EveryKindOfArchiveWithAnyEnclosingFoldersGivesTheSame) {
  const ScratchFolder scratch;
  scratch.write("alice/" + in_place, "tiled");
  const std::string digest = take(scratch.path() / "alice").digest;
  for (const char* format : {"zip", "tar", "tar.gz", "tar.xz", "tar.zst", "tar.bz2"})
    for (const char* enclosing : {"", "./", "work/", "a/b/c/", "m\xC3\xBCller/"}) {
      SCOPED_TRACE(std::string(format) + " " + enclosing);
      const Intake intake = take_archive(build_archive(format, {{enclosing + in_place, "tiled"}}), {},
                                         std::string("alice.") + format);
      EXPECT_EQ(intake.problem, "");
      EXPECT_EQ(intake.student, "alice");
      EXPECT_EQ(intake.digest, digest);
      EXPECT_EQ(intake.files.count(tiled), 1u);
    }
}

TEST(Intake, WhatOtherSystemsLeaveChangesNothing) {
  const Intake intake = take_archive(build_archive(
      "zip", {{"work\\labs\\07_transpose\\transpose_tiled.cu", "\xEF\xBB\xBFint a;\r\nint b;\r\n"},
              {"__MACOSX/labs/07_transpose/transpose_tiled.cu", "junk"},
              {"work/labs/07_transpose/._transpose_tiled.cu", "junk"},
              {"work/.DS_Store", "junk"}}));
  EXPECT_EQ(intake.problem, "");
  EXPECT_EQ(intake.files.at(tiled), "int a;\nint b;\n");
  EXPECT_TRUE(intake.notes.empty()) << all_notes(intake);
  const Intake wide = take_archive(build_archive("zip", {{in_place, std::string("\xFF\xFEi\0", 4)}}));
  EXPECT_TRUE(wide.files.empty());
  EXPECT_NE(all_notes(wide).find("is UTF-16; save it as UTF-8"), std::string::npos);
}

TEST(Intake, ALooseFileIsTakenByItsNameIfNoOtherLabHasOneOfThatName) {
  const Intake intake = take_archive(build_archive("zip", {{"transpose_tiled.cu", "tiled"}}));
  EXPECT_EQ(intake.files.at(tiled), "tiled");
  EXPECT_NE(all_notes(intake).find("transpose_tiled.cu lies outside of 07_transpose/"), std::string::npos);

  const ScratchFolder scratch;
  const TaskFile a{"01_a", "same.cu"}, b{"02_b", "same.cu"};
  scratch.write("bob/same.cu", "loose");
  scratch.write("bob/02_b/same.cu", "second");
  const Intake both = read_submission(single_submission(scratch.path() / "bob"), {a, b});
  EXPECT_EQ(both.files, (std::map<TaskFile, std::string>{{b, "second"}}));
}

TEST(Intake, OfFilesThatDifferTheOneInItsPlaceIsTaken) {
  const Intake intake = take_archive(build_archive("tar.gz", {{"old/transpose_tiled.cu", "loose"},
                                                              {"07_transpose/transpose_tiled.cu", "folder"},
                                                              {"work/" + in_place, "place"},
                                                              {"work/backup/" + in_place, "deeper"}}));
  EXPECT_EQ(intake.files.at(tiled), "place");
  EXPECT_NE(all_notes(intake).find("which differs, was not"), std::string::npos) << all_notes(intake);
}

TEST(Intake, OfFilesThatDifferAtEqualPlacesNoneIsTaken) {
  for (const auto& [first, second] :
       {std::pair("a/transpose_tiled.cu", "b/c/transpose_tiled.cu"),
        {"a/labs/07_transpose/transpose_tiled.cu", "b/labs/07_transpose/transpose_tiled.cu"},
        {"labs/07_transpose/transpose_tiled.cu", "labs/07_transpose/transpose_tiled.cu"}}) {
    const Intake differ =
        take_archive(build_archive("tar", {{first, "one"}, {second, "two"}, {"transpose_naive.cu", "n"}}));
    EXPECT_EQ(differ.files.count(tiled), 0u) << first;
    EXPECT_EQ(differ.files.count(naive), 1u);
    EXPECT_NE(all_notes(differ).find("none was taken"), std::string::npos);
    const Intake same = take_archive(build_archive("tar", {{first, "one"}, {second, "one"}}));
    EXPECT_EQ(same.files.at(tiled), "one");
  }
}

TEST(Intake, NamesThatBrowsersAndWindowsChangeAreTakenWithANote) {
  for (const char* name :
       {"Transpose_Tiled.CU", "transpose_tiled (1).cu", "labs/07_transpose/transpose_tiled(12).cu"}) {
    const Intake intake = take_archive(build_archive("zip", {{name, "tiled"}}));
    EXPECT_EQ(intake.files.at(tiled), "tiled") << name;
    EXPECT_NE(all_notes(intake).find("was taken for transpose_tiled.cu: give it this name"),
              std::string::npos);
  }
  const Intake both =
      take_archive(build_archive("zip", {{"transpose_tiled (1).cu", "new"}, {in_place, "named"}}));
  EXPECT_EQ(both.files.at(tiled), "named");
  for (const char* name :
       {"transpose_tiled (a).cu", "transpose_tiled ().cu", "(1).cu", "transpose_tiled.cu (1)"})
    EXPECT_TRUE(take_archive(build_archive("zip", {{name, "x"}})).files.empty()) << name;
}

TEST(Intake, AnArchiveWithinASubmissionIsOpened) {
  const std::string inner = build_archive("tar.gz", {{in_place, "tiled"}});
  EXPECT_EQ(take_archive(build_archive("zip", {{"alice/work.tar.gz", inner}})).files.at(tiled), "tiled");
  const ScratchFolder scratch;
  scratch.write("alice/hand in.ZIP", build_archive("zip", {{"x.tgz", inner}}));
  EXPECT_EQ(take(scratch.path() / "alice").files.at(tiled), "tiled");

  std::string nested = inner;
  for (int i = 0; i < 4; ++i) nested = build_archive("zip", {{"next.zip", nested}});
  const Intake deep = take_archive(nested);
  EXPECT_TRUE(deep.files.empty());
  EXPECT_NE(all_notes(deep).find("lies within too many archives"), std::string::npos) << all_notes(deep);
}

TEST(Intake, ALooseFileWinsOverThatOfAnArchiveBesideItWhichGivesTheOthers) {
  const ScratchFolder scratch;
  scratch.write("alice/warplab-submission.tar.gz",
                build_archive("tar.gz", {{in_place, "first"}, {"labs/06_sobel/sobel_fused.cu", "sobel"}}));
  for (const char* loose : {"transpose_tiled.cu", "transpose_tiled (1).cu"}) {
    scratch.write(std::string("alice/") + loose, "corrected");
    const Intake intake = take(scratch.path() / "alice");
    EXPECT_EQ(intake.files, (std::map<TaskFile, std::string>{{sobel, "sobel"}, {tiled, "corrected"}}));
    EXPECT_NE(
        all_notes(intake).find(std::string(loose) + " was taken, and labs/07_transpose/transpose_tiled.cu in "
                                                    "warplab-submission.tar.gz, which differs, was not"),
        std::string::npos)
        << all_notes(intake);
    fs::remove(scratch.path() / "alice" / loose);
  }
}

TEST(Intake, ADamagedArchiveCostsNothingOfTheOthers) {
  const ScratchFolder scratch;
  std::string noise;
  for (unsigned i = 0, x = 1; i < 50'000; ++i)
    noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  const std::string half =
      build_archive("tar.gz", {{in_place, "half"}, {"transpose_naive.cu", noise}}).substr(0, 20'000);
  scratch.write("alice/a.tar.gz", half);
  scratch.write("alice/b.tar.gz", build_archive("tar.gz", {{in_place, "whole"}}));
  Intake intake = take(scratch.path() / "alice");
  EXPECT_EQ(intake.problem, "");
  EXPECT_EQ(intake.files, (std::map<TaskFile, std::string>{{tiled, "whole"}}));
  EXPECT_NE(all_notes(intake).find("nothing was taken of a.tar.gz: the archive is truncated or damaged"),
            std::string::npos)
      << all_notes(intake);
  fs::remove(scratch.path() / "alice/b.tar.gz");
  intake = take(scratch.path() / "alice");
  EXPECT_TRUE(intake.problem.starts_with("a.tar.gz: the archive is truncated or damaged")) << intake.problem;
}

TEST(Intake, EveryArchiveThatIsReadByItselfIsReadInAFolder) {
  for (const auto& [name, format] : {std::pair("x.tar.bz2", "tar.bz2"),
                                     {"x.tbz2", "tar.bz2"},
                                     {"x.TXZ", "tar.xz"},
                                     {"x.tar(1).gz", "tar.gz"},
                                     {"x.tar (2).gz", "tar.gz"},
                                     {"x (1).zip", "zip"}}) {
    const ScratchFolder scratch;
    scratch.write(std::string("alice/") + name, build_archive(format, {{in_place, "tiled"}}));
    EXPECT_EQ(take(scratch.path() / "alice").files.count(tiled), 1u) << name;
  }
  const ScratchFolder scratch;
  scratch.write("alice/work.7z", "7z");
  EXPECT_NE(all_notes(take(scratch.path() / "alice"))
                .find("work.7z was ignored: it is an archive that is not read; hand in a .zip or a .tar.gz"),
            std::string::npos);
}

const TaskFile answers{"07_transpose", "answers.md"};

Intake take_with_answers(const fs::path& path) {
  return read_submission(single_submission(path), {naive, tiled, answers});
}

TEST(Intake, AnswersBesideAnArchiveAreTakenWithTheCodeInIt) {
  const ScratchFolder scratch;
  scratch.write("alice/answers.md", "mine");
  scratch.write("alice/work.tgz", build_archive("tar.gz", {{in_place, "tiled"}}));
  const Intake intake = take_with_answers(scratch.path() / "alice");
  EXPECT_EQ(intake.files, (std::map<TaskFile, std::string>{{answers, "mine"}, {tiled, "tiled"}}));
  scratch.write("bob/work.tgz", build_archive("tar.gz", {{"labs/07_transpose/answers.md", "his"}}));
  const Intake alone = take_with_answers(scratch.path() / "bob");
  EXPECT_EQ(alone.files.at(answers), "his");
  EXPECT_EQ(alone.problem, "");
}

TEST(Intake, AnswersInTheFolderOfALabAreThatLabsAndNoOthers) {
  const ScratchFolder scratch;
  scratch.write("alice/labs/06_sobel/answers.md", "of sobel");
  scratch.write("alice/" + in_place, "tiled");
  Intake intake = take_with_answers(scratch.path() / "alice");
  EXPECT_FALSE(intake.files.contains(answers));
  scratch.write("alice/labs/07_transpose/answers.md", "of transpose");
  intake = take_with_answers(scratch.path() / "alice");
  EXPECT_EQ(intake.files.at(answers), "of transpose");
  EXPECT_TRUE(intake.notes.empty()) << all_notes(intake);
}

TEST(Intake, AFileByItselfIsTaken) {
  const ScratchFolder scratch;
  scratch.write("transpose_tiled.cu", "tiled");
  scratch.write("Tiled.CU", "tiled");
  const Intake intake = take(scratch.path() / "transpose_tiled.cu");
  EXPECT_EQ(intake.files, (std::map<TaskFile, std::string>{{tiled, "tiled"}}));
  EXPECT_EQ(intake.problem, "");
  EXPECT_EQ(single_submission(scratch.path() / "transpose_tiled.cu").student, "transpose_tiled");
  EXPECT_NE(take(scratch.path() / "Tiled.CU").problem.find("none of the files that tasks name"),
            std::string::npos);
}

TEST(Intake, ASubmissionWithoutFilesOfTasksSaysSo) {
  EXPECT_EQ(take_archive(build_archive("zip", {{"README", "hello"}})).problem,
            "none of the files that tasks name could be taken from it; they are named as sobel_fused.cu, in "
            "labs/06_sobel/");
  const ScratchFolder scratch;
  fs::create_directory(scratch.path() / "nothing");
  EXPECT_NE(take(scratch.path() / "nothing").problem, "");
  EXPECT_EQ(take_archive("").problem, "the archive is empty");
  EXPECT_EQ(take_archive(build_archive("zip", {})).problem, "the archive is empty");
  EXPECT_EQ(take_archive("I could not upload my work, sorry").problem,
            "it is not an archive, or a damaged one; hand in a folder, a .zip or a .tar.gz");
}

TEST(HostileIntake, PathsThatLeaveTheirFolderAreIgnored) {
  for (const char* path :
       {"../labs/07_transpose/transpose_tiled.cu", "/labs/07_transpose/transpose_tiled.cu",
        "a/../../07_transpose/transpose_tiled.cu", "..\\07_transpose\\transpose_tiled.cu",
        "C:\\labs\\07_transpose\\transpose_tiled.cu", "\\\\host\\07_transpose\\transpose_tiled.cu"}) {
    const Intake intake = take_archive(build_archive("tar", {{path, "evil"}, {"transpose_naive.cu", "n"}}));
    EXPECT_EQ(intake.files.count(tiled), 0u) << path;
    EXPECT_EQ(intake.files.count(naive), 1u) << path;
    EXPECT_NE(all_notes(intake).find("was ignored: it has a"), std::string::npos) << all_notes(intake);
  }
}

TEST(HostileIntake, LinksAndDevicesOfArchivesAreIgnored) {
  const Intake intake =
      take_archive(build_archive("tar", {{in_place, "", AE_IFLNK, "/etc/passwd"},
                                         {"labs/07_transpose", "", AE_IFLNK, "/etc"},
                                         {"labs/06_sobel/sobel_fused.cu", "", AE_IFREG, "", "/etc/passwd"},
                                         {"labs/07_transpose/transpose_naive.cu", "", AE_IFIFO}}));
  EXPECT_TRUE(intake.files.empty());
  const std::string notes = all_notes(intake);
  for (const char* what : {"is a symbolic link", "is a hard link", "is a device, a pipe or a socket"})
    EXPECT_NE(notes.find(what), std::string::npos) << what << " in " << notes;
}

TEST(HostileIntake, LinksAndPipesOfFoldersAreNeitherFollowedNorWaitedFor) {
  const ScratchFolder scratch;
  const fs::path secret = scratch.write("outside/transpose_tiled.cu", "secret");
  fs::create_directories(scratch.path() / "alice/labs/07_transpose");
  fs::create_symlink(secret, scratch.path() / "alice" / in_place);
  fs::create_symlink(scratch.path() / "outside", scratch.path() / "alice/labs/06_sobel");
  ASSERT_EQ(mkfifo((scratch.path() / "alice/labs/07_transpose/transpose_naive.cu").c_str(), 0600), 0);
  const Intake intake = take(scratch.path() / "alice");
  EXPECT_TRUE(intake.files.empty());
  EXPECT_NE(all_notes(intake).find("transpose_tiled.cu was ignored: it is a symbolic link"),
            std::string::npos);
  EXPECT_NE(all_notes(intake).find("transpose_naive.cu was ignored: it is a device"), std::string::npos);

  fs::create_symlink(scratch.path() / "outside", scratch.path() / "mallory");
  EXPECT_EQ(take(scratch.path() / "mallory").problem, "it is a symbolic link, which is not followed");
  ASSERT_EQ(mkfifo((scratch.path() / "pipe.zip").c_str(), 0600), 0);
  EXPECT_EQ(take(scratch.path() / "pipe.zip").problem, "it is neither a file nor a folder");
}

TEST(HostileIntake, AnArchiveThatUnpacksToTooMuchIsRefused) {
  const std::string zeros(64 << 20, '\0');
  const std::string bomb = build_archive("tar.gz", {{"zeros", zeros}, {in_place, "tiled"}});
  ASSERT_LT(bomb.size(), 100'000u);
  EXPECT_EQ(take_archive(bomb).problem, "it unpacks to more than 250 times its size");
  IntakeLimits limits;
  limits.ratio = 1'000'000;
  limits.unpacked_bytes = 8 << 20;
  EXPECT_EQ(take_archive(bomb, limits).problem, "it unpacks to more than 8 MiB");
  // A zip's directory allows to pass by what nobody asked for.
  EXPECT_EQ(take_archive(build_archive("zip", {{"zeros", zeros}, {in_place, "tiled"}})).files.at(tiled),
            "tiled");
  EXPECT_EQ(take_archive(build_archive("gzipped tar.gz", {{in_place, "tiled"}})).problem,
            "the archive is compressed more than once");
}

TEST(HostileIntake, AFileThatIsTooLargeIsLeftOutWhateverItsHeaderSays) {
  const std::string large((1 << 20) + 1, 'x');
  for (const char* format : {"zip", "tar.gz"}) {
    const Intake intake =
        take_archive(build_archive(format, {{in_place, large}, {"transpose_naive.cu", "n"}}));
    EXPECT_EQ(intake.files.count(tiled), 0u);
    EXPECT_EQ(intake.files.count(naive), 1u);
    EXPECT_NE(all_notes(intake).find("larger than 1 MiB"), std::string::npos);
  }
  // A header of a tar that promises 8 GiB less a byte, with nothing after it.
  std::string tar = build_archive("tar", {{in_place, "tiled"}});
  tar.replace(124, 11, "77777777777");
  unsigned sum = 0;
  tar.replace(148, 8, "        ");
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
  char digits[8];
  std::snprintf(digits, sizeof digits, "%06o", sum);
  tar.replace(148, 7, std::string(digits, 7));
  const Intake lying = take_archive(tar);
  EXPECT_TRUE(lying.files.empty());
  EXPECT_NE(lying.problem.find("truncated or damaged"), std::string::npos) << lying.problem;
  // A zip whose directory says 4 GiB where there are 5 bytes: they or none are taken.
  std::string zip = build_archive("zip", {{in_place, "tiled"}, {"transpose_naive.cu", "n"}});
  const std::size_t directory = zip.find("PK\x01\x02");
  ASSERT_NE(directory, std::string::npos);
  zip.replace(directory + 24, 4, "\xFE\xFF\xFF\xFF");
  const Intake promising = take_archive(zip);
  for (const auto& [place, content] : promising.files) EXPECT_LE(content.size(), 5u) << place.second;
}

TEST(HostileIntake, TooManyEntriesAreRefused) {
  IntakeLimits limits;
  limits.entries = 1000;
  std::vector<Entry> entries;
  const ScratchFolder scratch;
  for (int i = 0; i < 1100; ++i) {
    entries.push_back({"f" + std::to_string(i), ""});
    scratch.write("many/f" + std::to_string(i), "");
  }
  for (const char* format : {"zip", "tar.gz"})
    EXPECT_EQ(take_archive(build_archive(format, entries), limits).problem,
              "it holds more than 1000 files; hand in only the files of the tasks");
  EXPECT_EQ(take(scratch.path() / "many", limits).problem,
            "it holds more than 1000 files; hand in only the files of the tasks");
}

TEST(HostileIntake, ManyFilesUnderATasksNameAreRefusedAndNotesStayFew) {
  IntakeLimits limits;
  limits.kept_bytes = 1 << 20;
  std::vector<Entry> entries;
  for (int i = 0; i < 40; ++i)
    entries.push_back({"d" + std::to_string(i) + "/transpose_tiled.cu", std::string(100'000, 'x')});
  EXPECT_NE(take_archive(build_archive("zip", entries), limits).problem.find("hold more than 1 MiB"),
            std::string::npos);
  for (Entry& entry : entries) entry = {entry.path, "", AE_IFLNK, "/etc/passwd"};
  const Intake links = take_archive(build_archive("tar", entries));
  ASSERT_EQ(links.notes.size(), 21u);
  EXPECT_EQ(links.notes.back(), "and 20 more of the kind");
}

TEST(HostileIntake, WhatLiesTooDeepIsIgnored) {
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "d/";
  const Intake archive = take_archive(build_archive("tar.gz", {{deep + in_place, "tiled"}}));
  EXPECT_TRUE(archive.files.empty());
  EXPECT_NE(all_notes(archive).find("lies too deep"), std::string::npos);
  const ScratchFolder scratch;
  scratch.write("alice/" + deep + in_place, "tiled");
  const Intake folder = take(scratch.path() / "alice");
  EXPECT_TRUE(folder.files.empty());
  EXPECT_NE(all_notes(folder).find("lies too deep"), std::string::npos);
}

TEST(HostileIntake, TruncatedAndDamagedArchivesAreProblemsNeverFaults) {
  std::string noise;
  for (unsigned i = 0, x = 1; i < 50'000; ++i)
    noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  for (const char* format : {"zip", "tar.gz", "tar.xz", "tar.zst"}) {
    const std::string whole = build_archive(format, {{in_place, noise}});
    ASSERT_TRUE(take_archive(whole).problem.empty()) << format;
    const Intake half = take_archive(whole.substr(0, whole.size() / 2));
    EXPECT_FALSE(half.problem.empty()) << format;
    EXPECT_TRUE(half.files.empty()) << format;
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 60) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      (void)take_archive(damaged);  // whatever comes of it, it ends and throws nothing
    }
  }
}

TEST(HostileIntake, AnEncryptedArchiveIsNamedAsSuch) {
  std::string zip;
  try {
    zip = build_archive("encrypted zip", {{in_place, "tiled"}});
  } catch (const std::runtime_error&) {
    // This libarchive cannot encrypt: set the flag by hand, in both headers.
    zip = build_archive("zip", {{in_place, "tiled"}});
    zip[6] = static_cast<char>(zip[6] | 1);
    const std::size_t directory = zip.find("PK\x01\x02");
    zip[directory + 8] = static_cast<char>(zip[directory + 8] | 1);
  }
  EXPECT_EQ(take_archive(zip).problem, "it is encrypted; hand it in without a password");
}

TEST(FindSubmissions, NamesArePrintableUniqueAndAlwaysTheSame) {
  const ScratchFolder scratch;
  for (const char* name : {"alice.zip", "alice.tar.gz", "bob.TGZ", ".DS_Store", "._bob.tgz", "a\xFFo.zip",
                           "a_o.zip", "evil\nname\x1b[31m.zip", "=cmd.zip", "Carol.zip", "carol.zip"})
    scratch.write(name, "");
  fs::create_directory(scratch.path() / "alice");
  fs::create_directory(scratch.path() / "v1.0 of dave.zip");
  const std::string longest(251, 'x');
  scratch.write(longest + ".zip", "");
  const std::vector<Submission> found = find_submissions(scratch.path());
  std::set<std::string> names;
  for (const Submission& submission : found) {
    EXPECT_TRUE(names.insert(submission.student).second) << submission.student;
    EXPECT_TRUE(is_printable_name(submission.student)) << submission.student;
    EXPECT_LE(submission.student.size(), 150u);
  }
  EXPECT_EQ(found.size(), 12u);
  for (const char* name : {"alice", "bob", "a_o", "=cmd", "Carol", "v1.0 of dave.zip"})
    EXPECT_TRUE(names.count(name)) << name;
  EXPECT_FALSE(names.count("carol")) << "some file systems do not tell it from Carol";
  const std::vector<Submission> again = find_submissions(scratch.path());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(again[i].student, found[i].student);
  // Another submission changes no name but its own.
  scratch.write("zoe.zip", "");
  EXPECT_EQ(find_submissions(scratch.path())[0].student, found[0].student);
}

TEST(FindSubmissions, AnEmptyOrAbsentFolderIsBadInput) {
  const ScratchFolder scratch;
  EXPECT_THROW((void)find_submissions(scratch.path()), BadInput);
  EXPECT_THROW((void)find_submissions(scratch.path() / "absent"), BadInput);
  EXPECT_THROW((void)single_submission(scratch.path() / "absent"), BadInput);
}

TEST(Intake, TheDigestDependsOnPlacesAndContents) {
  const std::string one = take_archive(build_archive("zip", {{"transpose_tiled.cu", "a"}})).digest;
  EXPECT_EQ(one.size(), 64u);
  EXPECT_NE(one, take_archive(build_archive("zip", {{"transpose_naive.cu", "a"}})).digest);
  EXPECT_NE(one, take_archive(build_archive("zip", {{"transpose_tiled.cu", "b"}})).digest);
  EXPECT_EQ(one, take_archive(build_archive("tar", {{"x/transpose_tiled.cu", "a"}, {"y", "z"}})).digest);
}

}  // namespace
}  // namespace warplab
