// The way to nvcc and back, with a stand-in for it: what it is asked for, and what becomes of its answers.
#include "harness/program/as_compiled.hpp"

#include <gtest/gtest.h>

#include "harness/program/cuda_tools.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/harness/stand_in.hpp"

namespace warplab {
namespace {

constexpr const char* writes_ptx =
    "echo \"$*\" >>\"$folder/asked\"\n"
    "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && sed \"s|\\\"compiled.cu|\\\"$(dirname \"$3\")/compiled.cu|\" "
    "'" WARPLAB_SOURCE_DIR "/tests/lens_report/data/compiled.ptx' >\"$2\"; shift; done\n";

/// Two launches of a kernel, with a line of a file that is there and one of a header.
std::vector<lens::Launch> launches_of(const std::string& file) {
  lens::Launch launch;
  launch.kernel = "vectors";
  launch.lines = {{file, 27, "", {}, {}}, {"/nowhere/parts.hpp", 3, "", {}, {}}};
  return {launch, launch};
}

TEST(AsCompiled, AsksNvccOnceForAFileAndTellsEachLine) {
  const StandIn nvcc("nvcc", writes_ptx);
  const ScratchFolder folder;
  const std::string file = folder.write("compiled.cu", "");
  std::vector<lens::Launch> launches = launches_of(file);
  AsCompiled().annotate("lab_rung.cu", launches);
  for (const lens::Launch& launch : launches) {
    ASSERT_TRUE(launch.lines[0].compiled.has_value());
    EXPECT_EQ(lens::compiled_text(*launch.lines[0].compiled),
              "1 global load of 16 bytes, 1 global store of 16 bytes");
    EXPECT_EQ(launch.note, "");
  }
  const std::string asked = nvcc.wrote("asked");
  EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 1) << asked;
  for (const char* words : {"-std=c++20", "-lineinfo", "-ptx", "-DWARPLAB_BACKEND_CUDA"})
    EXPECT_NE(asked.find(words), std::string::npos) << asked;
}

TEST(AsCompiled, AKernelInAHeaderIsCompiledByTheRungsFileBesideIt) {
  const StandIn nvcc("nvcc", writes_ptx);
  const ScratchFolder folder;
  folder.write("lab_rung.cu", "");
  std::vector<lens::Launch> launches = launches_of((folder / "kernels.hpp").string());
  AsCompiled().annotate("lab_rung.cu", launches);
  EXPECT_NE(nvcc.wrote("asked").find((folder / "lab_rung.cu").string()), std::string::npos);
  EXPECT_TRUE(launches[0].lines[0].compiled.has_value());
}

TEST(AsCompiled, WhatNvccRefusesIsNotedWithItsFirstError) {
  const StandIn nvcc("nvcc",
                     "echo 'compiled.cu(3): warning: odd' >&2\n"
                     "echo 'compiled.cu(7): error: identifier \"x\" is undefined' >&2\nexit 2\n");
  const ScratchFolder folder;
  std::vector<lens::Launch> launches = launches_of(folder.write("compiled.cu", ""));
  AsCompiled().annotate("lab_rung.cu", launches);
  EXPECT_EQ(launches[0].note,
            "nvcc does not compile compiled.cu: compiled.cu(7): error: identifier \"x\" is undefined");
  EXPECT_FALSE(launches[0].lines[0].compiled.has_value());
}

TEST(CudaTools, AreLookedForInPathFirst) {
  EXPECT_EQ(find_cuda_tool("no-such-program-of-the-toolkit"), "");
  const StandIn tool("no-such-program-of-the-toolkit", "");
  EXPECT_NE(find_cuda_tool("no-such-program-of-the-toolkit"), "");
}

}  // namespace
}  // namespace warplab
