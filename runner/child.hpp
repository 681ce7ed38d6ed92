#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace warplab::runner {

/// A program to run.
struct Command {
  std::vector<std::string> words;  ///< the program, looked up in PATH, and its arguments
  std::filesystem::path out, err;  ///< files for its outputs, which may be one; empty: where ours go
  bool is_profiled = false;        ///< sets WARPLAB_PROFILE_CALLS=1
};

/// How a program ended.
struct Ending {
  int exit_code = 0;  ///< meaningless where a signal ended it
  int signal = 0;     ///< or 0
  bool is_success() const { return exit_code == 0 && signal == 0; }
};

/// Somebody asked this program to stop (Ctrl-C, or a batch system).
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// Lets SIGINT and SIGTERM wait until run_child looks for them. To be called first, by the only thread.
void hold_signals();

/// From now on nothing interrupts: what ran is written to the end.
void ignore_interrupts();

/// Runs a program in a process group of its own and waits until it ends.
/// @throws Interrupted once the whole group has ended, if this program was asked to stop
/// @throws BadInput if an output cannot be written; std::system_error if there can be no process
Ending run_child(const Command& command);

}  // namespace warplab::runner
