// Which lines are those of a program, and which are of headers, for which the line that uses them counts.
#include "emulator/src/base/source_lines.hpp"

#include <gtest/gtest.h>

#define WARPLAB_FUNCTION __attribute__((noinline)) void
#line 5 "/usr/src/app/kernel.cu"
WARPLAB_FUNCTION of_usr_src() { asm volatile(""); }
#line 5 "/usr/local/src/kernel.cu"
WARPLAB_FUNCTION of_local_src() { asm volatile(""); }
#line 5 "/course/c++/homework/kernel.cu"
WARPLAB_FUNCTION of_homework() { asm volatile(""); }
#line 5 "/usr/include/stdlib.h"
WARPLAB_FUNCTION of_c_library() { asm volatile(""); }
#line 5 "/usr/lib/gcc/x86_64-linux-gnu/13/../../../../include/c++/13/vector"
WARPLAB_FUNCTION of_standard_library() { asm volatile(""); }
#line 5 "/usr/local/include/c++/14/vector"
WARPLAB_FUNCTION of_another_standard_library() { asm volatile(""); }
#line 5 "/usr/local/cuda-13.0/targets/x86_64-linux/include/cub/cub.cuh"
WARPLAB_FUNCTION of_cub() { asm volatile(""); }
#line 5 "/tmp/warplab-cc-a1b2c3/0.cpp"
WARPLAB_FUNCTION of_translation() { asm volatile(""); }
#line 30 "source_lines_test.cpp"

namespace warplab::emulator {
namespace {

std::string line_of(void (*function)()) { return source_line(reinterpret_cast<const void*>(function)); }

TEST(SourceLines, ProgramsMayBeInAnyFolder) {
  EXPECT_EQ(line_of(of_usr_src), "/usr/src/app/kernel.cu:5");
  EXPECT_EQ(line_of(of_local_src), "/usr/local/src/kernel.cu:5");
  EXPECT_EQ(line_of(of_homework), "/course/c++/homework/kernel.cu:5");
}

TEST(SourceLines, HeadersOfTheSystemAreNoPartOfAProgram) {
  EXPECT_EQ(line_of(of_c_library), "");
  EXPECT_EQ(line_of(of_standard_library), "");
  EXPECT_EQ(line_of(of_another_standard_library), "");
  EXPECT_EQ(line_of(of_cub), "");
}

TEST(SourceLines, LinesOfTheTranslatorAreNoLinesOfAProgram) { EXPECT_EQ(line_of(of_translation), ""); }

}  // namespace
}  // namespace warplab::emulator
