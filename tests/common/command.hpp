#pragma once

#include <string>

namespace warplab::house {

struct Outcome {
  int exit_code;       ///< as a shell reports it: 128 + the signal for a program that was killed
  std::string output;  ///< standard output and standard error together
};

/// Runs a shell command and waits for it.
Outcome run(const std::string& command);

}  // namespace warplab::house
