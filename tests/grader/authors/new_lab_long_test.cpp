// A new lab as an instructor meets it, in a copy of the tree: it builds, its tests pass, it is sound, it can
// be released and graded.
#include <gtest/gtest.h>

#include <fstream>

#include "grader/text/source_tree.hpp"
#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "new_lab", tree = folder / "tree";

house::Outcome in_tree(const std::string& command) {
  return house::run(
      "export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR='" + tree.string() +
      "'; if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi; cd '" +
      tree.string() + "' && " + command);
}
void must(const std::string& command) {
  const house::Outcome outcome = in_tree(command);
  ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.output;
}

TEST(NewLab, BuildsPassesItsTestsIsSoundAndIsReleasedAndGraded) {
  const fs::path root = WARPLAB_SOURCE_DIR;
  fs::remove_all(folder);
  for (const fs::path& file : files_of_tree(root)) {
    fs::create_directories((tree / file).parent_path());
    fs::copy_file(root / file, tree / file);
  }
  const std::string program = "build/emulator/bin/warplab";
  must("cmake --preset emulator");
  must("cmake --build --preset emulator --target warplab");
  must(program + " new-lab axpy --title 'A scaled sum'");
  must("cmake --build --preset emulator --target axpy axpy_test axpy_reference_test warplab");
  must("build/emulator/tests/bin/axpy_reference_test");
  must("cd build/emulator && tests/bin/axpy_test");
  must(program + " check --labs axpy --mutants");
  must(program + " release --labs axpy --out ../released");
  must("! grep -rn SOLUTION ../released/labs");
  must(
      "mkdir -p ../in/solved ../in/stub && cp labs/14_axpy/axpy_grid_stride.cu ../in/solved && "
      "cp ../released/labs/14_axpy/axpy_grid_stride.cu ../in/stub");
  must(program + " grade ../in --labs axpy --sandbox none --out ../out");
  const std::string gradebook = content_of(folder / "out/gradebook.csv");
  EXPECT_NE(gradebook.find("solved,graded,10,10,"), std::string::npos) << gradebook;
  EXPECT_NE(gradebook.find("stub,graded,0"), std::string::npos) << gradebook;
}

}  // namespace
}  // namespace warplab
