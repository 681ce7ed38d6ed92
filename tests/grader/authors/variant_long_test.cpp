// A term's variants as an instructor meets them: a tree is made, builds, is sound, and the published
// solutions get no points in it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Always at the same place, so that a compiler's cache knows it again.
const fs::path folder = fs::path(WARPLAB_BINARY_DIR) / "variant", tree = folder / "tree";

void must_in(const fs::path& place, const std::string& command) {
  const house::Outcome outcome = house::run(
      "export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR='" + tree.string() +
      "'; if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi; cd '" +
      place.string() + "' && " + command);
  ASSERT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.output;
}

TEST(Variant, BuildsIsSoundAndIsNotSolvedByPublishedSolutions) {
  if (!std::getenv("WARPLAB_ALL_VARIANTS"))
    GTEST_SKIP() << "builds a tree of its own, in ten minutes: set WARPLAB_ALL_VARIANTS=1";
  const std::string ours = WARPLAB_SOURCE_DIR, program = "build/emulator/bin/warplab";
  fs::remove_all(folder);
  fs::create_directories(folder);
  must_in(folder, "printf '00112233445566778899aabbccddeeff\\n' > seed");
  must_in(folder, "'" + std::string(WARPLAB_BINARY_DIR) +
                      "/bin/warplab' variant --secret seed --lab vector_add,transpose --out tree");
  must_in(tree, "cmake --preset emulator");
  must_in(tree,
          "cmake --build --preset emulator --target warplab vector_add transpose vector_add_test "
          "transpose_test vector_add_reference_test transpose_reference_test");
  for (const char* lab : {"vector_add", "transpose"}) {
    must_in(tree, std::string("build/emulator/tests/bin/") + lab + "_reference_test");
    must_in(tree, std::string("cd build/emulator && tests/bin/") + lab + "_test");
  }
  must_in(tree, program + " check --mutants --labs vector_add,transpose");
  must_in(tree, program + " release --labs vector_add transpose --out ../released");
  must_in(tree, "mkdir -p ../in/own ../in/published && cp labs/0[27]_*/*.cu ../in/own && cp '" + ours +
                    "'/labs/0[27]_*/*.cu ../in/published");
  must_in(tree, program + " grade ../in --labs vector_add,transpose --sandbox none --out ../out");
  const std::string gradebook = content_of(folder / "out/gradebook.csv");
  EXPECT_NE(gradebook.find("own,graded,200"), std::string::npos) << gradebook;
  EXPECT_NE(gradebook.find("published,graded,0"), std::string::npos) << gradebook;
}

}  // namespace
}  // namespace warplab
