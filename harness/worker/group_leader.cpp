#include "harness/worker/group_leader.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace warplab {

GroupLeader::GroupLeader(pid_t pid) : pid_(pid) { setpgid(pid_, pid_); }

bool GroupLeader::has_ended() const {
  if (is_over_) return true;
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 ? info.si_pid == pid_ : errno == ECHILD;
}

int GroupLeader::end() {
  if (is_over_) return status_;
  kill(-pid_, SIGKILL);
  while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  is_over_ = true;
  return status_;
}

}  // namespace warplab
