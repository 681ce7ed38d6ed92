#include "grader/build/precompiled_headers.hpp"

#include <gtest/gtest.h>

#include "tests/grader/isolation/guarded_build.hpp"

namespace {

using namespace warplab;
namespace fs = std::filesystem;

/// As the preprocessor leaves a file in `folder`, with `own_lines` after what it includes.
std::string preprocessed(const std::string& folder, const std::string& file, int line,
                         const std::string& own_lines) {
  const std::string own = "\"" + folder + "/" + file + "\"";
  return "# 0 " + own +
         "\n# 0 \"<built-in>\"\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n\n# 0 \"<command-line>\" 2\n# 1 " +
         own + "\n# " + std::to_string(line) + " " + own + "\n# 1 \"" + folder +
         "/given.hpp\" 1\nint given;\n# " + std::to_string(line + 1) + " " + own + " 2\n\n" + own_lines;
}

TEST(SplitBehindHeaders, LeavesTheOwnTextWithItsLines) {
  const std::string text =
      preprocessed("/tmp/one", "k.cu", 7, "int mine;\n# 1 \"/usr/include/b.h\" 1 3\nint b;\n");
  const TextBehindHeaders split = split_behind_headers(text, {"/tmp/one/k.cu"}, "/tmp/one");
  EXPECT_EQ(
      split.rest,
      "# 1 \"/tmp/one/k.cu\"\n# 8 \"/tmp/one/k.cu\"\n\nint mine;\n# 1 \"/usr/include/b.h\" 1 3\nint b;\n");
  EXPECT_NE(split.headers.find("int a;\n"), std::string::npos);
  EXPECT_NE(split.headers.find("# 1 \"given.hpp\" 1\nint given;\n"), std::string::npos) << split.headers;
  EXPECT_EQ(split.headers.find("mine"), std::string::npos);
}

TEST(SplitBehindHeaders, FindsTheSameHeadersBeforeOtherFilesInOtherFolders) {
  const std::string one = preprocessed("/tmp/one", "k.cu", 7, "int mine;\n"),
                    two = preprocessed("/tmp/two", "other.cu", 90, "float yours;\n");
  EXPECT_EQ(split_behind_headers(one, {"/tmp/one/k.cu"}, "/tmp/one").headers,
            split_behind_headers(two, {"/tmp/two/other.cu"}, "/tmp/two").headers);
}

TEST(SplitBehindHeaders, TakesNoHeaderBehindOwnText) {
  const std::string text =
      "# 0 \"/t/k.cu\"\n# 1 \"/t/k.cu\"\nint mine;\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n";
  const TextBehindHeaders split = split_behind_headers(text, {"/t/k.cu"}, "/t");
  EXPECT_EQ(split.headers.find("int"), std::string::npos);
  EXPECT_EQ(split.rest, "# 1 \"/t/k.cu\"\n" + text.substr(text.find("# 1")));
}

TEST(SplitBehindHeaders, TakesAHandedInHeaderForOwnText) {
  const std::string text =
      "# 1 \"/t/k.cu\"\n# 1 \"/t/theirs.hpp\" 1\nint theirs;\n# 2 \"/t/k.cu\" 2\nint mine;\n";
  const TextBehindHeaders split = split_behind_headers(text, {"/t/k.cu", "/t/theirs.hpp"}, "/t");
  EXPECT_EQ(split.headers.find("theirs;"), std::string::npos);
  EXPECT_EQ(split.rest,
            "# 1 \"/t/k.cu\"\n# 1 \"/t/theirs.hpp\" 1\n# 1 \"/t/theirs.hpp\"\nint theirs;\n# 2 \"/t/k.cu\" "
            "2\nint mine;\n");
}

TEST(SplitBehindHeaders, OpensTheFilesThatTheRestReturnsTo) {
  const std::string text =
      "# 1 \"/t/k.cu\"\n# 1 \"/t/mine.hpp\" 1\n# 1 \"/usr/a.h\" 1 3 4\nint a;\n# 3 \"/t/mine.hpp\" 2\nint "
      "mine;\n# 2 \"/t/k.cu\" 2\nint more;\n";
  const TextBehindHeaders split = split_behind_headers(text, {"/t/k.cu", "/t/mine.hpp"}, "/t");
  EXPECT_EQ(split.rest,
            "# 1 \"/t/k.cu\"\n# 1 \"/t/mine.hpp\" 1\n# 3 \"/t/mine.hpp\"\nint mine;\n# 2 \"/t/k.cu\" 2\nint "
            "more;\n");
}

TEST(SplitBehindHeaders, EndsAtTheEndOfAnyText) {
  for (const char* text : {"", "\n", "int a;", "# ", "# 1 \"", "# 1 \"\"", "#\n\n"})
    EXPECT_EQ(split_behind_headers(text, {"/t/k.cu"}, "/t").rest, text);
  EXPECT_EQ(split_behind_headers("# 1 \"/t/k.cu\"", {"/t/k.cu"}, "/t").rest,
            "# 1 \"/t/k.cu\"\n# 1 \"/t/k.cu\"\n");
}

/// Counts, and writes what a compiler would.
struct Compiler {
  int calls = 0;
  bool works = true;
  PrecompiledHeaders::Compile compile() {
    return [this](const fs::path& source, const fs::path& compiled) {
      ++calls;
      EXPECT_TRUE(fs::exists(source));
      std::ofstream(compiled) << "compiled";
      return works;
    };
  }
};

TEST(PrecompiledHeaders, AreCompiledWhenTheyComeAgain) {
  PrecompiledHeaders headers;
  const ScratchFolder work;
  Compiler compiler;
  EXPECT_EQ(headers.find("int a;\n", work.path(), compiler.compile()), "");
  EXPECT_EQ(headers.find("int b;\n", work.path(), compiler.compile()), "");
  EXPECT_EQ(compiler.calls, 0);
  const fs::path found = headers.find("int a;\n", work.path(), compiler.compile());
  EXPECT_EQ(found.parent_path(), headers.folder());
  EXPECT_TRUE(fs::exists(found)) << "for a compiler that cannot use the other";
  EXPECT_TRUE(fs::exists(found.string() + ".gch"));
  EXPECT_EQ(headers.find("int a;\n", work.path(), compiler.compile()), found);
  EXPECT_EQ(compiler.calls, 1);
  EXPECT_TRUE(fs::is_empty(work.path()));
}

TEST(PrecompiledHeaders, AreNotTriedTwiceIfTheyDoNotCompile) {
  PrecompiledHeaders headers;
  const ScratchFolder work;
  Compiler compiler;
  compiler.works = false;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(headers.find("int", work.path(), compiler.compile()), "");
  EXPECT_EQ(compiler.calls, 1);
}

TEST(PrecompiledHeaders, AreSixteenAtMost) {
  PrecompiledHeaders headers;
  const ScratchFolder work;
  Compiler compiler;
  for (int i = 0; i < 40; ++i)
    for (int times = 0; times < 2; ++times) headers.find(std::to_string(i), work.path(), compiler.compile());
  EXPECT_EQ(compiler.calls, 16);
}

}  // namespace
