// Records of submissions: what is written is what is read, whoever else writes or dies meanwhile.
#include "grader/judge/record.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "grader/judge/hand_ins.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/text/sha256.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/grader/batch/sample_records.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using test::hostile_record;
using test::sample_record;

TEST(Sha256, AgreesWithTheVectorsOfFips180) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmno"
             "pqrsmnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, EndsBlocksOfEveryLengthAsItMust) {
  // The digest of the digests of 0 to 130 letters, as Python's hashlib gives it.
  std::string all;
  for (std::size_t n = 0; n <= 130; ++n) all += sha256(std::string(n, 'x'));
  EXPECT_EQ(sha256(all), "87aca1c44bc7ba8897768170211f0a02063de70801131ff86c7edb9ce32c6a50");
}

TEST(Record, IsReadAsItWasWrittenByteForByte) {
  const std::string text = to_json(sample_record("alice")).dump(1);
  const SubmissionRecord read = record_from(nlohmann::ordered_json::parse(text));
  EXPECT_EQ(to_json(read).dump(1), text);
  EXPECT_EQ(read.tasks[6].score, 100.0 / 3);
  EXPECT_EQ(read.tasks[1].checks[2].happened, sample_record("alice").tasks[1].checks[2].happened);
  EXPECT_EQ(read.tasks[5].status, TaskRecord::Status::failed);
  EXPECT_EQ(read.score(), sample_record("alice").score());
  EXPECT_EQ(read.points(), 200);
}

TEST(Record, KeepsAnswersWhatWasCountedAndWhatTheLensFound) {
  SubmissionRecord record = sample_record("alice");
  record.answers["transpose"] = "## 1\n\xFFmine\n";
  record.tasks[1].checks[2].counted = 32.5;
  const SeenMistake race{lens::FindingKind::race, lens::Hint::barrier_between_write_and_read, 2};
  record.tasks[1].checks[0].mistakes = {race, {lens::FindingKind::leak, lens::Hint::none}};
  const std::string text = to_json(record).dump();
  const SubmissionRecord read = record_from(nlohmann::ordered_json::parse(text));
  EXPECT_EQ(read.answers.at("transpose"), "## 1\n\uFFFDmine\n");
  EXPECT_EQ(read.tasks[1].checks[2].counted, 32.5);
  EXPECT_FALSE(read.tasks[1].checks[1].counted.has_value());
  EXPECT_EQ(read.tasks[1].checks[0].mistakes, record.tasks[1].checks[0].mistakes);
  EXPECT_TRUE(read.tasks[1].checks[1].mistakes.empty());
  EXPECT_EQ(to_json(read).dump(), text);
  nlohmann::ordered_json old = to_json(record);
  for (auto& mistake : old["tasks"][1]["checks"][0]["mistakes"]) mistake.erase("barriers");
  const std::set<SeenMistake> seen = record_from(old).tasks[1].checks[0].mistakes;
  EXPECT_TRUE(seen.contains({race.kind, race.hint})) << "a record without places is read as well";
}

/// A record of the labs transpose and vector_add with so many points for one task of each.
SubmissionRecord hand_in_with(double transpose, double vector_add, const char* digest) {
  SubmissionRecord record = sample_record("alice");
  for (TaskRecord& task : record.tasks) task.score = 0;
  record.tasks[0].score = transpose, record.tasks[6].score = vector_add;
  record.digest = digest;
  return record;
}

TEST(HandIns, OfOneNameAreReadAsTheyWereWritten) {
  const std::vector<SubmissionRecord> all = {hand_in_with(1, 2, "a"), hand_in_with(3, 4, "b"),
                                             hand_in_with(5, 6, "c")};
  SubmissionRecord record = record_of(all);
  record.earlier[0].submitted = "2027-03-01 12:00 UTC";
  EXPECT_EQ(record.digest, "c");
  const std::string text = to_json(record).dump();
  const SubmissionRecord read = record_from(nlohmann::ordered_json::parse(text));
  EXPECT_EQ(to_json(read).dump(), text);
  const std::vector<SubmissionRecord> back = hand_ins_of(read);
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(back[0].submitted, "2027-03-01 12:00 UTC");
  EXPECT_EQ(back[1].digest, "b");
  for (const SubmissionRecord& one : back) EXPECT_TRUE(one.earlier.empty());
}

