#include "tests/house/shadow_tree.hpp"

#include <fstream>
#include <set>

namespace warplab::house {

namespace fs = std::filesystem;

namespace {

const std::string sources = WARPLAB_SOURCE_DIR, binary = WARPLAB_BINARY_DIR;

const std::string cmake = R"(
say() { printf '%s\n' "$*" >&2; exit 1; }
case $1 in
  --version) exec /usr/bin/env PATH="$REAL_PATH" cmake --version ;;
  --preset) grep -q "\"name\": \"$2\"" CMakePresets.json || say "there is no preset $2" ;;
  --build)
    grep -q "\"name\": \"$3\"" CMakePresets.json || say "there is no preset $3"
    shift 3
    [[ ${1-} == --target ]] || exit 0
    shift
    for target; do
      [[ $target == -- ]] && break
      PATH=$REAL_PATH cmake --build "$BINARY" --target help | grep -Eq "^($target: phony|.* $target)$" || say "there is no target $target"
    done ;;
  *) say "cmake $*: what this should do is not known to the test" ;;
esac)";

const std::string ctest = R"(
[[ $1 == --preset ]] && shift 2
selected=$(PATH=$REAL_PATH ctest --test-dir "$BINARY" -N "$@") || exit 1
grep -q '^Total Tests: [1-9]' <<<"$selected" || { printf 'no test is selected by: %s\n' "$*" >&2; exit 1; })";

}  // namespace

ShadowTree::ShadowTree() {
  const fs::path root = folder_ / "warplab", build = root / "build/emulator";
  fs::create_directories(build);
  fs::create_directories(root / "results");
  const std::set<std::string> own = {"build", "results", ".git", ".deps"};
  for (const auto& entry : fs::directory_iterator(sources))
    if (!own.contains(entry.path().filename()))
      fs::create_symlink(entry.path(), root / entry.path().filename());
  for (const auto& entry : fs::directory_iterator(sources + "/results"))
    if (const std::string name = entry.path().filename(); !name.starts_with("run-") && name != "latest")
      fs::create_symlink(entry.path(), root / "results" / name);
  for (const char* folder : {"bin", "lib", "libexec", "docs"})
    fs::create_symlink(fs::path(binary) / folder, build / folder);
  folder_.write("warplab/build/emulator/build.ninja", "");
  folder_.write("warplab/build/emulator/CMakeCache.txt",
                "CMAKE_HOME_DIRECTORY:INTERNAL=" + root.string() + "\nWARPLAB_LONG_TESTS:BOOL=ON\n");
  tool("cmake", cmake);
  tool("ctest", ctest);
}

void ShadowTree::tool(const std::string& name, const std::string& body) const {
  const fs::path file = folder_.write("tools/" + name, "#!/usr/bin/env bash\n" + body + "\n");
  fs::permissions(file, fs::perms::owner_all);
}

Outcome ShadowTree::run(const std::string& command) const {
  // A shell of its own for each command: what one exports must be shown again where the next needs it.
  const fs::path script = folder_.write("command.sh", command + "\n");
  return house::run("cd '" + (folder_ / "warplab").string() + "' && BINARY='" + binary +
                    "' REAL_PATH=\"$PATH\" PATH='" + (folder_ / "tools").string() + "':\"$PATH\" bash '" +
                    script.string() + "' </dev/null");
}

}  // namespace warplab::house
