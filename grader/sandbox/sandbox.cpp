#include "grader/sandbox/sandbox.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <set>

#include "common/host/bad_input.hpp"
#include "grader/sandbox/confinement.hpp"
#include "grader/sandbox/file_rules.hpp"
#include "grader/sandbox/sandbox_users.hpp"
#include "harness/rung/build_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

fs::path confine_path() { return build_root() / "libexec" / "warplab-confine"; }

bool is_root() { return geteuid() == 0; }

std::string bubblewrap_path() {
  for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"})
    if (access(path, X_OK) == 0) return path;
  return "";
}

/// bubblewrap 0.7 and later can. Elsewhere there is no private /tmp, since a sandbox could fill memory by it.
bool can_bound_temporary_folder() {
  static const bool can = [] {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> said(
        popen((bubblewrap_path() + " --version").c_str(), "re"), pclose);
    int major = 0, minor = 0;
    return said && std::fscanf(said.get(), "bubblewrap %d.%d", &major, &minor) == 2 &&
           (major > 0 || minor >= 7);
  }();
  return can;
}

/// Before Linux 5.14 a limit on processes counts all of a user's, also those outside of a user namespace.
bool counts_by_namespace() {
  utsname system{};
  int major = 0, minor = 0;
  return uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 14));
}

std::vector<fs::path> gpu_files() {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev", ignored))
    if (entry.path().filename().string().rfind("nvidia", 0) == 0) files.push_back(entry.path());
  return files;
}

void expect(const fs::path& path) {
  std::error_code ignored;
  if (!path.is_absolute() || !fs::exists(path, ignored))
    throw BadInput("a sandbox is to show '" + path.string() +
                   "', which is not an absolute path of what exists");
}

class BubblewrapWords {
 public:
  BubblewrapWords(const SandboxSpec& spec, bool as_root) {
    // Its first process keeps the environment that it was started with.
    add({"/usr/bin/env", "-i", bubblewrap_path(), "--unshare-pid", "--unshare-ipc", "--unshare-net",
         "--unshare-uts", "--unshare-cgroup-try", "--hostname", "warplab", "--die-with-parent",
         "--new-session"});
    // Root mounts as root, and warplab-confine becomes another user inside: then files that our user may not
    // read can be shown by name, and the kernel need not grant user namespaces to everybody.
    if (as_root)
      add({"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add",
           "CAP_SETPCAP"});
    else
      add({"--unshare-user", "--uid", "60600", "--gid", "60600"});
    show_system();
    if (can_bound_temporary_folder())
      add({"--perms", "1777", "--size", std::to_string(spec.disk_bytes), "--tmpfs", "/tmp"});
    else
      add({"--perms", "0755", "--dir", "/tmp"});
    for (const fs::path& path : spec.visible) bind("--ro-bind", path, path);
    for (const auto& [from, at] : spec.bound) bind("--ro-bind", from, at);
    bind("--ro-bind", confine_path(), confine_path());
    if (spec.gpu) {
      bind("--ro-bind", "/sys", "/sys");
      for (const fs::path& file : gpu_files()) bind("--dev-bind", file, file);
    }
    if (!spec.folder.empty()) bind("--bind", spec.folder, spec.folder);
    // Else our own root, and the folder for shared memory, would be places to write to without a limit.
    add({"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--"});
  }
  std::vector<std::string> words;

 private:
  void add(const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }
  void bind(const char* how, const fs::path& from, const fs::path& at) {
    expect(from);
    // Those that bubblewrap makes by itself are open only to their owner.
    fs::path above;
    for (const fs::path& part : at.parent_path()) {
      above /= part;
      if (above != "/" && made_.insert(above).second) add({"--perms", "0755", "--dir", above});
    }
    add({how, from, at});
  }
  std::set<fs::path> made_{"/tmp", "/usr", "/dev", "/proc"};
  void show_system() {
    add({"--ro-bind", "/usr", "/usr"});
    for (const char* path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
      std::error_code error;
      if (const fs::path target = fs::read_symlink(path, error); !error)
        add({"--symlink", target, path});
      else if (fs::exists(path, error))
        bind("--ro-bind", path, path);
    }
    add({"--proc", "/proc", "--dev", "/dev"});
    // The last tells how many processors there are, and how large their caches.
    for (const char* path : {"/etc/alternatives", "/etc/ld.so.cache", "/sys/devices/system/cpu"})
      if (std::error_code error; fs::exists(path, error)) bind("--ro-bind", path, path);
  }
};

}  // namespace

