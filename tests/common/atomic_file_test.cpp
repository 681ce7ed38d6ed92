#include "common/io/atomic_file.hpp"

#include <sys/resource.h>

#include <csignal>

#include "common/host/bad_input.hpp"
#include "scratch_folder.hpp"

namespace warplab {
namespace {

std::size_t files_in(const ScratchFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(AtomicFile, ReplacesAFileAndLeavesNoOther) {
  const ScratchFolder folder;
  write_file_atomically(folder / "a", "first");
  write_file_atomically(folder / "a", std::string(100'000, 'x'));
  EXPECT_EQ(content_of(folder / "a"), std::string(100'000, 'x'));
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFile) {
  const ScratchFolder folder;
  write_file_atomically(folder / "a", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string text =
      message_of<BadInput>([&] { write_file_atomically(folder / "a", std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(text.find("cannot write " + (folder / "a").string()), std::string::npos) << text;
  EXPECT_EQ(content_of(folder / "a"), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(AtomicFile, NamesWhatCannotBeWritten) {
  const ScratchFolder folder;
  const std::string text = message_of<BadInput>([&] { check_writable(folder / "none/a"); });
  EXPECT_EQ(text, "cannot write " + (folder / "none/a").string() + ": No such file or directory");
  EXPECT_NE(message_of<BadInput>([&] { check_writable(folder.path()); }).find("Is a directory"),
            std::string::npos);
  check_writable(folder / "a");
  EXPECT_EQ(files_in(folder), 0u);
}

}  // namespace
}  // namespace warplab
