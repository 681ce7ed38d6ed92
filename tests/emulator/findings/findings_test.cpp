// The lens on the cases of this folder, all blocks recorded: each wrong kernel is reported as the kind and at
// the line that its source marks and nowhere else; of correct kernels nothing is said.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/io/file_content.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::file_content;
const fs::path folder = fs::path(WARPLAB_SOURCE_DIR) / "tests/emulator/findings";

struct Mark {
  int line;
  std::string kind;
};

/// A section of a source: from its line `// CASE` to the next.
struct Section {
  std::string file, name;
  std::vector<Mark> marks;
};

std::vector<Section> sections_of(const fs::path& path) {
  std::vector<Section> sections;
  std::ifstream source(path);
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    if (line.starts_with("// CASE "))
      sections.push_back({path.filename(), line.substr(8, line.find(':') - 8), {}});
    const std::size_t mark = line.find("// FINDS ");
    if (mark != std::string::npos) sections.back().marks.push_back({number, line.substr(mark + 9)});
  }
  return sections;
}

std::vector<Section> sections(const std::string& prefix) {
  std::vector<Section> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu" && entry.path().filename().string().starts_with(prefix))
      for (Section& section : sections_of(entry.path())) all.push_back(std::move(section));
  std::sort(all.begin(), all.end(), [](const Section& a, const Section& b) { return a.name < b.name; });
  return all;
}

struct Finding {
  std::string kind, file, text, block, thread;
  int line = 0;
};

struct Outcome {
  int status = -1;
  std::string output;  ///< of the program, and what the emulator said
  std::vector<Finding> findings;
  std::uint64_t blocks = 0, recorded = 0;
  nlohmann::json lens;  ///< what was counted of the last launch
};

Outcome run(const std::string& name) {
  const fs::path json =
      fs::path(testing::TempDir()) / ("findings-" + std::to_string(getpid()) + "-" + name + ".json");
  const fs::path log = fs::path(json).replace_extension(".log");
  fs::remove(json);
  const std::string command = "WARPLAB_LENS=1 WARPLAB_LENS_BLOCKS=all WARPLAB_LENS_JSON='" + json.string() +
                              "' '" + WARPLAB_BINARY_DIR "/tests/bin/findings' " + name + " >'" +
                              log.string() + "' 2>&1";
  Outcome result;
  const int status = std::system(command.c_str());
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.output = file_content(log);
  fs::remove(log);
  const nlohmann::json launches = nlohmann::json::parse(file_content(json), nullptr, false);
  fs::remove(json);
  if (!launches.is_array()) return result;
  for (const nlohmann::json& launch : launches) {
    const nlohmann::json& lens = result.lens = launch.at("lens");
    result.blocks += lens.at("blocks").get<std::uint64_t>();
    result.recorded += lens.at("blocks_recorded").get<std::uint64_t>();
    for (const nlohmann::json& f : lens.at("findings"))
      result.findings.push_back({f.at("kind"), fs::path(f.at("file").get<std::string>()).filename(),
                                 f.at("text"), f.at("block").dump(), f.at("thread").dump(), f.at("line")});
  }
  return result;
}

std::string list(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& f : findings)
    all += "\n  " + f.kind + " at " + f.file + ":" + std::to_string(f.line) + ", block " + f.block +
           ", thread " + f.thread + ": " + f.text;
  return all.empty() ? "\n  nothing" : all;
}

std::string name_of(const testing::TestParamInfo<Section>& info) {
  std::string name;
  bool upper = true;
  for (char c : info.param.name) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name;
}

void PrintTo(const Section& section, std::ostream* out) { *out << section.file << " " << section.name; }

class WrongKernel : public testing::TestWithParam<Section> {};

