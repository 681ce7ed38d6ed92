#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warplab {

/// How students' code, and compilers that read it, are kept in.
enum class SandboxLevel {
  bubblewrap,  ///< namespaces: no network, a file system of what is named alone, a pid space of its own
  confined,    ///< a user of its own, limits, no new privileges, no system calls for sockets and tracing
  none         ///< only where it was asked for by name
};
const char* name_of(SandboxLevel level);

/// What a command may see and use. At level `confined` the file system is what permissions leave open, so
/// whatever must stay secret is closed to others.
struct SandboxSpec {
  std::vector<std::filesystem::path>
      visible;  ///< read-only, at their own places; /usr and the like always are
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> bound;  ///< read-only: from, at
  std::filesystem::path folder;  ///< writable, the working folder; empty: a private /tmp alone
  double cpu_s = 60;             ///< processor time of each process
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  ///< address space; 0: no limit, as CUDA needs
  std::uint64_t file_bytes = std::uint64_t{64} << 20;   ///< of each file that is written
  unsigned processes = 64;                              ///< with threads
  unsigned open_files = 128;
};

/// What came of a command.
struct CommandOutcome {
  int exit_code = -1;  ///< 128 + signal where a signal ended it
  bool timed_out = false;
  std::string output;  ///< stdout and stderr; of much, the beginning and the end
};

/// One place to run commands in. What it starts ends with it.
class Sandbox {
 public:
  /// @param slot a number from 0: at level `confined`, sandboxes that are used at a time have different ones
  /// (each is a user id)
  Sandbox(SandboxLevel level, unsigned slot);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  SandboxLevel level() const;
  /// Words to put before a command, whose first word must be a path. Descriptor 3 stays open in it.
  std::vector<std::string> prefix(const SandboxSpec& spec) const;
  /// Runs a command to its end, or kills it with all that it started.
  CommandOutcome run(const SandboxSpec& spec, const std::vector<std::string>& command, double wall_s);
  /// Kills whatever is still running of what was started here, whichever process group or session it moved
  /// to.
  void end_all();
  /// Makes a folder of ours the commands' own, and takes it back.
  void lend(const std::filesystem::path& folder) const;
  void take_back(const std::filesystem::path& folder) const;

 private:
  SandboxLevel level_;
  unsigned slot_;
};

/// The strongest level that works on this machine, tried out. @param why what the stronger ones lack, or ""
SandboxLevel strongest_level(std::string& why);
/// The level of that name, tried out. @throws NotAvailable saying what it lacks
SandboxLevel level_by_name(const std::string& name);

}  // namespace warplab
