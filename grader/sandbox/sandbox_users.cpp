#include "grader/sandbox/sandbox_users.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>

#include "common/host/bad_input.hpp"
#include "common/timer.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

// systemd's list of user ids leaves 60578 to 61183 unused, and containers have ids below 65536.
constexpr uid_t first_user = 60600;
constexpr unsigned users = 500;
constexpr const char* lock_folder = "/run/warplab-sandbox";

struct Process {
  pid_t pid = 0, parent = 0, session = 0;
  bool is_bubblewrap = false;
  uid_t user = 0;
  bool ended = false;
  std::uint64_t resident_bytes = 0;
};

std::optional<Process> process(const char* pid) {
  // Not the owner of the folder: a process that makes itself unreadable is listed as root's.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen((std::string("/proc/") + pid + "/status").c_str(), "re"), std::fclose);
  if (!file) return std::nullopt;
  Process p;
  p.pid = std::atoi(pid);
  char line[256];
  while (std::fgets(line, sizeof line, file.get())) {
    const std::string_view text = line;
    const auto number = [&] { return std::strtoull(line + text.find(':') + 1, nullptr, 10); };
    if (text == "Name:\tbwrap\n") p.is_bubblewrap = true;
    if (text.starts_with("State:\tZ") || text.starts_with("State:\tX")) p.ended = true;
    if (text.starts_with("PPid:")) p.parent = static_cast<pid_t>(number());
    if (text.starts_with("NSsid:")) p.session = static_cast<pid_t>(number());
    if (text.starts_with("Uid:")) p.user = static_cast<uid_t>(number());
    if (text.starts_with("VmRSS:")) p.resident_bytes = number() * 1024;
  }
  return p;
}

std::vector<Process> all_processes() {
  std::vector<Process> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr)
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
      if (const auto p = process(entry->d_name)) found.push_back(*p);
  return found;
}

std::vector<Process> members_of(const ProcessGroup& group) {
  const std::vector<Process> all = all_processes();
  std::vector<Process> members;
  if (group.user) {
    for (const Process& p : all)
      if (p.user == *group.user && !p.ended) members.push_back(p);
    return members;
  }
  std::multimap<pid_t, const Process*> children;
  for (const Process& p : all) children.emplace(p.parent, &p);
  for (std::vector<pid_t> open{group.root}; !open.empty();) {
    const auto [begin, end] = children.equal_range(open.back());
    open.pop_back();
    for (auto child = begin; child != end; ++child) {
      if (!child->second->ended) members.push_back(*child->second);
      open.push_back(child->second->pid);
    }
  }
  return members;
}

using Seen = std::set<std::pair<dev_t, ino_t>>;

std::uint64_t unnamed_bytes(const Process& p, Seen& seen) {
  std::uint64_t bytes = 0;
  for (const char* where : {"/fd", "/map_files"}) {
    const std::string place = "/proc/" + std::to_string(p.pid) + where;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(place.c_str()), closedir);
    while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
      struct stat status {};
      if (entry->d_name[0] == '.' || fstatat(dirfd(folder.get()), entry->d_name, &status, 0) != 0) continue;
      if (S_ISREG(status.st_mode) && status.st_nlink == 0 &&
          seen.emplace(status.st_dev, status.st_ino).second)
        bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
    }
  }
  return bytes;
}

