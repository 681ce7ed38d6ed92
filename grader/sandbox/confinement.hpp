#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplab {

/// What libexec/warplab-confine does to itself before it becomes the command that follows its options. On top
/// of what is said here it always closes descriptors from 4 on, empties the environment, gives up privileges
/// and capabilities for good, and filters system calls.
struct Confinement {
  std::optional<uid_t> user;  ///< to become, with the group of the same number; needs root
  std::filesystem::path folder = "/";
  double cpu_s = 0;                ///< of each process; 0: no limit, as for all that follow
  std::uint64_t memory_bytes = 0;  ///< address space of each process
  std::uint64_t file_bytes = 0;    ///< of each file that is written
  std::uint64_t processes = 0;     ///< of the user, with threads
  std::uint64_t open_files = 0;
  bool gpu = false;  ///< it may listen on a local socket, as filter_system_calls() says
  std::vector<std::filesystem::path> readable = {};  ///< with what is below; beside what every program needs
  std::vector<std::filesystem::path> writable = {};  ///< with what is below
  std::vector<std::pair<std::string, std::string>> environment = {};
};

/// As words for the command line of warplab-confine, `--` the last.
std::vector<std::string> arguments_of(const Confinement& confinement);
/// What such words say. @param next in: the first word; out: the one after `--`
/// @throws BadInput naming the word that is unknown or lacks its value
Confinement confinement_from(char** words, int count, int& next);

/// Confines this process. @throws std::system_error naming the step that failed
void confine(const Confinement& confinement);

}  // namespace warplab
