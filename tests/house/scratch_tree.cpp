#include "tests/house/scratch_tree.hpp"

#include <fstream>
#include <iterator>

namespace warplab::house {

namespace fs = std::filesystem;

namespace {

void write_script(const fs::path& path, const std::string& body) {
  fs::remove(path);
  std::ofstream(path) << "#!/bin/bash\n" << body << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

const char* const fake_cmake = R"(
case $1 in
  --version) echo 'cmake version 3.25.1' ;;
  --preset) mkdir -p build/$2 && touch build/$2/build.ninja && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/$2/CMakeCache.txt ;;
  --build) exit 0 ;;
esac)";

}  // namespace

ScratchTree::ScratchTree() {
  fs::copy_file(fs::path(WARPLAB_SOURCE_DIR) / "run_all.sh", root() / "run_all.sh");
  fs::copy(fs::path(WARPLAB_SOURCE_DIR) / "scripts", root() / "scripts");
  for (const char* folder :
       {"labs/01_alpha", "labs/02_beta", "build/emulator/bin", "build/cuda/bin", "results", "tools"})
    fs::create_directories(root() / folder);
  for (const char* lab : {"01_alpha", "02_beta"})
    std::ofstream(root() / "labs" / lab / "CMakeLists.txt") << "\n";
  for (const char* backend : {"emulator", "cuda"})
    for (const char* program : {"warplab-run", "warplab-results"})
      fs::create_symlink(fs::path(WARPLAB_BINARY_DIR) / "bin" / program,
                         root() / "build" / backend / "bin" / program);
  for (const char* name : {"bash", "env", "sed", "grep", "sort", "head", "tail", "dirname", "cat", "uname",
                           "mkdir", "rm", "mv", "touch", "mktemp", "sleep"}) {
    for (const char* folder : {"/usr/bin", "/bin"}) {
      if (!fs::exists(fs::path(folder) / name) || fs::exists(root() / "tools" / name)) continue;
      fs::create_symlink(fs::path(folder) / name, root() / "tools" / name);
    }
  }
  tool("cmake", fake_cmake);
  tool("ninja", "exit 0");
  tool("g++", "echo 12");
  tool("dpkg-query", "echo installed");
  tool("apt-get", "echo 'E: there is no network in this test'; exit 100");
  tool("sudo", "exit 1");
  tool("nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'");
  tool("nvidia-smi", "exit 9");
  program("alpha", verified_program);
  program("beta", verified_program);
}

void ScratchTree::program(const std::string& lab, const std::string& body) {
  for (const char* backend : {"emulator", "cuda"})
    write_script(root() / "build" / backend / "bin" / lab, "lab=" + lab + R"(
echo "called with $*"
arguments=("$@")
for ((i = 0; i < $#; i++)); do [[ ${arguments[i]} == --json ]] && json=${arguments[i + 1]}; done
)" + body);
}

void ScratchTree::tool(const std::string& name, const std::string& body) {
  write_script(root() / "tools" / name, body);
}

void ScratchTree::remove_tool(const std::string& name) { fs::remove(root() / "tools" / name); }

std::string ScratchTree::command_line(const std::string& arguments) const {
  return "cd '" + root().string() + "' && exec env -i PATH='" + (root() / "tools").string() +
         "' HOME=/nonexistent ./run_all.sh " + arguments;
}

Outcome ScratchTree::run_all(const std::string& arguments) const {
  return run("(" + command_line(arguments) + ") </dev/null");
}

int ScratchTree::count_results() const {
  return static_cast<int>(
      std::distance(fs::directory_iterator(root() / "results"), fs::directory_iterator()));
}

std::string ScratchTree::read(const fs::path& relative) const { return content_of(root() / relative); }

}  // namespace warplab::house
