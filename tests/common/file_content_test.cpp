#include "common/io/file_content.hpp"

#include "scratch_folder.hpp"

namespace warplab {
namespace {

TEST(FileContent, IsEveryByteOfAFile) {
  const ScratchFolder folder;
  const std::string bytes("a\r\n\0b\xFF", 6);
  EXPECT_EQ(readable_content(folder.write("bytes", bytes)), bytes);
  EXPECT_EQ(readable_content(folder.write("empty", "")), "");
}

TEST(FileContent, IsNothingWhereNothingCanBeRead) {
  const ScratchFolder folder;
  for (const std::filesystem::path& path : {folder / "missing", folder.path()}) {
    EXPECT_EQ(readable_content(path), std::nullopt) << path;
    EXPECT_EQ(file_content(path), "") << path;
  }
}

}  // namespace
}  // namespace warplab
