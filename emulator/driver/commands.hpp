#pragma once

#include <sys/types.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplab::driver {

using Command = std::vector<std::string>;

/// A signal asked this process to end.
struct Interrupted {
  int signal;
};

/// From now on SIGINT, SIGTERM and SIGHUP do not end this process: wait_for ends the commands and throws. A
/// signal that is ignored when this is called stays ignored.
void catch_signals();

/// Starts a command. Its stderr goes to the file `errors`, unless that is empty. @throws std::system_error
pid_t start(const Command& command, const std::filesystem::path& errors = {});

/// Waits for a command. @return whether it ended with exit code 0. @throws Interrupted
bool wait_for(pid_t process);

/// A folder of its own for what is needed on the way; removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace warplab::driver
