#pragma once

#include <sys/types.h>

namespace warplab {

/// A child of this process that leads a process group. Until end() it is only looked at, so that its number
/// and that of its group stay its own.
class GroupLeader {
 public:
  /// @param pid as fork() returned it in the parent; the child makes its group itself, as this does
  explicit GroupLeader(pid_t pid);
  /// Ends the group.
  ~GroupLeader() { end(); }
  GroupLeader(const GroupLeader&) = delete;
  GroupLeader& operator=(const GroupLeader&) = delete;

  pid_t pid() const { return pid_; }
  /// Whether the leader has. Others of its group may still run.
  bool has_ended() const;
  /// Kills what is left of the group, and waits for the leader. The first call counts.
  /// @return the leader's status, as of waitpid()
  int end();

 private:
  pid_t pid_;
  bool is_over_ = false;
  int status_ = 0;
};

}  // namespace warplab
