#include "lens/text/table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lens/text/source_text.hpp"
#include "tests/lens_report/sample_launches.hpp"

namespace {

using namespace warplab::lens;
namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t widest(const std::string& text) {
  std::istringstream in(text);
  std::size_t width = 0;
  for (std::string line; std::getline(in, line);) width = std::max(width, shown_width(line));
  return width;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(LensTable, ShowsALineWithItsSourceItsCountsAndOneSentence) {
  const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "lens_table_test";
  fs::create_directories(folder);
  const fs::path file = folder / "transpose_naive.cu";
  {
    std::ofstream out(file);
    for (int i = 1; i < 26; ++i) out << "\n";
    out << "\t  out[col * rows + row] = in[row * cols + col];  \n";
  }
  TableOptions options;
  options.bytes_that_must_move = 2 * 4 * 1024 * 1024;
  const std::string text = table({test::naive_transpose(file.string())}, options);
  fs::remove_all(folder);
  EXPECT_TRUE(has(text, "transpose_naive_kernel<int>  grid 32x32  block 32x32\n")) << text;
  EXPECT_TRUE(has(text, "64 of 1,024 blocks recorded; counts are scaled to all")) << text;
  EXPECT_TRUE(has(text, "\n  transpose_naive.cu\n")) << text;
  EXPECT_TRUE(has(text, "\n   26  out[col * rows + row] = in[row * cols + col];\n")) << text;
  EXPECT_TRUE(has(text, "global load     sectors/request  4.0 (ideal 4.0)")) << text;
  EXPECT_TRUE(has(text, "global store    sectors/request 32.0 (ideal 4.0)")) << text;
  EXPECT_EQ(count(text, "     > "), 1u) << text;
  EXPECT_TRUE(has(text, "> Neighbouring lanes are 4,096 bytes apart")) << text;
  EXPECT_TRUE(has(text, "37,748,736 bytes in whole sectors: 4.50 times the 8,388,608 that must move"))
      << text;
  EXPECT_TRUE(has(text, "at most 100 % of a multiprocessor's warps")) << text;
  EXPECT_TRUE(has(text, "findings: none in the 64 blocks recorded, 6.2 % of all")) << text;
  EXPECT_LE(widest(text), 110u);
}

TEST(LensTable, ShowsBankConflictsByTheirDegree) {
  const std::string text = table({test::tiled_transpose()});
  EXPECT_TRUE(has(text, "wavefronts/request 32.0 (ideal 1.0): 32-way bank conflict")) << text;
  EXPECT_TRUE(has(text, "1,081,344 wavefronts (ideal 65,536)")) << text;
  EXPECT_TRUE(has(text, "1,015,808 bank conflicts")) << text;
  EXPECT_LT(text.find("   32  "), text.find("   35  "));
  Launch fewer = test::tiled_transpose();
  fewer.lines[1].counts.shared_load.wavefronts = 32768 * 5 / 2;
  EXPECT_TRUE(has(table({fewer}), "bank conflicts, 2.5-way on average")) << table({fewer});
}

TEST(LensTable, ShowsEveryKindOfAccess) {
  Launch launch = test::naive_transpose();
  Counts& c = launch.lines[0].counts;
  c.constant = {10, 320};
  c.local_load = {10, 40, 40, 320, 1280};
  c.global_atomics = {10, 10, 320, 10, 320};
  c.shared_atomics = {10, 0, 320, 320, 10};
  c.branches = {100, 50};
  c.active_lanes = 1600, c.warp_events = 100;
  launch.counts = c;
  const std::string text = table({launch});
  EXPECT_TRUE(has(text, "words/request   32.0 (ideal 1.0)")) << text;
  EXPECT_TRUE(has(text, "local load      sectors/request  4.0 (ideal 4.0)")) << text;
  EXPECT_TRUE(has(text, "global atomics  steps/request 32.0 (ideal 1.0): 32.0 lanes on 1.0 addresses"))
      << text;
  EXPECT_TRUE(has(text, "shared atomics  steps/request  1.0 (ideal 1.0)")) << text;
  EXPECT_TRUE(has(text, "active lanes 16.0 of 32; 50 of 100 branches divergent")) << text;
  EXPECT_LE(widest(text), 110u) << text;
}

TEST(LensTable, TellsFindingsWithTheirPlace) {
  Launch launch = test::naive_transpose("somewhere/transpose_naive.cu");
  const std::string cause = "Element 1048576 is past the end of an allocation of 4194304 bytes by 0 bytes.";
  launch.findings = {{FindingKind::out_of_bounds,
                      "transpose_naive_kernel<int>",
                      {31, 31, 0},
                      {5, 2, 0},
                      "somewhere/transpose_naive.cu",
                      26,
                      false,
                      cause,
                      Hint::missing_guard,
                      3}};
  const std::string text = table({launch});
  EXPECT_TRUE(has(text, "findings: 1 in the 64 blocks recorded, 6.2 % of all")) << text;
  EXPECT_TRUE(has(text,
                  "out of bounds: transpose_naive_kernel<int>, block (31, 31, 0), thread (5, 2, 0), "
                  "transpose_naive.cu:26\n"))
      << text;
  EXPECT_TRUE(has(text, cause + " (3 times)")) << text;
  launch.blocks_recorded = launch.blocks;
  EXPECT_TRUE(has(table({launch}), "findings: 1\n"));
  Finding leak;
  leak.kind = FindingKind::leak;
  leak.text = "4096 bytes of cudaMalloc were never freed.";
  Launch last = launch;
  last.findings = {leak};
  EXPECT_TRUE(has(table({last}), "    leak\n      4096 bytes")) << table({last});
  launch.findings.assign(30, launch.findings[0]);
  EXPECT_TRUE(has(table({launch}), "and 10 more"));
}

TEST(LensTable, NeverPassesOffAGapAsZero) {
  Launch launch = test::tiled_transpose();
  launch.source = Source::nsight_compute;
  launch.not_measured = {{"branches", "no counter"}, {"shared_load.ideal_wavefronts", "no counter"}};
  const std::string text = table({launch});
  EXPECT_TRUE(has(text, "not measured: branches, shared load ideal wavefronts (no counter)")) << text;
  EXPECT_FALSE(has(text, "branches divergent")) << text;
  EXPECT_FALSE(has(text, "32-way")) << text;
  EXPECT_TRUE(has(text, "findings: not looked for")) << text;
  Launch unrecorded;
  unrecorded.kernel = "k";
  unrecorded.blocks = 4;
  unrecorded.note = "its module has no instrumented build";
  EXPECT_TRUE(has(table({unrecorded}), "nothing was counted: its module has no instrumented build"))
      << table({unrecorded});
  EXPECT_FALSE(has(table({unrecorded}), "in total")) << table({unrecorded});
  EXPECT_FALSE(has(table({unrecorded}), "findings: none")) << table({unrecorded});
}

TEST(LensTable, AddsUpLaunchesThatAreAlikeAndShowsTheHeaviestOfMany) {
  const Launch launch = test::naive_transpose();
  const std::string twice = table({launch, launch});
  EXPECT_TRUE(has(twice, "2 launches, added up; 128 of 2,048 blocks recorded")) << twice;
  EXPECT_TRUE(has(twice, "2,097,152 sectors (ideal 262,144) in 65,536 requests")) << twice;
  std::vector<Launch> many;
  for (unsigned i = 1; i <= 12; ++i) {
    many.push_back(launch);
    many.back().grid = {i, 1, 1};
    many.back().counts.global_store.sectors = 1000 * i;
  }
  const std::string text = table(many);
  EXPECT_TRUE(has(text, "grid 12  block")) << text;
  EXPECT_FALSE(has(text, "grid 4  block")) << text;
  EXPECT_TRUE(has(text, "and 4 more kinds of launch")) << text;
  EXPECT_TRUE(has(text, "all 12 launches moved")) << text;
}

TEST(LensTable, KeepsPathsApartThatShareAName) {
  Launch launch = test::tiled_transpose();
  launch.lines[0].file = "a/kernels/tile.cuh";
  launch.lines[1].file = "b/kernels/tile.cuh";
  const std::string text = table({launch});
  EXPECT_TRUE(has(text, "\n  a/kernels/tile.cuh\n")) << text;
  EXPECT_TRUE(has(text, "\n  b/kernels/tile.cuh\n")) << text;
  launch.lines[1].file = "b/kernels/other.cuh";
  EXPECT_TRUE(has(table({launch}), "\n  other.cuh\n"));
}

TEST(LensTable, IsPlainUnlessColourIsAskedFor) {
  TableOptions options;
  EXPECT_FALSE(has(table({test::naive_transpose()}, options), "\x1b"));
  options.colour = true;
  const std::string text = table({test::naive_transpose()}, options);
  EXPECT_TRUE(has(text, "\x1b[33m")) << text;
  EXPECT_EQ(count(text, "\x1b[") % 2, 0u);  // each is ended
}

TEST(LensTable, CutsWhatIsTooLong) {
  EXPECT_EQ(cut("abcdef", 6), "abcdef");
  EXPECT_EQ(cut("abcdefg", 6), "abc...");
  EXPECT_EQ(cut("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F", 4), "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F");
  EXPECT_EQ(cut("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9Fxy", 5), "\xC3\xA4\xC3\xB6...");
  EXPECT_EQ(table({}), "no kernel was launched\n");
}

}  // namespace