/// As that user, kill(-1) reaches all of his processes at once, and no other's.
/// @return whether there was surely none, not even one that has ended and is still listed
bool kill_all_as(uid_t user) {
  constexpr int nobody = 1;
  const pid_t killer = fork();
  if (killer < 0) return false;
  if (killer == 0) {
    // The kernel's own calls: the C library's would wait for threads that this child has not.
    const bool is_user = syscall(SYS_setresgid, user, user, user) == 0 &&
                         syscall(SYS_setresuid, user, user, user) == 0 && getuid() == user &&
                         geteuid() == user;
    _exit(is_user && kill(-1, SIGKILL) != 0 && errno == ESRCH ? nobody : 0);
  }
  int status = 0;
  while (waitpid(killer, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == nobody;
}

/// The children of this process, or nothing on a kernel that does not list them.
std::optional<std::vector<pid_t>> own_children() {
  std::vector<pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(opendir("/proc/self/task"), closedir);
  while (const dirent* entry = threads ? readdir(threads.get()) : nullptr) {
    if (entry->d_name[0] == '.') continue;
    const std::string place = std::string("/proc/self/task/") + entry->d_name + "/children";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(place.c_str(), "re"), std::fclose);
    if (!file) return std::nullopt;
    for (int child = 0; std::fscanf(file.get(), "%d", &child) == 1;) children.push_back(child);
  }
  return children;
}

/// The first process of a pid space, bubblewrap's own, comes to us when its parent has ended.
void bury(const Process& p) {
  if (p.is_bubblewrap && p.ended && p.parent == getpid() && p.session == p.pid)
    waitpid(p.pid, nullptr, WNOHANG);
}

/// Asks the kernel in place of reading what it lists of each process on this machine.
bool has_no_process(uid_t user) {
  const auto children = own_children();
  if (!children) return false;
  for (const pid_t child : *children)
    if (const auto p = process(std::to_string(child).c_str())) bury(*p);
  return kill_all_as(user);
}

}  // namespace

TakenUser take_user(unsigned first_choice) {
  // A process that a command leaves becomes our child when its parent ends; kill_processes_of reaps it.
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
    throw std::system_error(errno, std::generic_category(), "adopting processes");
  if (mkdir(lock_folder, 0700) != 0 && errno != EEXIST)
    throw std::system_error(errno, std::generic_category(), lock_folder);
  for (unsigned i = 0; i < users; ++i) {
    const uid_t user = first_user + (first_choice + i) % users;
    const std::string name = std::string(lock_folder) + "/" + std::to_string(user);
    const int lock = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0) throw std::system_error(errno, std::generic_category(), name);
    // Where the first process of a container does not bury the dead, they count as
    // a user's processes for ever.
    if (flock(lock, LOCK_EX | LOCK_NB) == 0 && kill_processes_of(user) == 0) return {user, lock};
    close(lock);
  }
  throw NotAvailable("all " + std::to_string(users) + " users for sandboxes are taken");
}

unsigned kill_processes_of(uid_t user) {
  if (user == 0 || has_no_process(user)) return 0;
  const HostTimer timer;
  for (int round = 0;; ++round) {
    unsigned running = 0, ended = 0;
    for (const Process& p : all_processes()) {
      bury(p);
      if (p.user != user) continue;
      if (!p.ended)
        ++running;
      else if (p.parent != getpid() || waitpid(p.pid, nullptr, WNOHANG) <= 0)
        ++ended;
    }
    // Those that have ended are a while with their parents, who may be ending as well.
    if (running + ended == 0 || timer.elapsed_ms() > (running ? 2000 : 200)) return running + ended;
    if (running) kill_all_as(user);
    usleep(1000u << std::min(round, 5));
  }
}

bool is_running(pid_t pid) {
  const auto p = process(std::to_string(pid).c_str());
  return p && !p->ended;
}

ProcessUsage usage_of(const ProcessGroup& group, bool files) {
  ProcessUsage usage;
  Seen seen;
  for (const Process& p : members_of(group)) {
    ++usage.processes;
    usage.resident_bytes += p.resident_bytes;
    if (files) usage.unnamed_bytes += unnamed_bytes(p, seen);
  }
  return usage;
}

std::optional<std::uint64_t> bytes_in(const fs::path& folder) {
  constexpr std::size_t max_entries = 50'000;
  constexpr int deepest = 64;
  std::uint64_t bytes = 0;
  std::size_t entries = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    struct stat status {};
    if (lstat(it->path().c_str(), &status) == 0) bytes += static_cast<std::uint64_t>(status.st_blocks) * 512;
    if (++entries > max_entries || it.depth() > deepest) return std::nullopt;
  }
  // A process that ends while it is looked at does no harm.
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    return std::nullopt;
  return bytes;
}

}  // namespace warplab