TEST(HandIns, OfEachLabTheBestIsTheEntrys) {
  const auto best = [](std::vector<SubmissionRecord> all) { return best_of(record_of(std::move(all))); };
  EXPECT_EQ(best({hand_in_with(3, 4, "a"), hand_in_with(3, 4, "b")}).digest, "b") << "of equal ones the last";
  const SubmissionRecord mixed = best({hand_in_with(9, 1, "a"), hand_in_with(2, 7, "b")});
  EXPECT_EQ(mixed.tasks[0].score, 9);
  EXPECT_EQ(mixed.tasks[6].score, 7);
  EXPECT_EQ(mixed.notes.back(), "transpose counts as it was handed in before, when it had more points");
  SubmissionRecord unread = hand_in_with(0, 0, "c");
  unread.status = SubmissionRecord::Status::not_gradable, unread.problem = "the archive is truncated";
  const SubmissionRecord kept = best({hand_in_with(9, 1, "a"), unread});
  EXPECT_EQ(kept.status, SubmissionRecord::Status::graded);
  EXPECT_EQ(kept.score(), 10);
  EXPECT_EQ(best({hand_in_with(0, 0, "a"), unread}).problem, unread.problem);
}

TEST(HandIns, AreAllInTheStoreAndTheBestOnesAreItsRecords) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path());
  store.write(record_of({hand_in_with(9, 1, "a"), hand_in_with(2, 1, "b")}));
  const RecordStore::Contents contents = store.read_all();
  ASSERT_EQ(contents.records.size(), 1u);
  EXPECT_EQ(contents.records[0].score(), 10);
  ASSERT_EQ(contents.hand_ins.size(), 2u);
  EXPECT_EQ(contents.hand_ins[1].digest, "b");
  EXPECT_EQ(store.read("alice")->score(), 3);
}

TEST(Record, ThatOlderVersionsWroteHasNoStatusAndIsRead) {
  nlohmann::ordered_json old = to_json(sample_record("alice"));
  old.erase("status");
  EXPECT_EQ(record_from(old).status, SubmissionRecord::Status::graded);
  old["problem"] = "the archive is truncated";
  EXPECT_EQ(record_from(old).status, SubmissionRecord::Status::not_gradable);
  old["status"] = "own_failure";
  EXPECT_EQ(record_from(old).status, SubmissionRecord::Status::own_failure);
}

TEST(Record, PointsArePrintedShortest) {
  const std::string text = to_json(sample_record("alice")).dump();
  EXPECT_NE(text.find("\"score\":7.5,\"points\":25,"), std::string::npos);
  EXPECT_NE(text.find("\"score\":33.333333333333336,\"points\":100,"), std::string::npos);
}

TEST(Record, BytesThatAreNoTextBecomeTextOnceAndStay) {
  const std::string text = to_json(hostile_record("m")).dump();
  EXPECT_EQ(to_json(record_from(nlohmann::ordered_json::parse(text))).dump(), text);
  EXPECT_NE(text.find("\\u0000"), std::string::npos);
}

TEST(Record, WhatIsNoRecordIsRefusedWithItsReason) {
  const auto reason = [](const auto& change) {
    nlohmann::ordered_json json = to_json(sample_record("alice"));
    change(json);
    try {
      (void)record_from(json);
      return std::string();
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr(std::string("this is not a record of a submission: ").size());
    }
  };
  EXPECT_EQ(reason([](auto&) {}), "");
  EXPECT_EQ(reason([](auto& json) { json["schema"] = 2; }), "its schema is not 1");
  EXPECT_EQ(reason([](auto& json) { json.erase("student"); }), "it has no \"student\"");
  EXPECT_EQ(reason([](auto& json) { json["tasks"][0]["status"] = "great"; }),
            "\"status\" is none of its words");
  EXPECT_EQ(reason([](auto& json) { json["tasks"][0]["score"] = "100"; }), "\"score\" is not a number");
  EXPECT_EQ(reason([](auto& json) { json["tasks"] = 7; }), "\"tasks\" is not a list");
  EXPECT_EQ(reason([](auto& json) { json = nlohmann::ordered_json::array(); }), "it has no \"schema\"");
}

