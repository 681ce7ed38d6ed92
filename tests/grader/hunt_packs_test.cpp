// What `warplab hunt --make` writes, and what it leaves alone.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warplab
