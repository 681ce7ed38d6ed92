// What is cut out of a file beside its solutions, and what is wrong with marks.
#include "grader/release/withheld_parts.hpp"

#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

TEST(WithheldParts, GoWithTheirMarksInEveryLanguagesComments) {
  EXPECT_EQ(without_withheld_parts("a\n  // BEGIN WITHHELD\nb\n  // END WITHHELD\nc\n", "f.cpp"), "a\nc\n");
  EXPECT_EQ(without_withheld_parts("a\n# BEGIN WITHHELD\nb\n# END WITHHELD\nc\n", "CMakeLists.txt"),
            "a\nc\n");
  EXPECT_EQ(without_withheld_parts("a\n<!-- BEGIN WITHHELD -->\n\nb\n<!-- END WITHHELD -->\nc\n", "f.md"),
            "a\nc\n");
  EXPECT_EQ(without_withheld_parts(
                "// BEGIN WITHHELD\na\n// END WITHHELD\nb\n// BEGIN WITHHELD\n// END WITHHELD", "f"),
            "b\n");
}

TEST(WithheldParts, AreLinesOfTheirOwn) {
  for (const char* text : {"no mark", "", "x();  // BEGIN WITHHELD\n", "// BEGIN WITHHELD, they say\n",
                           "BEGIN WITHHELD\n", "`// BEGIN WITHHELD`\n"})
    EXPECT_EQ(without_withheld_parts(text, "f"), text);
}

TEST(WithheldParts, MarksWithoutTheirOtherHalfAreNamed) {
  const auto refusal = [](const char* text) {
    return message_of<BadInput>([&] { (void)without_withheld_parts(text, "f.hpp"); });
  };
  EXPECT_EQ(refusal("a\n// BEGIN WITHHELD\n"), "f.hpp:2: a withheld part begins that never ends");
  EXPECT_EQ(refusal("a\n\n# END WITHHELD\n"), "f.hpp:3: a withheld part ends that never began");
  EXPECT_EQ(refusal("// BEGIN WITHHELD\n// BEGIN WITHHELD\n"),
            "f.hpp:2: a withheld part begins within the one of line 1");
}

TEST(WithheldParts, AFileOfNothingElseIsBlank) {
  EXPECT_TRUE(is_blank(without_withheld_parts("// BEGIN WITHHELD\n#pragma once\n// END WITHHELD\n\n", "f")));
  EXPECT_FALSE(is_blank(" \n x"));
}

TEST(WithheldParts, MarksOfReleasesAreKnown) {
  for (const char* line : {"// BEGIN WITHHELD", "  # END WITHHELD", "<!-- BEGIN WITHHELD -->",
                           "  // BEGIN SOLUTION", "// END SOLUTION", "// STUB", " // STUB return;"})
    EXPECT_TRUE(is_release_mark(line)) << line;
  for (const char* line : {"", "// STUBBORN", "int begin;", "// BEGIN"})
    EXPECT_FALSE(is_release_mark(line)) << line;
}

}  // namespace
}  // namespace warplab
