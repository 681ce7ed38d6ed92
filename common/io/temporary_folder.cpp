#include "common/io/temporary_folder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr int exit_interrupted = 130;

std::mutex mutex;
/// Each with the process that made it: a child of that process does not remove it.
std::map<fs::path, pid_t>& folders() {
  static std::map<fs::path, pid_t> all;
  return all;
}

pid_t owner = 0;
std::array<int, 2> wake{-1, -1};  ///< from the handler to the thread that waits

/// A child of ours that has not become another program yet does nothing here.
extern "C" void on_interrupt(int) {
  const int saved = errno;
  if (getpid() == owner && ::write(wake[1], "", 1) < 0) _exit(exit_interrupted);
  errno = saved;
}

void wait_and_end(const std::string& program) {
  char byte;
  while (::read(wake[0], &byte, 1) < 0 && errno == EINTR) {
  }
  const std::scoped_lock lock(mutex);  // nobody makes another now
  for (const auto& [folder, maker] : folders())
    for (int attempt = 0; maker == getpid() && attempt < 3; ++attempt) {  // others may still write there
      std::error_code failed;
      fs::remove_all(folder, failed);
      if (!failed) break;
    }
  std::fflush(stdout);
  std::fprintf(stderr, "%s: interrupted\n", program.c_str());
  _exit(exit_interrupted);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const fs::path& beginning) {
  std::string name = beginning.string() + "XXXXXX";
  const std::scoped_lock lock(mutex);
  if (!mkdtemp(name.data()))
    throw fs::filesystem_error("cannot make a folder", name, {errno, std::generic_category()});
  path_ = name;
  folders().emplace(path_, getpid());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  leave_when_interrupted();
}

void TemporaryFolder::leave_when_interrupted() {
  const std::scoped_lock lock(mutex);
  folders().erase(path_);
}

void end_tidily(const std::string& program) {
  if (pipe2(wake.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  owner = getpid();
  folders();  // so that it is there at the end
  std::thread(wait_and_end, program).detach();
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace warplab
