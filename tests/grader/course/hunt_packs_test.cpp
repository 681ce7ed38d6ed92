// What `warplab hunt --make` writes, and what it leaves alone.
#include <gtest/gtest.h>

#include "grader/predict/sealed_answers.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

/// Makes packs of lab 02 for the names in a file.
house::Outcome make_packs(const ScratchFolder& folder, const std::string& names) {
  return house::run("'" WARPLAB_BINARY_DIR "/bin/warplab' hunt vector_add --make '" +
                    folder.write("names", names).string() + "' --out '" + (folder / "packs").string() + "'");
}

TEST(HuntPacks, OfAnEarlierRunStay) {
  const ScratchFolder folder;
  ASSERT_EQ(make_packs(folder, "Ada Low\n").exit_code, 0);
  const std::string pack = "packs/ada low/hunts/vector_add/hunt.json";
  ASSERT_TRUE(std::filesystem::exists(folder / pack));
  folder.write(pack, "kept");
  const house::Outcome again = make_packs(folder, "Ada Low\nBob Ray\n\n");
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_EQ(again.output.find("1 pack in "), 0u) << again.output;
  EXPECT_EQ(content_of(folder / pack), "kept");
  EXPECT_TRUE(std::filesystem::exists(folder / "packs/bob ray/hunts/vector_add/hunt.json"));
}

TEST(HuntPacks, AreNotMadeForOneNameTwice) {
  const ScratchFolder folder;
  const house::Outcome twice = make_packs(folder, "Ada Low\n ada  LOW\n");
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_NE(twice.output.find("has the name 'ada low' twice; add a login to tell them apart"),
            std::string::npos)
      << twice.output;
  EXPECT_FALSE(std::filesystem::exists(folder / "packs"));
  EXPECT_EQ(make_packs(folder, "\n \n").exit_code, 2);
}

TEST(HuntGrading, MarksEveryFileWhateverAnotherNames) {
  const ScratchFolder folder;
  const auto hunt = [](const std::string& lab) {
    return SealedAnswers{lab, "Ada Low", {{"1", "", "28 race", "put a barrier there"}}, SealedKind::hunt};
  };
  for (const char* lab : {"no_such_lab", "../../etc", "vector_add"}) {
    const std::filesystem::path file =
        folder / ("in/" + std::to_string(std::string(lab).size()) + "/found.json");
    std::filesystem::create_directories(file.parent_path());
    write_sealed(file, hunt(lab));
  }
  folder.write("in/1/found.json", R"({"sealed": "hunt", "lab": 7})");
  std::filesystem::create_symlink("a", folder / "in/1/a");
  const std::string roster = folder.write("roster.csv", "id,login,name\n1,10,Ada Low\n"),
                    written = folder / "written.csv";
  const house::Outcome outcome =
      house::run("'" WARPLAB_BINARY_DIR "/bin/warplab' hunt --sandbox none --grade '" +
                 (folder / "in").string() + "' --roster '" + roster + "' --written '" + written + "'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("\"no_such_lab\",0,,"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("there is no such lab"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(",\"vector_add\",0,10,"), std::string::npos) << outcome.output;
  EXPECT_TRUE(
      content_of(written).starts_with("student,lab,part,points,most,remark\n10,vector_add,hunt,0,10,"))
      << content_of(written);
}

}  // namespace
}  // namespace warplab
