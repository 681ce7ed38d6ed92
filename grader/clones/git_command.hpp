#pragma once

#include <string>
#include <vector>

namespace warplab {

/// How a git command ended.
struct GitOutcome {
  bool succeeded = false;
  std::string output;   ///< what it printed
  std::string message;  ///< the first line of its errors, printable
};

/// Runs git without asking for passwords, running hooks or reading the user's aliases.
/// @throws NotAvailable if this machine has no git
GitOutcome run_git(const std::vector<std::string>& arguments);

}  // namespace warplab
