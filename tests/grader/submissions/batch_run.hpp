#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace warplab {

/// One run of the program `warplab`, watched from outside.
struct BatchRun {
  int exit_code = -1;  ///< 128 + signal
  std::string output;
  /// Submissions as they were graded: the name that was printed, and when, in seconds from the beginning.
  std::vector<std::pair<std::string, double>> ends;
  std::vector<std::string>
      left_running;  ///< command lines of processes that it left behind; they were killed
};

/// Runs it. Processes that lose their parent become this process's children while it
/// runs, so that none is missed.
/// @param arguments of the program, the subcommand first
/// @throws std::system_error if no process can be made
BatchRun run_batch(const std::vector<std::string>& arguments, double timeout_s);

/// How long each submission was worked on, in seconds: they begin in their order, the first `jobs` at once,
/// and then another one whenever one has ended.
std::map<std::string, double> seconds_of_each(const BatchRun& run, const std::vector<std::string>& order,
                                              std::size_t jobs);

}  // namespace warplab
