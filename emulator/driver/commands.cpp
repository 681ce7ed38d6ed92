#include "emulator/driver/commands.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <system_error>

extern char** environ;

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

volatile sig_atomic_t caught = 0;
std::set<pid_t> running;

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { caught = signal; };  // without SA_RESTART: waitpid must see it
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

pid_t start(const Command& command, const fs::path& errors) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (!errors.empty())
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error) throw std::system_error(error, std::generic_category(), command[0]);
  running.insert(process);
  return process;
}

bool wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR || caught) break;
  if (caught) {
    for (pid_t each : running) kill(each, SIGTERM);
    for (pid_t each : running) waitpid(each, nullptr, 0);
    throw Interrupted{caught};
  }
  running.erase(process);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
