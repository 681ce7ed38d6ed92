// What students get of a file, and what is wrong with marks.
#include "grader/release/solution_regions.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr const char* square = R"(int square(int x) {
  // BEGIN SOLUTION
  return x * x;
  // STUB (void)x;
  // STUB
  // STUB todo("square: multiply");
  // END SOLUTION
}
)";

TEST(SolutionRegions, AStubTakesTheSolutionsPlaceAndItsIndentation) {
  EXPECT_EQ(without_solutions(square, "square.cu"), R"(int square(int x) {
  (void)x;

  todo("square: multiply");
}
)");
  const std::vector<SolutionRegion> regions = solution_regions(square, "square.cu");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].first_line, 2);
  EXPECT_EQ(regions[0].last_line, 7);
  EXPECT_EQ(regions[0].solution, std::vector<std::string>{"  return x * x;"});
}

TEST(SolutionRegions, ASolutionMayBeKeptWithoutMarksAndStubs) {
  EXPECT_EQ(with_solutions(square, "square.cu"), "int square(int x) {\n  return x * x;\n}\n");
}

TEST(SolutionRegions, AStubMayStandAnywhereWithinAndThereMayBeNone) {
  EXPECT_EQ(without_solutions("a\n// BEGIN SOLUTION\n// STUB b\nc\n// END SOLUTION\n// BEGIN SOLUTION\nd\n"
                              "// END SOLUTION\ne",
                              "f"),
            "a\nb\ne\n");
  EXPECT_EQ(without_solutions("no marks\n", "f"), "no marks\n");
  EXPECT_EQ(without_solutions("", "f"), "");
}

std::string refusal(const char* text) {
  try {
    (void)without_solutions(text, "f.cu");
    return "";
  } catch (const BadInput& error) {
    return error.what();
  }
}

TEST(SolutionRegions, MarksWithoutTheirOtherHalfAreNamed) {
  EXPECT_EQ(refusal("a\n// BEGIN SOLUTION\nb\n"), "f.cu:2: a solution begins that never ends");
  EXPECT_EQ(refusal("a\n// END SOLUTION\n"), "f.cu:2: a solution ends that never began");
  EXPECT_EQ(refusal("// BEGIN SOLUTION\n\n  // BEGIN SOLUTION\n"),
            "f.cu:3: a solution begins within the one of line 1");
  EXPECT_EQ(refusal("\n// STUB a\n"), "f.cu:2: a stub outside of any solution");
  EXPECT_EQ(refusal("// BEGIN SOLUTION\n// STUBBORN\n// END SOLUTION\n"),
            "f.cu:2: a stub's mark is followed by a blank");
}

// Of our own tree: no mark is left, and each rung says what is to do.
TEST(SolutionRegions, EveryTasksFileLosesItsSolutions) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPLAB_SOURCE_DIR) / "labs")) {
    if (entry.path().extension() != ".cu" && entry.path().extension() != ".cpp" &&
        entry.path().extension() != ".hpp")
      continue;
    const std::string text = file_content(entry.path());
    const std::vector<SolutionRegion> regions = solution_regions(text, entry.path().string());
    if (regions.empty()) continue;
    ++files;
    const std::string left = without_solutions(text, entry.path().string());
    EXPECT_EQ(left.find("SOLUTION"), std::string::npos) << entry.path();
    EXPECT_EQ(left.find("// STUB"), std::string::npos) << entry.path();
    // What is not a rung of its own is included by one that says what is to do.
    EXPECT_TRUE(left.find("todo(") != std::string::npos || entry.path().extension() == ".hpp")
        << entry.path();
    EXPECT_LT(left.size(), text.size()) << entry.path();
  }
  EXPECT_GE(files, 25);
}

}  // namespace
}  // namespace warplab
