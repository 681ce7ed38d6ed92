#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/doctor/machine.hpp"

namespace warplab {

/// One thing that was looked at.
struct DoctorItem {
  enum class State {
    well,
    lacking,  ///< something is left out, and everything else works
    broken    ///< what it belongs to does not work
  };
  State state;
  std::string what;    ///< "cmake 3.25.1", "ccache is not installed: builds take longer than they need"
  std::string remedy;  ///< the command that fixes it, or ""
};

/// What was found, by what it matters for.
struct Diagnosis {
  struct Part {
    std::string title;
    std::vector<DoctorItem> items;
    bool works() const;
  };
  Part emulator{"The emulator", {}}, gpu{"The GPU", {}}, grading{"Grading", {}}, extras{"Extras", {}};
  /// Labs run where its part works.
  bool labs_run() const { return emulator.works() || gpu.works(); }
};

/// Looks over a machine on which labs are to run.
/// @param root of the tree, in whose build folder the architectures of a GPU's build are looked up
Diagnosis diagnose(const Machine& machine, const std::filesystem::path& root);

std::string to_text(const Diagnosis& diagnosis);

}  // namespace warplab
