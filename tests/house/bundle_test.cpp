// ./run_all.sh --bundle-deps: what a machine without a network builds with, made on one that has a network.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/house/scratch_tree.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

/// Whose apt-get downloads packages that hold a file each, named as the package.
class Bundle : public testing::Test {
 protected:
  Bundle() {
    tree_.tool("apt-cache", "echo '  Depends: libfmt9'");
    tree_.tool("apt-get", "shift 2; for package; do echo $package >$package.deb; done");
    tree_.tool("dpkg-deb", "mkdir -p $3/usr/bin $3/usr/share/doc && cp $2 $3/usr/bin/");
    for (const char* name : {"tar", "gzip", "wc", "cp"})
      tree_.tool(name, std::string("exec /usr/bin/env PATH=/usr/bin:/bin ") + name + " \"$@\"");
  }
  std::string listing() const { return run("tar -tzf '" + bundle().string() + "' | sort").output; }
  fs::path bundle() const { return tree_.root() / "warplab-deps.tar.gz"; }
  bool nothing_half_made() const {
    return std::ranges::none_of(fs::directory_iterator(tree_.root()), [](const fs::directory_entry& entry) {
      return entry.path().string().find("partial") != std::string::npos;
    });
  }
  ScratchTree tree_;
};

TEST_F(Bundle, HoldsTheUnpackedPackagesOfDebian) {
  const Outcome made = tree_.run_all("--bundle-deps");
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_TRUE(says(made, "warplab-deps.tar.gz: packages of ")) << made.output;
  const std::string files = listing();
  for (const char* package : {"libgtest-dev", "libcli11-dev", "libfmt-dev", "libfmt9", "nlohmann-json3-dev",
                              "libstb-dev", "ninja-build"})
    EXPECT_NE(files.find(".deps/usr/bin/" + std::string(package) + ".deb\n"), std::string::npos) << files;
  EXPECT_EQ(files.find("share/doc"), std::string::npos) << files;
  EXPECT_EQ(files.find("download"), std::string::npos) << files;
  EXPECT_TRUE(nothing_half_made());
}

TEST_F(Bundle, HoldsTheSourcesWhereThereIsNoApt) {
  tree_.remove_tool("apt-get");
  tree_.tool("cmake", R"(mkdir -p ${1#-DDESTINATION=} && echo source >${1#-DDESTINATION=}/fmt.tar)");
  const Outcome made = tree_.run_all("--bundle-deps");
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_TRUE(says(made, "sources, for any machine")) << made.output;
  EXPECT_EQ(listing(), ".deps/\n.deps/archives/\n.deps/archives/fmt.tar\n");
}

TEST_F(Bundle, IsNotMadeWithoutANetwork) {
  tree_.tool("apt-get", "exit 100");
  tree_.tool("cmake", "exit 1");
  const Outcome made = tree_.run_all("--bundle-deps");
  EXPECT_EQ(made.exit_code, 3) << made.output;
  EXPECT_TRUE(says(made, "is there a network?")) << made.output;
  EXPECT_FALSE(fs::exists(bundle()));
  EXPECT_TRUE(nothing_half_made());
}

TEST_F(Bundle, IsUnpackedAndUsedByTheNextRun) {
  ASSERT_EQ(tree_.run_all("--bundle-deps").exit_code, 0);
  tree_.tool("dpkg-query", "echo not-installed");
  tree_.tool("apt-get", "echo 'apt-get was called'; exit 100");
  const Outcome ran = tree_.run_all("--backend emulator");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(says(ran, "libraries: from warplab-deps.tar.gz, unpacked into .deps")) << ran.output;
  EXPECT_FALSE(says(ran, "not installed")) << ran.output;
  EXPECT_TRUE(fs::exists(tree_.root() / ".deps/usr/bin/ninja-build.deb"));
  EXPECT_TRUE(nothing_half_made());
  EXPECT_FALSE(says(tree_.run_all("--backend emulator"), "unpacked")) << "once is enough";
}

TEST_F(Bundle, OfAnotherSystemIsRefused) {
  fs::create_directories(tree_.root() / ".deps/usr");
  std::ofstream(tree_.root() / ".deps/made_on") << "Minix 3, i386\n";
  const Outcome ran = tree_.run_all("--backend emulator");
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_TRUE(says(ran, "the libraries in .deps are of Minix 3, i386, and this is ")) << ran.output;
}

TEST_F(Bundle, ThatIsDamagedIsRefused) {
  std::ofstream(bundle()) << "half an archi";
  const Outcome ran = tree_.run_all("--backend emulator");
  EXPECT_EQ(ran.exit_code, 2) << ran.output;
  EXPECT_TRUE(says(ran, "cannot be unpacked")) << ran.output;
  EXPECT_FALSE(fs::exists(tree_.root() / ".deps"));
  EXPECT_TRUE(nothing_half_made());
}

}  // namespace
}  // namespace warplab::house
