#include "grader/doctor/machine.hpp"

#include <stdio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "common/io/file_content.hpp"
#include "grader/text/shell_line.hpp"

namespace warplab {

namespace fs = std::filesystem;

std::optional<std::string> ThisMachine::output_of(const std::vector<std::string>& command) const {
  // A driver that hangs must not hang whoever asks about it.
  FILE* const pipe = popen(("timeout 20 " + shell_line(command) + " 2>/dev/null </dev/null").c_str(), "re");
  if (!pipe) return std::nullopt;
  std::string output;
  char part[4096];
  for (std::size_t length; (length = fread(part, 1, sizeof part, pipe)) > 0;) output.append(part, length);
  const int status = pclose(pipe);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::optional(output) : std::nullopt;
}

std::optional<std::string> ThisMachine::text_of(const fs::path& file) const { return readable_content(file); }

std::string ThisMachine::variable(const std::string& name) const {
  const char* const value = std::getenv(name.c_str());
  return value ? value : "";
}

bool ThisMachine::has_nvidia_device() const {
  std::error_code error;
  for (fs::directory_iterator entry("/sys/bus/pci/devices", error), end; !error && entry != end;
       entry.increment(error))
    if (text_of(entry->path() / "vendor").value_or("").starts_with("0x10de") &&
        text_of(entry->path() / "class").value_or("").starts_with("0x03"))
      return true;
  return false;
}

bool ThisMachine::is_root() const { return geteuid() == 0; }

bool ThisMachine::has_apt() const { return fs::exists("/usr/bin/apt-get"); }

std::uint64_t ThisMachine::free_disk_bytes(const fs::path& folder) const {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return error ? 0 : space.available;
}

std::uint64_t ThisMachine::available_memory_bytes() const {
  std::istringstream lines(text_of("/proc/meminfo").value_or(""));
  std::string name, unit;
  for (std::uint64_t kib; lines >> name >> kib && std::getline(lines, unit);)
    if (name == "MemAvailable:") return kib * 1024;
  return 0;
}

std::string ThisMachine::obstacle_of(SandboxLevel level) const { return warplab::obstacle_of(level); }

std::string ThisMachine::processor() const {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

bool ThisMachine::reads_machine_code() const {
#ifdef WARPLAB_ZYDIS
  return true;
#else
  return false;
#endif
}

bool ThisMachine::reads_archives() const {
#ifdef WARPLAB_LIBARCHIVE
  return true;
#else
  return false;
#endif
}

}  // namespace warplab
