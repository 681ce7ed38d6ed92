#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplab {

/// How students' code, and compilers that read it, are kept in.
enum class SandboxLevel {
  bubblewrap,  ///< namespaces: no network, a file system with only what is named, a pid space of its own
  confined,    ///< a user of its own, limits, no new privileges, no system calls for sockets and tracing
  none         ///< only where it was asked for by name
};
const char* name_of(SandboxLevel level);

/// What a command may see and use. At level `confined` a kernel with Landlock keeps it to the files named
/// here too; without Landlock only permissions do, so the caller closes whatever must stay secret (hidden
/// tests, other submissions, results, seeds) to others: folders of mode 700. What is named must be open to
/// all users at level `confined`, with the folders above it.
struct SandboxSpec {
  std::vector<std::filesystem::path> visible =
      {};  ///< read-only, at their own places; /usr and the like always are
  /// Read-only: from, at. At level `confined` they are seen where they are, at `from`.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> bound = {};
  /// Writable, lent before, the working folder; empty: only a private /tmp (at `confined` nothing)
  std::filesystem::path folder = {};
  double cpu_s = 60;                                    ///< processor time of each process
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  ///< address space of each process, and resident of
                                                        ///< all that run() runs; 0: no limit, as CUDA needs
  std::uint64_t file_bytes = std::uint64_t{64} << 20;   ///< of each file that is written
  std::uint64_t disk_bytes = std::uint64_t{256} << 20;  ///< of all files together, those in /tmp apart
  unsigned processes = 64;                              ///< with threads
  unsigned open_files = 128;
  bool gpu = false;  ///< the device files of NVIDIA GPUs as well
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< beside PATH, HOME, LANG, TMPDIR
};

/// The outcome of a command.
struct CommandOutcome {
  int exit_code = -1;  ///< 128 + signal where a signal ended it; 127 if the command cannot be executed
  bool timed_out = false;
  std::string killed_for = {};  ///< why it was killed: "it wrote more than 256 MiB of files"; else ""
  std::string output;           ///< stdout and stderr; of much, the beginning and the end
};

/// One place to run commands in. What it starts ends with it.
///
/// Where we are root, it has a user of its own at both levels, of whom no other living sandbox on this
/// machine is one, and whatever an earlier sandbox left running under that user is killed first. Where we are
/// not root, only bubblewrap works, and the user inside has the rights to files that we have, of the files
/// that it sees.
class Sandbox {
 public:
  /// @param slot a number from 0, the first choice among the users
  /// @throws NotAvailable if we may not use that level, or if all users are taken
  Sandbox(SandboxLevel level, unsigned slot);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  SandboxLevel level() const;
  /// Words to put before a command, whose first word must be a path. Descriptor 3 stays open in it. At level
  /// `none` there are none. At level `confined`, call end_all() after each command that ended.
  /// @throws BadInput naming the path that does not exist
  std::vector<std::string> prefix(const SandboxSpec& spec) const;
  /// Runs a command to its end, or kills it with all that it started. Beside what the limits stop, it is
  /// killed for printing more than 64 MiB, and for more files and memory than the specification grants,
  /// looked at ten times per second. At level `none` only for time and output.
  /// @throws std::system_error if no process can be made
  CommandOutcome run(const SandboxSpec& spec, const std::vector<std::string>& command, double wall_s);
  /// Kills whatever is still running of what was started here, whichever process group or session it moved
  /// to. Ask a ChildProcess how it ended before this.
  void end_all();
  /// Makes a folder of ours, with all that is in it, the commands' own.
  void lend(const std::filesystem::path& folder) const;
  /// Kills what is running and makes the folder ours again. Only folders and plain files with a single name
  /// are left in it: links, pipes and the like, and what is nested more than 64 deep, are removed.
  /// Modes stay, but for ours to read and write and for no other's to write.
  /// @throws std::system_error
  void take_back(const std::filesystem::path& folder) const;
  /// run(), with the specification's folder lent for as long. Of a command that
  /// was killed the output says why.
  CommandOutcome run_on_loan(const SandboxSpec& spec, const std::vector<std::string>& command, double wall_s);

 private:
  void kill_users_processes() const;
  SandboxLevel level_;
  std::optional<uid_t> user_;  ///< that commands run as; nothing where it is ours
  int user_lock_ = -1;         ///< an open file: while it is, no other sandbox takes that user
};

/// The strongest level that works on this machine, tried out. @param why what the stronger ones lack, or ""
SandboxLevel strongest_level(std::string& why);
/// "" if a trivial command runs at that level, or what went wrong.
std::string obstacle_of(SandboxLevel level);
/// The level of that name, tried out. @throws NotAvailable saying what it lacks
SandboxLevel level_by_name(const std::string& name);

}  // namespace warplab
