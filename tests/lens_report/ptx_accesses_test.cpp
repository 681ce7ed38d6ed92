// Which accesses nvcc makes of a line, read from PTX that nvcc 13.0 wrote.
#include "lens/nvidia/ptx_accesses.hpp"

#include <gtest/gtest.h>

#include "lens/text/table.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/lens_report/sample_launches.hpp"

namespace {

using warplab::content_of;
using namespace warplab::lens;

const std::string& recorded() {
  static const std::string text = content_of(WARPLAB_SOURCE_DIR "/tests/lens_report/data/compiled.ptx");
  return text;
}

/// A launch of a kernel whose lines were counted. @param function what the lens calls the kernel's instance
Launch launch_of(const std::string& kernel, const std::string& function, std::vector<int> lines) {
  Launch launch;
  launch.kernel = kernel;
  launch.blocks = launch.blocks_recorded = 1;
  for (const int number : lines) {
    Line line{"compiled.cu", number, function, {}, {}};
    line.counts.global_load = {1, 4, 4, 32, 128};
    launch.lines.push_back(line);
  }
  return launch;
}

/// What is said of each line, by its number.
std::map<int, std::string> said_of(Launch launch) {
  PtxAccesses(recorded()).annotate(launch);
  std::map<int, std::string> texts;
  for (const Line& line : launch.lines)
    texts[line.line] = line.compiled ? compiled_text(*line.compiled) : "not asked";
  return texts;
}

TEST(PtxAccesses, NamesTheMemoryAndTheWidthOfEachAccess) {
  const auto texts = said_of(launch_of("vectors", "vectors(float4 const*, float4*, int*)", {27, 28, 33}));
  EXPECT_EQ(texts.at(27), "1 global load of 16 bytes, 1 global store of 16 bytes");
  // The second one is of line 30: nvcc moved it in front of the loop.
  EXPECT_EQ(texts.at(28), "1 cp.async of 16 bytes, 1 constant load of 4 bytes");
  EXPECT_EQ(texts.at(33), "1 shared load of 16 bytes, 1 global store of 16 bytes");
}

TEST(PtxAccesses, ALoopThatWasUnrolledHasAsManyAsItsPasses) {
  const auto texts = said_of(launch_of("vectors", "vectors(float4 const*, float4*, int*)", {30}));
  EXPECT_EQ(texts.at(30), "4 global atomics of 4 bytes");
}

TEST(PtxAccesses, WhatIsInlinedStaysAtItsOwnLineWhereThatWasCounted) {
  const std::string name = "vectors(float4 const*, float4*, int*)";
  EXPECT_EQ(said_of(launch_of("vectors", name, {22, 32})).at(22), "1 global store of 4 bytes");
}

TEST(PtxAccesses, TakesTheInstanceThatTheLinesName) {
  const auto bytes =
      said_of(launch_of("mix", "mix<signed char>(signed char const*, signed char*, int)", {9, 17}));
  EXPECT_EQ(bytes.at(17), "1 global load of 1 byte, 1 shared store of 1 byte");
  EXPECT_EQ(bytes.at(9), "1 generic load of 1 byte") << "in a function that it calls";
  const auto doubles = said_of(launch_of("mix", "mix<double>(double const*, double*, int)", {9, 17}));
  EXPECT_EQ(doubles.at(17), "1 global load of 8 bytes, 1 shared store of 8 bytes");
  EXPECT_EQ(doubles.at(9), "1 generic load of 8 bytes");
}

TEST(PtxAccesses, ALineWithoutAnySaysSo) {
  const auto texts = said_of(launch_of("vectors", "", {26}));
  EXPECT_EQ(texts.at(26), "none here: it is made at another line, or not needed");
}

TEST(PtxAccesses, LeavesKernelsThatItDoesNotKnow) {
  EXPECT_EQ(said_of(launch_of("other", "", {27})).at(27), "not asked");
  for (const char* text :
       {"", "\n\n", "no PTX at all", ".entry", ".loc 1 2", ".visible .entry k(\n@%p1\nld\n"}) {
    Launch launch = launch_of("vectors", "", {27});
    PtxAccesses(text).annotate(launch);
    EXPECT_FALSE(launch.lines[0].compiled.has_value()) << text;
  }
}

TEST(PtxAccesses, StandInTheTableBelowTheCountsOfTheirLine) {
  Launch launch = test::naive_transpose();
  EXPECT_EQ(table({launch}).find("as compiled"), std::string::npos);
  launch.lines[0].compiled = std::vector<CompiledAccess>{{"global load", 4, 2}, {"global store", 4, 1}};
  const std::string text = table({launch});
  EXPECT_NE(text.find("\n       as compiled     2 global loads of 4 bytes, 1 global store of 4 bytes\n"),
            std::string::npos)
      << text;
}

}  // namespace
