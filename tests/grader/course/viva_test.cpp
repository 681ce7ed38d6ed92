// warplab viva: what a student's file is asked about, on records that the test makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "grader/viva/viva_page.hpp"
#include "grader/viva/what_if.hpp"
#include "tests/common/unnamed_parts.hpp"

namespace warplab {
namespace {

using Kind = VivaQuestion::Kind;
using lens::RequestKind;

constexpr const char* source =
    "// if (x) __syncthreads();\n"
    "__global__ void add(const float* a, float* c, int n) {\n"
    "  __shared__ float tile[1024];\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n) return;\n"
    "  tile[threadIdx.x] = a[i];\n"
    "  __syncthreads();\n"
    "  if (i < n) c[i] = tile[32 * threadIdx.x % 1024];\n"
    "}\n";

Task adding() {
  Task task;
  task.lab = "vector_add";
  task.id = task.rung = "one_per_thread";
  task.file = "vector_add_one_per_thread.cu";
  return task;
}

/// One launch of 2 blocks of 64 threads: a load in line 6, a barrier in line 7, a load
/// from one bank in line 8.
RecordedTask record_of(const Task& task) {
  RecordedTask record{&task, {{task.file, source}}, viva_case(task), {}};
  lens::Launch launch;
  launch.kernel = "void add<float>(float const*, float*, int)";
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  launch.blocks = launch.blocks_recorded = 2;
  launch.occupancy = {1, 32, "threads"};
  const auto line = [&](int number) -> lens::Line& {
    launch.lines.push_back({"/student/" + task.file, number, "", {}, {}});
    return launch.lines.back();
  };
  lens::Line& guard = line(5);
  guard.counts.branches = {4, 1};
  lens::Line& load = line(6);
  load.counts.global_load.requests = 8;
  lens::RequestSample sample{RequestKind::global_load, 0x0000ffff, 4, {}, {1, 0, 0}, 1, 2, 2};
  for (unsigned lane = 0; lane < 16; ++lane) sample.address[lane] = 4 * lane;
  load.samples = {sample};
  line(7).counts.barriers = 4;
  lens::Line& store = line(8);
  store.counts.branches = {4, 0};
  store.counts.shared_load.requests = 4;
  lens::RequestSample banks{RequestKind::shared_load, ~0u, 4, {}, {0, 0, 0}, 0, 8, 1};
  for (unsigned lane = 0; lane < 32; ++lane) banks.address[lane] = 128 * (lane % 8) + 12;
  store.samples = {banks};
  record.launches = {launch};
  return record;
}

const VivaQuestion& of_kind(const std::vector<VivaQuestion>& all, Kind kind, int line) {
  const auto found =
      std::ranges::find_if(all, [&](const VivaQuestion& q) { return q.kind == kind && q.line == line; });
  if (found == all.end()) throw std::out_of_range("no such question");
  return *found;
}

TEST(Viva, AsksForSectorsBanksWavefrontsAndLanesOfTheStudentsLines) {
  const Task task = adding();
  const std::vector<VivaQuestion> all = record_questions(record_of(task), 5);
  const VivaQuestion& sectors = of_kind(all, Kind::sectors, 6);
  EXPECT_EQ(sectors.source, "tile[threadIdx.x] = a[i];");
  EXPECT_NE(sectors.text.find("Warp 1 of block (1, 0, 0) makes this load from global memory."),
            std::string::npos);
  EXPECT_NE(sectors.answer.find("2 sectors, where 2 would do: 16 lanes with 4 bytes each, at 16 addresses; "
                                "the next lane is 4 bytes further."),
            std::string::npos);
  EXPECT_FALSE(sectors.telling);
  EXPECT_EQ(of_kind(all, Kind::lanes, 6).answer, "16 of 32: lanes 0 to 15.");
  EXPECT_NE(of_kind(all, Kind::wavefronts, 8).answer.find("Bank 3 serves 8 words, for lanes 0 to 31."),
            std::string::npos)
      << of_kind(all, Kind::wavefronts, 8).answer;
  EXPECT_EQ(of_kind(all, Kind::requests, 6).answer, "8 requests by 4 warps, which is 2 per warp.");
  EXPECT_EQ(of_kind(all, Kind::divergence, 5).answer, "1 time.");
  EXPECT_EQ(of_kind(all, Kind::grid, 0).answer, "2 blocks in a grid of (2, 1, 1), each of (64, 1, 1).");
}

TEST(Viva, ComputesTheBankOfWhateverLaneIsDrawn) {
  const Task task = adding();
  std::set<std::string> texts;
  for (std::uint64_t draw = 0; draw < 32; ++draw) {
    const std::vector<VivaQuestion> all = record_questions(record_of(task), draw);
    const VivaQuestion& bank = of_kind(all, Kind::bank, 8);
    texts.insert(bank.text);
    const std::uint64_t address = 128 * (draw % 8) + 12;
    EXPECT_EQ(bank.answer.find("bank 3: its address is byte " + std::to_string(address) + " of"), 0u)
        << bank.answer;
    EXPECT_NE(bank.text.find("Which bank does lane " + std::to_string(draw) + " hit?"), std::string::npos);
  }
  EXPECT_EQ(texts.size(), 32u);
}

TEST(Viva, NamesAllBanksOfAWideAccess) {
  const Task task = adding();
  RecordedTask record = record_of(task);
  record.launches[0].lines.back().samples[0].bytes = 16;
  const std::vector<VivaQuestion> all = record_questions(record, 0);
  EXPECT_EQ(of_kind(all, Kind::bank, 8).answer.find("banks 3 to 6: "), 0u);
}

TEST(Viva, AsksNothingAboutLinesThatTheStudentDidNotWrite) {
  const Task task = adding();
  RecordedTask record = record_of(task);
  for (lens::Line& line : record.launches[0].lines) line.file = "/student/shuffle.hpp";
  for (const VivaQuestion& question : record_questions(record, 0)) EXPECT_EQ(question.line, 0);
  EXPECT_TRUE(what_if_questions(record).empty());
}

TEST(Viva, TakesOutWhatTheRecordCameToAndLeavesLinesWhereTheyAre) {
  const Task task = adding();
  const std::vector<VivaQuestion> all = what_if_questions(record_of(task));
  ASSERT_EQ(all.size(), 3u) << "not the barrier of the comment";
  EXPECT_NE(of_kind(all, Kind::barrier, 7).changed.find("a[i];\n  ;\n  if"), std::string::npos);
  EXPECT_NE(of_kind(all, Kind::guard, 5).changed.find("if (false) return;"), std::string::npos);
  EXPECT_NE(of_kind(all, Kind::guard, 8).changed.find("if (true) c[i]"), std::string::npos);
  EXPECT_EQ(of_kind(all, Kind::guard, 8).text, "What happens without the condition `i < n` of this line?");
}

TEST(WhatIf, KeepsEveryLineOfAConditionAndLeavesOthersAsTheyAre) {
  const std::vector<WhatIf> parts = what_ifs(
      "if (a &&\n    b) { c(); }\nif constexpr (x) y();\nif (int z = f()) g();\n"
      "const char* s = \"if (q) __syncthreads();\";\nif (__syncthreads_or(x == 1)) {\n  break; }");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].line, 1);
  EXPECT_EQ(parts[0].text.find("if (true\n) { c(); }"), 0u) << parts[0].text;
  EXPECT_EQ(parts[1].condition, "__syncthreads_or(x == 1)");
  EXPECT_NE(parts[1].text.find("if (false) {\n"), std::string::npos);
  EXPECT_TRUE(what_ifs("if (").empty());
  EXPECT_TRUE(what_ifs("__syncthreads").empty());
}

