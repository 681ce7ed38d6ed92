#include "runner/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "common/host/bad_input.hpp"

namespace warplab::runner {
namespace {

constexpr int grace_s = 5;  ///< from SIGTERM to SIGKILL

bool is_interruptible = true;

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

/// The descriptor of a file to be written; `standard` where none is named. @throws BadInput
int open_output(const std::filesystem::path& path, int standard) {
  if (path.empty()) return standard;
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) throw BadInput("cannot write " + path.string());
  return descriptor;
}

[[noreturn]] void become(const Command& command, int out, int err) {
  setpgid(0, 0);
  const sigset_t set = awaited();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  for (int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (command.is_profiled) setenv("WARPLAB_PROFILE_CALLS", "1", 1);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

/// Asks the group to end, then ends it.
void end_group(pid_t leader) {
  kill(-leader, SIGTERM);
  const sigset_t set = awaited();
  const timespec grace{grace_s, 0};
  int status = 0;
  if (waitpid(leader, &status, WNOHANG) == 0) {
    while (sigtimedwait(&set, nullptr, &grace) > 0)
      if (waitpid(leader, &status, WNOHANG) != 0) return void(kill(-leader, SIGKILL));
    kill(-leader, SIGKILL);
    waitpid(leader, &status, 0);
  }
}

}  // namespace

void hold_signals() {
  signal(SIGCHLD, SIG_DFL);  // where it is ignored, no child can be waited for
  const sigset_t set = awaited();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

void ignore_interrupts() { is_interruptible = false; }

Ending run_child(const Command& command) {
  const int out = open_output(command.out, STDOUT_FILENO);
  const int err = command.err == command.out ? out : open_output(command.err, STDERR_FILENO);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(command, out, command.err.empty() ? STDERR_FILENO : err);
  setpgid(child, child);
  if (!command.out.empty()) close(out);
  if (!command.err.empty() && err != out) close(err);

  const sigset_t set = awaited();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const int signal = sigwaitinfo(&set, nullptr);
    if ((signal == SIGINT || signal == SIGTERM) && is_interruptible) {
      end_group(child);
      throw Interrupted();
    }
  }
  return WIFSIGNALED(status) ? Ending{0, WTERMSIG(status)} : Ending{WEXITSTATUS(status), 0};
}

}  // namespace warplab::runner
