#pragma once

#include <filesystem>
#include <vector>

#include "tests/grader/submissions/exploit.hpp"

namespace warplab {

/// A hostile entry of a submissions folder that is not a file of source: an archive, a link, a name.
struct HostileEntry {
  std::filesystem::path entry;  ///< as it lies in the folder; any bytes
  Exploit exploit;
};

/// Makes them all in a submissions folder.
/// @param solution a right solution of vector_add/one_per_thread: where it is taken, it may earn its points
/// @param secret a file outside that archives point to
std::vector<HostileEntry> make_hostile_entries(const std::filesystem::path& submissions,
                                               const std::string& solution,
                                               const std::filesystem::path& secret);

}  // namespace warplab