TEST(RecordStore, ReadsBackWhatWasWrittenInTheOrderOfNames) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path() / "out");
  EXPECT_TRUE(store.read_all().records.empty());
  for (const char* student : {"zoe", "alice", "Bob", "m\xC3\xBCller~1a2b3c4d"})
    store.write(sample_record(student));
  const RecordStore::Contents contents = RecordStore(scratch.path() / "out").read_all();
  ASSERT_EQ(contents.records.size(), 4u);
  EXPECT_TRUE(contents.problems.empty());
  EXPECT_EQ(contents.records[0].student, "Bob");
  EXPECT_EQ(contents.records[1].student, "alice");
  EXPECT_EQ(contents.records[3].student, "zoe");
  EXPECT_EQ(store.read("zoe")->student, "zoe");
  EXPECT_FALSE(store.read("nobody"));
}

TEST(RecordStore, AFileThatIsNoRecordIsReportedAndStopsNothing) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path());
  store.write(sample_record("alice"));
  const std::string whole = content_of(scratch.path() / "records/alice.json");
  scratch.write("records/torn.json", whole.substr(0, whole.size() / 2));
  scratch.write("records/mallory.json", whole);
  scratch.write("records/empty.json", "");
  scratch.write("records/notes.txt", "buy milk");
  scratch.write("records/bob.json.partial-123", "a write that goes on");
  fs::create_directory(scratch.path() / "records/folder.json");
  const RecordStore::Contents contents = store.read_all();
  EXPECT_EQ(contents.records.size(), 1u);
  ASSERT_EQ(contents.problems.size(), 5u);
  std::string all;
  for (const std::string& problem : contents.problems) all += problem + "\n";
  EXPECT_NE(all.find("torn.json was left out: it is not JSON"), std::string::npos) << all;
  EXPECT_NE(all.find("mallory.json was left out: it holds the record of another student, alice"),
            std::string::npos);
  EXPECT_NE(all.find("notes.txt was left out"), std::string::npos);
  EXPECT_FALSE(store.read("torn")) << "to be graded again";
}

TEST(RecordStore, NamesThatLeaveTheFolderAreRefused) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path() / "out");
  for (const char* name : {"../evil", "a/b", "", ".", "..", "new\nline"})
    EXPECT_THROW(store.write(sample_record(name)), std::invalid_argument) << name;
  EXPECT_FALSE(fs::exists(scratch.path() / "evil.json"));
}

TEST(Claim, OneOfManyHasItUntilItLetsGo) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path()), other(scratch.path());
  {
    const std::optional<Claim> first = store.claim("alice");
    ASSERT_TRUE(first);
    EXPECT_FALSE(other.claim("alice"));
    EXPECT_TRUE(other.claim("bob"));
  }
  EXPECT_TRUE(other.claim("alice"));
}

TEST(Claim, OfAProcessThatWasKilledIsFreeAtOnce) {
  const ScratchFolder scratch;
  const RecordStore store(scratch.path());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::optional<Claim> held = store.claim("alice");
    const char answer = held ? 'y' : 'n';
    if (write(ready[1], &answer, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  EXPECT_FALSE(store.claim("alice")) << "the child has it";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(store.claim("alice"));
  close(ready[0]);
  close(ready[1]);
}

// Eight processes go over the same list; each name is claimed, looked up and written by one of them.
TEST(Claim, ProcessesThatShareAListDoNothingTwice) {
  const ScratchFolder scratch;
  constexpr int processes = 8, students = 40;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      const RecordStore store(scratch.path());
      for (int i = 0; i < students; ++i) {
        const std::string student = "s" + std::to_string((i + p * 5) % students);
        const std::optional<Claim> claim = store.claim(student);
        if (!claim || store.read(student)) continue;
        usleep(500);
        scratch.write("work/" + student + "-" + std::to_string(p), "");
        store.write(sample_record(student));
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  int done = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(scratch.path() / "work")) ++done;
  EXPECT_EQ(done, students);
  EXPECT_EQ(RecordStore(scratch.path()).read_all().records.size(), std::size_t{students});
}

}  // namespace
}  // namespace warplab
