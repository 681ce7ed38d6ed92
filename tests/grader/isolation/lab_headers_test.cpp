// What a student's file may include of a lab's headers: as they are handed out, and as the student wrote
// them; never as our solutions.
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/build/sandboxed_builder.hpp"
#include "grader/guard/guard.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/text/source_tree.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

const Course course = Course::read(WARPLAB_SOURCE_DIR).only({"image_filter"});
const Lab& lab = course.labs.at(0);
const Task& task(const std::string& id) { return *std::ranges::find(lab.tasks, id, &Task::id); }

std::string solution(const std::string& file) {
  return with_solutions(bytes_of_file(lab.folder / file), file);
}

RungBuilder::Built built(const Task& of, const FileTexts& files) {
  SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
  return builder.build(of, files);
}

/// The solution of `global`, with another task's header.
std::string global_that_includes(const std::string& include) {
  std::string text = solution("image_filter_global.cu");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("there is no " + from);
    text.replace(at, from.size(), to);
  };
  replace("#include \"image_filter_pixels.hpp\"",
          "#include \"image_filter_pixels.hpp\"\n#include \"" + include + "\"");
  return text;
}

TEST(LabHeaders, OfATaskAreTakenAsTheStudentWroteThem) {
  const Task& vectorized = task("vectorized");
  FileTexts files;
  for (const std::string& file : vectorized.files()) files[file] = solution(file);
  ASSERT_EQ(files.size(), 3u);
  files["image_filter_sums.hpp"] += "\n#error the student's own header\n";
  const RungBuilder::Built own = built(vectorized, files);
  EXPECT_EQ(own.status, TaskRecord::Status::not_compiled);
  EXPECT_NE(own.reason.find("image_filter_sums.hpp"), std::string::npos) << own.reason;
  EXPECT_NE(own.reason.find("the student's own header"), std::string::npos) << own.reason;
}

TEST(LabHeaders, ThatAStudentWroteAreLookedAtAsTheFileIs) {
  const Task& vectorized = task("vectorized");
  FileTexts files;
  for (const std::string& file : vectorized.files()) files[file] = solution(file);
  files["image_filter_wide.hpp"] += "\n#pragma pack(1)\n";
  const RungBuilder::Built refused = built(vectorized, files);
  EXPECT_EQ(refused.status, TaskRecord::Status::refused);
  EXPECT_TRUE(refused.reason.starts_with("image_filter_wide.hpp:")) << refused.reason;
}

TEST(LabHeaders, ThatHoldASolutionAreAsTheyWereHandedOut) {
  const std::string text =
      global_that_includes("image_filter_sums.hpp") +
      "static_assert(sizeof(MeanOfBytes<ByteRow<1>>) == 1, \"the solution keeps sums\");\n";
  const RungBuilder::Built stubbed = built(task("global"), {{"image_filter_global.cu", text}});
  EXPECT_EQ(stubbed.status, TaskRecord::Status::judged) << stubbed.reason;
}

TEST(LabHeaders, AreNotReachedInOurTreeByAnotherPath) {
  const RungBuilder::Built refused =
      built(task("global"),
            {{"image_filter_global.cu", global_that_includes("labs/05_image_filter/image_filter_wide.hpp")}});
  EXPECT_EQ(refused.status, TaskRecord::Status::refused);
  EXPECT_NE(refused.reason.find("labs/05_image_filter/image_filter_wide.hpp"), std::string::npos)
      << refused.reason;
}

TEST(LabHeaders, AreRefusedByLineMarkersWhereverTheyAre) {
  const ScratchFolder tree;
  tree.write("labs/01_a/given.hpp", "int a;\n");
  tree.write("labs/01_a/task.hpp", "// BEGIN SOLUTION\nint b;\n// STUB int c;\n// END SOLUTION\n");
  tree.write("labs/01_a/ours.hpp", "// BEGIN WITHHELD\nint d;\n// END WITHHELD\n");
  const auto said = [&](const std::string& file) {
    const auto refusal =
        refusal_of_includes("# 1 \"" + (tree / file).string() + "\" 1 3\nint x;\n", tree.path());
    return refusal ? refusal->text.substr(0, refusal->text.find(',')) : "";
  };
  EXPECT_EQ(said("labs/01_a/given.hpp"), "");
  EXPECT_EQ(said("common/none.hpp"), "");
  EXPECT_EQ(said("labs/01_a/task.hpp"), "it includes labs/01_a/task.hpp");
  EXPECT_EQ(said("labs/01_a/ours.hpp"), "it includes labs/01_a/ours.hpp");
  EXPECT_EQ(said("common/../labs/01_a/./ours.hpp"), "it includes labs/01_a/ours.hpp");
}

}  // namespace
}  // namespace warplab
