#include "emulator/driver/commands.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <set>
#include <system_error>

extern char** environ;

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

std::set<pid_t> running;

/// Signals are blocked and asked for: a handler's could come between a look at what it has noted and the
/// wait, and the wait would not end.
struct Signals {
  Signals() {
    sigemptyset(&to_end);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      if (action.sa_handler != SIG_IGN) sigaddset(&to_end, signal);  // nohup
    }
    signal(SIGCHLD, SIG_DFL);  // where it is ignored, nothing is left to wait for
    all = to_end;
    sigaddset(&all, SIGCHLD);
    sigprocmask(SIG_BLOCK, &all, &before);
  }

  sigset_t to_end;  ///< those that end this process
  sigset_t all;     ///< and the one of a command's end
  sigset_t before;  ///< what was blocked, and is for commands
};

const Signals& signals() {
  static const Signals value;
  return value;
}

}  // namespace

void catch_signals() { signals(); }

pid_t start(const Command& command, const fs::path& errors) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (!errors.empty())
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals().before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words[0], &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error) throw std::system_error(error, std::generic_category(), command[0]);
  running.insert(process);
  return process;
}

namespace {

[[noreturn]] void end_commands(int signal) {
  for (const pid_t each : running) kill(each, SIGTERM);
  for (const pid_t each : running) waitpid(each, nullptr, 0);
  running.clear();
  throw Interrupted{signal};
}

}  // namespace

bool wait_for(pid_t process) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process, &status, WNOHANG)) == 0) {
    const int signal = sigwaitinfo(&signals().all, nullptr);
    if (signal > 0 && signal != SIGCHLD) end_commands(signal);
  }
  running.erase(process);
  // Ctrl-C ends the command too, which may be seen first.
  constexpr timespec no_time{};
  if (const int signal = sigtimedwait(&signals().to_end, nullptr, &no_time); signal > 0) end_commands(signal);
  return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = fs::temp_directory_path() / "warplab-cc-XXXXXX";
  if (!mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), pattern);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace warplab::driver
