#pragma once

#include <filesystem>
#include <string>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::house {

/// A folder that looks like the project's root to whoever types a document's commands there: everything but
/// build and results is the real tree, build/emulator holds this build's programs, and `cmake` and `ctest`
/// are stand-ins that check presets, targets and tests for existence instead of building and running them, as
/// all is built.
class ShadowTree {
 public:
  ShadowTree();
  /// Runs a command in the root, after whatever ran there before.
  Outcome run(const std::string& command) const;

 private:
  void tool(const std::string& name, const std::string& body) const;

  ScratchFolder folder_;
};

}  // namespace warplab::house