TEST(Viva, ChoosesDifferentKindsAndAlwaysTheSame) {
  const Task task = adding();
  std::vector<VivaQuestion> all = record_questions(record_of(task), 3);
  for (const VivaQuestion& question : what_if_questions(record_of(task))) all.push_back(question);
  const std::vector<VivaQuestion> five = chosen_questions(all, 5, "ada"),
                                  again = chosen_questions(all, 5, "ada");
  std::set<Kind> kinds;
  for (const VivaQuestion& question : five) kinds.insert(question.kind);
  EXPECT_EQ(kinds.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(five[i].text, again[i].text);
  std::set<std::string> first;
  for (int student = 0; student < 40; ++student)
    first.insert(chosen_questions(all, 5, std::to_string(student))[0].text);
  EXPECT_GE(first.size(), 4u) << "students are asked differently";
  EXPECT_EQ(chosen_questions(all, 100, "ada").size(), all.size());
}

TEST(Viva, DrawsWithASecretWhatStudentsCannotDraw) {
  VivaOptions open, mine, other;
  mine.secret = Secret("0123456789abcdef0123456789abcdef");
  other.secret = Secret("1123456789abcdef0123456789abcdef");
  EXPECT_EQ(key_of("ada", mine), key_of("ada", mine));
  std::set<std::string> keys;
  for (const std::string student : {"ada", "bob"})
    for (const VivaOptions& options : {open, mine, other})
      for (const unsigned turn : {1u, 2u}) {
        VivaOptions turned = options;
        turned.turn = turn;
        keys.insert(key_of(student, turned));
      }
  EXPECT_EQ(keys.size(), 12u);
  EXPECT_EQ(key_of("ada", mine).find(mine.secret->digits()), std::string::npos);
  const Task task = adding();
  std::vector<VivaQuestion> all = record_questions(record_of(task), 3);
  for (const VivaQuestion& question : what_if_questions(record_of(task))) all.push_back(question);
  const auto words = [&](const VivaOptions& options) {
    std::string text;
    for (const VivaQuestion& question : chosen_questions(all, 3, key_of("ada", options)))
      text += question.text;
    return text;
  };
  EXPECT_NE(words(open), words(mine));
  EXPECT_NE(words(mine), words(other));
}

TEST(Viva, WritesQuestionAnswerAndLineForTheExaminer) {
  const Task task = adding();
  Viva viva{"ada", chosen_questions(record_questions(record_of(task), 3), 2, "ada"), {"a remark"}};
  viva.questions[0].answer = "two\nlines";
  const std::string text = viva_text(viva);
  EXPECT_EQ(text.find("Viva: ada, 2 questions\n\n1. vector_add/one_per_thread, "), 0u) << text;
  EXPECT_NE(text.find("   Answer    two\n             lines\n"), std::string::npos) << text;
  EXPECT_NE(text.find("remark: a remark"), std::string::npos);
  for (const std::string& page : {to_html(viva_page(viva)), to_markdown(viva_page(viva))})
    EXPECT_NE(page.find("Then ask"), std::string::npos);
  EXPECT_EQ(unnamed_parts(to_html(viva_page(viva))), "");
  EXPECT_NE(viva_text({"bob", {}, {}}).find("nothing to ask about"), std::string::npos);
}

}  // namespace
}  // namespace warplab
