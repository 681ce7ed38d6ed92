// Columns and carets of the compiler's messages: those of the student's line, not of its translation.
#include "grader/build/error_places.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

const std::map<std::string, std::string> own = {
    {"/w/x.cu", "// one\n  if (i < m) out[i] = in[i];\n\tout[k] = k;\n"}};

std::string moved(const std::string& messages, const std::string& line) {
  return with_own_columns(messages, "# 1 \"/w/x.cu\"\n// one\n" + line + "\n\tout[k] = k;\n", own);
}

TEST(ErrorPlaces, AreFoundByTheirWord) {
  const std::string line = "  if (lens(bool(i < m))) out[i] = in[i];";
  const std::string column = std::to_string(line.find("m)") + 1);
  const std::string caret = std::string(line.find("m)"), ' ') + "^";
  EXPECT_EQ(moved("/w/x.cu:2:" + column + ": error: 'm' was not declared\n" +
                      "    2 |   if (i < m) out[i] = in[i];\n      | " + caret + "\n",
                  line),
            "/w/x.cu:2:11: error: 'm' was not declared\n"
            "    2 |   if (i < m) out[i] = in[i];\n"
            "      |           ^\n");
}

TEST(ErrorPlaces, CountFromTheEndWhereTheTranslatorRepeatsAWord) {
  const std::string line = "  if (out(i < m)) out[i] = in[i];";
  const std::string column = std::to_string(line.rfind("out") + 1);
  EXPECT_EQ(moved("/w/x.cu:2:" + column + ": error: e\n", line), "/w/x.cu:2:14: error: e\n");
}

TEST(ErrorPlaces, HaveALineOnlyWhereTheStudentHasNoSuchWord) {
  EXPECT_EQ(moved("/w/x.cu:2:3: error: e\n    2 |   if (i < m) out[i] = in[i];\n      |   ^~~\n",
                  "  lens_branch(i < m);"),
            "/w/x.cu:2: error: e\n    2 |   if (i < m) out[i] = in[i];\n");
}

TEST(ErrorPlaces, CountTabsAsTheCompilerDoes) {
  EXPECT_EQ(moved("/w/x.cu:3:9: error: e\n", "x"), "/w/x.cu:3:9: error: e\n");
  EXPECT_EQ(with_own_columns("/w/x.cu:3:15: error: 'k'\n", "# 3 \"/w/x.cu\"\n   f(out[k] = k);\n", own),
            "/w/x.cu:3:18: error: 'k'\n");
}

TEST(ErrorPlaces, LeaveOtherFilesAndTextsAlone) {
  const std::string others =
      "/w/y.hpp:2:30: error: e\n    2 | x\n      | ^\n/w/x.cu: In function 'f':\nnothing: 3\n";
  EXPECT_EQ(moved(others, "x"), others);
}

}  // namespace
}  // namespace warplab