TEST_P(WrongKernel, IsReportedAtItsLine) {
  const Section& section = GetParam();
  const Outcome result = run(section.name);
  ASSERT_EQ(result.status, 0) << result.output;
  ASSERT_FALSE(section.marks.empty()) << section.file << ": " << section.name << " marks no line";
  const auto is_marked = [&](const Finding& f) {
    return f.file == section.file &&
           std::any_of(section.marks.begin(), section.marks.end(),
                       [&](const Mark& m) { return m.line == f.line && m.kind == f.kind; });
  };
  for (const Mark& mark : section.marks) {
    const std::string place = section.file + ":" + std::to_string(mark.line);
    const bool named = std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& f) {
      return f.kind == mark.kind &&
             ((f.file == section.file && f.line == mark.line) || f.text.find(place) != std::string::npos);
    });
    EXPECT_TRUE(named) << place << " (" << mark.kind << ") is not named; found:" << list(result.findings)
                       << "\n"
                       << result.output;
  }
  for (const Finding& f : result.findings)
    EXPECT_TRUE(is_marked(f)) << "not marked:" << list({f}) << "\n" << result.output;
}

class TrickyKernel : public testing::TestWithParam<Section> {};

TEST_P(TrickyKernel, IsLeftInPeace) {
  const Outcome result = run(GetParam().name);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find(GetParam().name + ": no error"), std::string::npos) << result.output;
  EXPECT_GT(result.blocks, 0u) << "nothing was recorded";
  EXPECT_EQ(result.recorded, result.blocks);
  EXPECT_TRUE(result.findings.empty()) << list(result.findings);
}

INSTANTIATE_TEST_SUITE_P(Findings, WrongKernel, testing::ValuesIn(sections("wrong_")), name_of);
INSTANTIATE_TEST_SUITE_P(Findings, TrickyKernel, testing::ValuesIn(sections("tricky_")), name_of);

TEST(LensCounts, WhatIsWrittenAsynchronouslyMeetsInBanksAsStoresDo) {
  for (const char* name : {"turned_by_copies", "turned_by_async_stores"}) {
    SCOPED_TRACE(name);
    const Outcome result = run(name);
    ASSERT_EQ(result.status, 0) << result.output;
    EXPECT_EQ(result.lens["shared_copy"]["requests"], 32);
    EXPECT_EQ(result.lens["shared_copy"]["wavefronts"], 32 * 32);
    EXPECT_EQ(result.lens["shared_copy"]["ideal_wavefronts"], 32);
    EXPECT_EQ(result.lens["shared_load"]["wavefronts"], 32);
    EXPECT_LE(result.lens["shared_store"]["requests"], 1);  // thread 0 makes the barrier
  }
}

TEST(DivergentBarrier, NamesAThreadOfTheWarpWhoseLanesLeaveALoop) {
  const Outcome result = run("lanes_leave_a_loop");
  ASSERT_EQ(result.findings.size(), 1u) << list(result.findings);
  EXPECT_NE(result.findings[0].text.find("lanes of warp 0 have returned"), std::string::npos)
      << list(result.findings);
  EXPECT_EQ(result.findings[0].thread, "[1,0,0]");  // the first of them that has not
}

TEST(FindingsSuite, EverySectionIsACaseOfTheProgram) {
  const std::string list_file = testing::TempDir() + "findings-" + std::to_string(getpid()) + ".txt";
  ASSERT_EQ(std::system((WARPLAB_BINARY_DIR "/tests/bin/findings --list >" + list_file).c_str()), 0);
  std::vector<std::string> listed, written;
  std::ifstream in(list_file);
  for (std::string line; std::getline(in, line);) listed.push_back(line.substr(0, line.find(' ')));
  fs::remove(list_file);
  for (const char* prefix : {"wrong_", "tricky_"})
    for (const Section& section : sections(prefix)) written.push_back(section.name);
  std::sort(listed.begin(), listed.end());
  std::sort(written.begin(), written.end());
  EXPECT_EQ(listed, written);
  EXPECT_GE(sections("wrong_").size(), 44u);
  EXPECT_GE(sections("tricky_").size(), 24u);
}

}  // namespace
