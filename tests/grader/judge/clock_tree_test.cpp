// What --clock takes for a build tree, and how it compiles what a student wrote.
#include "grader/clock/clock_tree.hpp"

#include <gtest/gtest.h>

#include "common/host/bad_input.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A tree of sources with one lab, and a build tree that looks like one of the preset cuda.
class ClockTreeTest : public testing::Test {
 protected:
  ClockTreeTest() {
    folder_.write("bin/nvcc", "");
    folder_.write("labs/07_transpose/transpose_tiled.cu", "// ours\n");
    folder_.write("in/transpose_tiled.cu", "// a student's\n");
    describe("cuda", folder_.path());
    const std::string kernel = folder_ / "labs/07_transpose/transpose_tiled.cu";
    folder_.write("build/compile_commands.json",
                  R"([{"file": "elsewhere.cpp", "command": "c++ elsewhere.cpp"}, {"file": ")" + kernel +
                      R"(", "command": "ccache )" + std::string(folder_ / "bin/nvcc") +
                      R"( -DA=\"b c\" --Werror=all-warnings -O3 -x cu -c )" + kernel +
                      R"( -o labs/07_transpose/x.o"}])");
    task_.lab = "transpose";
    task_.rung = "tiled";
  }
  void describe(const std::string& backend, const fs::path& root) const {
    folder_.write("build/clock.json", R"({"backend": ")" + backend + R"(", "root": ")" + root.string() +
                                          R"(", "kernel_compiler": ")" + (folder_ / "bin/nvcc").string() +
                                          R"(", "linker": "/usr/bin/c++", "link": ["-shared"]})");
  }
  ClockTree tree() const { return {folder_ / "build", folder_.path()}; }
  std::string refusal() const {
    return message_of<BadInput>([&] { (void)tree(); });
  }
  ModuleSource source() const {
    return {folder_ / "labs/07_transpose", "transpose", "tiled", "transpose_tiled.cu", "// a student's\n"};
  }

  ScratchFolder folder_;
  Task task_;
};

TEST_F(ClockTreeTest, AFolderThatIsNoBuildTreeIsRefused) {
  for (const char* const name : {"nowhere", "bin", "in"})
    EXPECT_NE(message_of<BadInput>([&] {
                ClockTree(folder_ / name, folder_.path());
              }).find("which is not a build tree of warplab"),
              std::string::npos)
        << name;
  folder_.write("build/clock.json", "{\"backend\": ");
  EXPECT_NE(refusal().find("which is not a build tree of warplab"), std::string::npos);
}

TEST_F(ClockTreeTest, TheEmulatorsTreeIsRefused) {
  describe("emulator", folder_.path());
  EXPECT_NE(refusal().find("a build tree of the emulator, which has no times"), std::string::npos)
      << refusal();
}

TEST_F(ClockTreeTest, ATreeOfOtherSourcesIsRefused) {
  fs::create_directories(folder_ / "other");
  describe("cuda", folder_ / "other");
  EXPECT_NE(refusal().find("a build tree of the sources in"), std::string::npos) << refusal();
}

TEST_F(ClockTreeTest, ACompilerThatIsGoneIsNotAvailable) {
  fs::remove(folder_ / "bin/nvcc");
  EXPECT_THROW((void)tree(), NotAvailable);
}

TEST_F(ClockTreeTest, RungsThatWereNotBuiltAreNamedWithTheCommandThatBuildsThem) {
  const auto refusal = [&] { return message_of<BadInput>([&] { tree().expect_rungs({&task_}); }); };
  EXPECT_NE(refusal().find("transpose is not built"), std::string::npos) << refusal();
  EXPECT_NE(refusal().find("--target transpose"), std::string::npos) << refusal();
  folder_.write("build/lib/warplab/transpose/tiled.so", "");
  EXPECT_NE(refusal().find("--target warplab_worker"), std::string::npos) << refusal();
  folder_.write("build/libexec/warplab-worker", "");
  EXPECT_NO_THROW(tree().expect_rungs({&task_}));
}

TEST_F(ClockTreeTest, CompilesTheStudentsFileByTheTreesOwnCommandAndLinksTheAdapter) {
  std::vector<std::vector<std::string>> commands;
  fs::create_directories(folder_ / "work");
  const ModuleBuild built =
      tree().build(source(), folder_ / "work", [&](const std::vector<std::string>& command, double) {
        commands.push_back(command);
        CommandOutcome outcome;
        outcome.exit_code = 0;
        return outcome;
      });
  EXPECT_EQ(built.module, folder_ / "work/tiled.so");
  EXPECT_EQ(content_of(folder_ / "work/transpose_tiled.cu"), "// a student's\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0],
            (std::vector<std::string>{folder_ / "bin/nvcc", "-I" + (folder_ / "work").string(), "-DA=b c",
                                      "-O3", "-x", "cu", "-c", folder_ / "work/transpose_tiled.cu", "-o",
                                      folder_ / "work/transpose_tiled.o"}));
  const fs::path adapter = fs::canonical(folder_.path()) /
                           "build/labs/07_transpose/CMakeFiles/transpose__tiled.dir/transpose_adapter.cpp.o";
  EXPECT_EQ(commands[1],
            (std::vector<std::string>{"/usr/bin/c++", adapter, folder_ / "work/transpose_tiled.o", "-o",
                                      folder_ / "work/tiled.so", "-shared"}));
}

TEST_F(ClockTreeTest, WhatTheCompilerSaysComesWithoutFolders) {
  fs::create_directories(folder_ / "work");
  const ModuleBuild built =
      tree().build(source(), folder_ / "work", [&](const std::vector<std::string>& command, double) {
        CommandOutcome outcome;
        outcome.exit_code = 1;
        outcome.output = command[7] + "(3): error: expected a ;\n";
        return outcome;
      });
  EXPECT_TRUE(built.module.empty());
  EXPECT_EQ(built.errors, "transpose_tiled.cu(3): error: expected a ;\n");
}

TEST_F(ClockTreeTest, ARungThatTheTreeDoesNotCompileIsOurOwnFault) {
  fs::create_directories(folder_ / "work");
  folder_.write("build/compile_commands.json", "[]");
  EXPECT_THROW((void)tree().build(source(), folder_ / "work",
                                  [](const std::vector<std::string>&, double) { return CommandOutcome(); }),
               std::runtime_error);
}

TEST(WordsOfCommand, AreThoseOfAShellThatRunsNothing) {
  EXPECT_EQ(words_of_command(R"(nvcc "-DX=\"y z\"" 'a b' c\ d)"),
            (std::vector<std::string>{"nvcc", "-DX=\"y z\"", "a b", "c d"}));
  EXPECT_THROW((void)words_of_command("nvcc $(touch /tmp/x)"), std::runtime_error);
  EXPECT_THROW((void)words_of_command("nvcc; rm x"), std::runtime_error);
}

}  // namespace
}  // namespace warplab
