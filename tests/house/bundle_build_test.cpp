// The bundle of dependencies is enough: CMake finds all libraries in it, none of
// the machine's own, and builds.
#include <gtest/gtest.h>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR;

// Without a network, as far as a process can be without: a proxy that nobody answers.
const std::string offline = "http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 ";

class BundleBuild : public testing::Test {
 protected:
  BundleBuild() {
    for (const auto& entry : fs::directory_iterator(source))
      if (const std::string name = entry.path().filename();
          name != "build" && name != ".deps" && name != ".git" && name != "warplab-deps.tar.gz")
        fs::create_symlink(entry.path(), folder_ / name);
  }
  Outcome in_folder(const std::string& command) const {
    return run("cd '" + folder_.path().string() + "' && " + command);
  }
  Outcome configure(const std::string& options) const {
    return in_folder(offline + "cmake --preset emulator -DCMAKE_CXX_COMPILER_LAUNCHER= " + options);
  }
  const ScratchFolder folder_;
};

TEST_F(BundleBuild, PackagesOfDebianAreAllThatIsNeeded) {
  const Outcome made = in_folder("./run_all.sh --bundle-deps");
  if (made.exit_code == 3) GTEST_SKIP() << made.output;
  ASSERT_EQ(made.exit_code, 0) << made.output;
  if (made.output.find("packages of") == std::string::npos) GTEST_SKIP() << "not Debian: " << made.output;
  ASSERT_EQ(in_folder("tar -xzf warplab-deps.tar.gz").exit_code, 0);
  // This option keeps CMake from what is installed in /usr.
  const Outcome configured =
      configure("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_MAKE_PROGRAM=\"$PWD/.deps/usr/bin/ninja\"");
  ASSERT_EQ(configured.exit_code, 0) << configured.output;
  EXPECT_EQ(configured.output.find("fetched"), std::string::npos) << configured.output;
  for (const char* package :
       {"CLI11_DIR", "fmt_DIR", "nlohmann_json_DIR", "GTest_DIR", "WARPLAB_STB_INCLUDE_DIR"})
    EXPECT_EQ(in_folder("grep -q '^" + std::string(package) +
                        ":PATH=.*/[.]deps/usr/' build/emulator/CMakeCache.txt")
                  .exit_code,
              0)
        << package << "\n"
        << configured.output;
  const Outcome built = in_folder(
      ".deps/usr/bin/ninja -C build/emulator "
      "tests/reference/CMakeFiles/vector_add_reference_test.dir/vector_add_test.cpp.o");
  EXPECT_EQ(built.exit_code, 0) << built.output;
}

// The real releases cannot be had here; a small archive in the place of one takes the same way.
TEST_F(BundleBuild, SourcesAreTakenFromTheBundle) {
  if (!fs::exists("/usr/include/stb/stb_image.h")) GTEST_SKIP() << "libstb-dev is not installed";
  ASSERT_EQ(in_folder("tar -C /usr/include -czf stb.tar.gz stb").exit_code, 0);
  const std::string hash = in_folder("sha256sum <stb.tar.gz | cut -c 1-64 | tr -d '\\n'").output;
  fs::remove(folder_ / "cmake");
  fs::copy(source / "cmake", folder_ / "cmake");
  std::string pins = "set(unused)\n";
  for (const char* name : {"CLI11", "fmt", "nlohmann_json", "stb", "googletest"})
    pins += "set(warplab_url_of_" + std::string(name) + " file://" + (folder_ / "stb.tar.gz").string() +
            ")\nset(warplab_hash_of_" + name + " SHA256=" + hash + ")\n";
  folder_.write("cmake/WarplabPins.cmake", pins);
  const Outcome bundled = in_folder("cmake -DDESTINATION=.deps/archives -P cmake/WarplabBundle.cmake");
  ASSERT_EQ(bundled.exit_code, 0) << bundled.output;
  for (const char* name : {"cli11", "fmt", "nlohmann_json", "stb", "googletest"})
    EXPECT_TRUE(fs::exists(folder_ / ".deps/archives" / (std::string(name) + ".tar"))) << name;
  fs::remove(folder_ / "stb.tar.gz");
  const Outcome configured = configure("-DCMAKE_IGNORE_PATH=/usr/include");
  EXPECT_EQ(configured.exit_code, 0) << configured.output;
  EXPECT_NE(configured.output.find("stb fetched"), std::string::npos) << configured.output;
  EXPECT_TRUE(fs::exists(folder_ / "build/emulator/_deps/stb-src/stb/stb_image.h"));
}

}  // namespace
}  // namespace warplab::house
