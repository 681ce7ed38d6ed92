#include "grader/sandbox/confinement.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "common/host/bad_input.hpp"
#include "grader/sandbox/file_rules.hpp"
#include "grader/sandbox/seccomp_filter.hpp"

namespace warplab {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void become(uid_t user) {
  if (user == 0) throw BadInput("a command is not confined as root");
  for (int capability = 0; capability <= 63; ++capability)  // the kernel ends the list with EINVAL
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL) fail("dropping capabilities");
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    fail("changing to user " + std::to_string(user));
}

/// Also where no user was changed: one who made a user namespace holds every capability in it.
void drop_capabilities() {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) fail("giving up capabilities");
}

void limit(decltype(RLIMIT_CPU) what, std::uint64_t most, const char* name, std::uint64_t grace = 0) {
  rlimit present{};
  if (getrlimit(what, &present) != 0) fail(name);
  rlimit wanted{most, most + grace};
  wanted.rlim_max = std::min<rlim_t>(wanted.rlim_max, present.rlim_max);
  wanted.rlim_cur = std::min<rlim_t>(wanted.rlim_cur, wanted.rlim_max);
  if (setrlimit(what, &wanted) != 0) fail(std::string("limiting ") + name);
}

void set_limits(const Confinement& c) {
  limit(RLIMIT_CORE, 0, "core files");
  limit(RLIMIT_MEMLOCK, 0, "locked memory");
  limit(RLIMIT_MSGQUEUE, 0, "message queues");
  // SIGXCPU first, which tells why, and SIGKILL a second later.
  if (c.cpu_s > 0) limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(c.cpu_s)), "processor time", 1);
  if (c.memory_bytes) limit(RLIMIT_AS, c.memory_bytes, "memory");
  if (c.file_bytes) limit(RLIMIT_FSIZE, c.file_bytes, "the size of files");
  if (c.processes) limit(RLIMIT_NPROC, c.processes, "processes");
  if (c.open_files) limit(RLIMIT_NOFILE, c.open_files, "open files");
}

void set_environment(const Confinement& c) {
  clearenv();
  setenv("PATH", "/usr/bin:/bin", 1);
  setenv("LANG", "C.UTF-8", 1);
  setenv("HOME", c.folder.c_str(), 1);
  for (const auto& [name, value] : c.environment) setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace

void confine(const Confinement& c) {
  const pid_t parent = getppid();
  // The last descriptors that are kept are the worker's socket and its pipe for the emulator's reports; one
  // that is not open stays so.
  constexpr unsigned first_closed = 5;
  if (syscall(SYS_close_range, first_closed, ~0u, 0u) != 0) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    for (rlim_t descriptor = first_closed; descriptor < std::min<rlim_t>(files.rlim_cur, 1 << 20);
         ++descriptor)
      close(static_cast<int>(descriptor));
  }
  if (c.user) become(*c.user);
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("giving up privileges");
  // Again, since changing users forgets it; the parent may have died before.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("ending with the parent");
  if (getppid() != parent) _exit(128 + SIGKILL);
  umask(022);
  if (chdir(c.folder.c_str()) != 0) fail("entering " + c.folder.string());
  set_environment(c);
  restrict_files(c.readable, c.writable);
  set_limits(c);
  filter_system_calls(c.gpu);
}

// --- As words ---

std::vector<std::string> arguments_of(const Confinement& c) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (c.user) add("--user", std::to_string(*c.user));
  add("--folder", c.folder);
  add("--cpu-seconds", std::to_string(c.cpu_s));
  add("--memory-bytes", std::to_string(c.memory_bytes));
  add("--file-bytes", std::to_string(c.file_bytes));
  add("--processes", std::to_string(c.processes));
  add("--open-files", std::to_string(c.open_files));
  if (c.gpu) add("--gpu", "1");
  for (const auto& path : c.readable) add("--read", path);
  for (const auto& path : c.writable) add("--write", path);
  for (const auto& [name, value] : c.environment) add("--set", name + "=" + value);
  words.push_back("--");
  return words;
}

Confinement confinement_from(char** words, int count, int& next) {
  Confinement c;
  while (next < count) {
    const std::string flag = words[next++];
    if (flag == "--") return c;
    if (next == count) throw BadInput(flag + " lacks its value");
    const std::string value = words[next++];
    const auto number = [&] {
      std::size_t used = 0;
      std::uint64_t result = 0;
      try {
        result = std::stoull(value, &used);
      } catch (const std::logic_error&) {
      }
      if (used == 0 || used != value.size()) throw BadInput(flag + " is '" + value + "'; it takes a number");
      return result;
    };
    if (flag == "--user")
      c.user = static_cast<uid_t>(number());
    else if (flag == "--folder")
      c.folder = value;
    else if (flag == "--cpu-seconds")
      c.cpu_s = std::strtod(value.c_str(), nullptr);
    else if (flag == "--memory-bytes")
      c.memory_bytes = number();
    else if (flag == "--file-bytes")
      c.file_bytes = number();
    else if (flag == "--processes")
      c.processes = number();
    else if (flag == "--open-files")
      c.open_files = number();
    else if (flag == "--gpu")
      c.gpu = number() != 0;
    else if (flag == "--read")
      c.readable.push_back(value);
    else if (flag == "--write")
      c.writable.push_back(value);
    else if (const std::size_t equals = value.find('='); flag == "--set" && equals != std::string::npos)
      c.environment.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    else
      throw BadInput("'" + flag + " " + value + "' is not an option of warplab-confine");
  }
  throw BadInput("there is no -- and no command after it");
}

}  // namespace warplab