std::string obstacle_of(SandboxLevel level) {
  if (level == SandboxLevel::none) return "";
  try {
    Sandbox sandbox(level, 0);
    const CommandOutcome outcome = sandbox.run({}, {"/usr/bin/true"}, 10);
    if (outcome.exit_code == 0) return "";
    if (outcome.timed_out) return "a trivial command did not end within 10 s";
    std::string said = outcome.output.substr(0, outcome.output.find('\n'));
    return said.empty() ? fmt::format("a trivial command ended with exit code {}", outcome.exit_code) : said;
  } catch (const std::exception& error) {
    return error.what();
  }
}

const char* name_of(SandboxLevel level) {
  switch (level) {
    case SandboxLevel::bubblewrap:
      return "bubblewrap";
    case SandboxLevel::confined:
      return "confined";
    case SandboxLevel::none:
      return "none";
  }
  return "?";
}

Sandbox::Sandbox(SandboxLevel level, unsigned slot) : level_(level) {
  if (level == SandboxLevel::bubblewrap && bubblewrap_path().empty())
    throw NotAvailable("bubblewrap (bwrap) is not installed");
  if (level == SandboxLevel::confined && !is_root())
    throw NotAvailable("only root can run commands as another user");
  if (level == SandboxLevel::none || !is_root()) return;
  const TakenUser taken = take_user(slot);
  user_ = taken.user;
  user_lock_ = taken.lock;
}

Sandbox::~Sandbox() {
  end_all();
  if (user_lock_ >= 0) close(user_lock_);
}

SandboxLevel Sandbox::level() const { return level_; }

std::vector<std::string> Sandbox::prefix(const SandboxSpec& spec) const {
  if (level_ == SandboxLevel::none) return {};
  Confinement inside;
  inside.user = user_;
  inside.cpu_s = spec.cpu_s;
  inside.memory_bytes = spec.memory_bytes;
  inside.file_bytes = spec.file_bytes;
  inside.processes = user_ || counts_by_namespace() ? spec.processes : 0;
  inside.open_files = spec.open_files;
  const bool bubblewrap = level_ == SandboxLevel::bubblewrap;
  for (const fs::path& path : spec.visible) expect(path), inside.readable.push_back(path);
  for (const auto& [from, at] : spec.bound) expect(from), inside.readable.push_back(bubblewrap ? at : from);
  if (!spec.folder.empty()) {
    expect(spec.folder);
    inside.folder = spec.folder;
    inside.writable.push_back(spec.folder);
  }
  const bool private_tmp = bubblewrap && can_bound_temporary_folder();
  if (private_tmp) inside.writable.push_back("/tmp");
  if (spec.gpu) {
    inside.gpu = true;
    inside.readable.push_back("/sys");
    inside.writable.push_back("/proc");  // the driver names its threads there, and fails if it cannot
    for (const fs::path& file : gpu_files()) inside.writable.push_back(file);
  }
  if (private_tmp || !spec.folder.empty())
    inside.environment.emplace_back("TMPDIR", private_tmp ? "/tmp" : spec.folder.string());
  inside.environment.insert(inside.environment.end(), spec.environment.begin(), spec.environment.end());

  std::vector<std::string> words;
  if (bubblewrap) words = BubblewrapWords(spec, user_.has_value()).words;
  words.push_back(confine_path());
  for (std::string& word : arguments_of(inside)) words.push_back(std::move(word));
  return words;
}

void Sandbox::end_all() { kill_users_processes(); }

void Sandbox::kill_users_processes() const {
  if (user_) kill_processes_of(*user_);
}

SandboxLevel strongest_level(std::string& why) {
  why.clear();
  const std::string bubblewrap = obstacle_of(SandboxLevel::bubblewrap);
  if (bubblewrap.empty()) return SandboxLevel::bubblewrap;
  const std::string confined = obstacle_of(SandboxLevel::confined);
  why = "bubblewrap does not work here (" + bubblewrap + ")";
  if (confined.empty()) {
    if (!files_can_be_restricted()) why += ", and this kernel lacks Landlock, so only permissions hide files";
    return SandboxLevel::confined;
  }
  why += ", nor does a user of its own (" + confined + ")";
  return SandboxLevel::none;
}

SandboxLevel level_by_name(const std::string& name) {
  for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::confined, SandboxLevel::none}) {
    if (name != name_of(level)) continue;
    if (const std::string obstacle = obstacle_of(level); !obstacle.empty())
      throw NotAvailable("the sandbox '" + name + "' does not work here: " + obstacle);
    return level;
  }
  throw BadInput("'" + name + "' is not a sandbox; it is one of auto, bubblewrap, confined and none");
}

}  // namespace warplab
