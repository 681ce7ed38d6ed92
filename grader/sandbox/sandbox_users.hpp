#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplab {

/// A user id for a sandbox, and the open lock file that keeps it for this one.
struct TakenUser {
  uid_t user;
  int lock;
};
/// Takes a user that no other sandbox on this machine has, and kills what is left of his processes. From then
/// on this process adopts the orphans below it. @pre we are root
/// @throws NotAvailable if all are taken; std::system_error if there is no place for the lock
TakenUser take_user(unsigned first_choice);

/// Kills all processes of that user, children of ours among them, until none is left or two seconds have
/// passed. @pre we are root and he is not @return how many are left, of others' children that have ended too
unsigned kill_processes_of(uid_t user);

/// Whether there is such a process that has not ended.
bool is_running(pid_t pid);

/// Whose processes are looked at: those of a user, or those below a process.
struct ProcessGroup {
  std::optional<uid_t> user;
  pid_t root = -1;
};
/// What the processes of a group hold at the moment.
struct ProcessUsage {
  unsigned processes = 0;            ///< that have not ended
  std::uint64_t resident_bytes = 0;  ///< of all, what they share counted for each
  std::uint64_t unnamed_bytes = 0;   ///< of files without a name that they hold open or mapped
};
/// @param files whether to look for files without a name as well
ProcessUsage usage_of(const ProcessGroup& group, bool files);

/// The bytes on disk of all that is in a folder. @return nothing if they are too many to count, too deep, or
/// in a folder that cannot be looked into
std::optional<std::uint64_t> bytes_in(const std::filesystem::path& folder);

}  // namespace warplab
