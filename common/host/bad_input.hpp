#pragma once

#include <stdexcept>

namespace warplab {

/// What the user asked for cannot be: one clear sentence. Programs print it and end with exit code 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was asked for does not exist on this machine (no GPU, no such feature): exit code 3.
struct NotAvailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The exit codes of every warplab program.
enum ExitCode : int {
  exit_ok = 0,
  exit_check_failed = 1,
  exit_bad_input = 2,
  exit_not_available = 3,
  exit_fault = 4
};

}  // namespace warplab
