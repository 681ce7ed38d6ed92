#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplab {

/// What a git command may take: whoever made a repository decides what comes of it.
struct GitLimits {
  std::uint64_t file_bytes = std::uint64_t{1} << 30;  ///< of each file that it writes
  unsigned cpu_s = 300;
};

/// How a git command ended.
struct GitOutcome {
  bool succeeded = false;
  bool is_beyond_limits = false;
  std::string output;   ///< what it printed
  std::string message;  ///< the first line of its errors, printable
};

/// Runs git without asking for passwords, running hooks or reading the user's aliases.
/// @throws NotAvailable if this machine has no git
GitOutcome run_git(const std::vector<std::string>& arguments, const GitLimits& limits = {});

}  // namespace warplab
