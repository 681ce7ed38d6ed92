#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::test {

using house::Outcome;
namespace fs = std::filesystem;

/// Runs warplab-cc in a folder of the test's own.
class WarplabCc : public testing::Test {
 protected:
  /// In the folder, with temporary files in a folder that must be left empty.
  Outcome run(const std::string& command) const {
    fs::create_directories(folder_ / "tmp");
    return house::run("cd '" + folder_.path().string() + "' && TMPDIR='" + (folder_ / "tmp").string() + "' " +
                      command);
  }
  Outcome compile(const std::string& arguments) const {
    return run(WARPLAB_BINARY_DIR "/bin/warplab-cc " + arguments);
  }
  /// What the folder holds besides the sources, sorted.
  std::vector<std::string> made() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      if (const std::string kind = entry.path().extension();
          kind != ".cu" && kind != ".cpp" && kind != ".cuh")
        names.push_back(entry.path().filename());
    std::erase(names, "tmp");
    std::sort(names.begin(), names.end());
    return names;
  }
  using Names = std::vector<std::string>;

  const ScratchFolder folder_;
};

inline bool says(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

}  // namespace warplab::test
