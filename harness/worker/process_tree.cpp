#include "harness/worker/process_tree.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A thread's, or a process's with all its threads.
struct Stat {
  char state = '?';
  double cpu_s = 0;
};

Stat stat_of(const fs::path& folder) {
  static const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream file(folder / "stat");
  std::string text, skipped;
  std::getline(file, text, '\0');
  const std::size_t named = text.rfind(')');  // the name may hold anything
  if (named == std::string::npos) return {};
  std::istringstream fields(text.substr(named + 1));
  Stat stat;
  fields >> stat.state;
  for (int i = 0; i < 10; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  stat.cpu_s = (user + system) / ticks_a_second;
  return stat;
}

double queued_s_of(const fs::path& thread) {
  std::ifstream file(thread / "schedstat");
  double ran_ns = 0, queued_ns = 0;
  return file >> ran_ns >> queued_ns ? queued_ns / 1e9 : 0;
}

}  // namespace

ProcessTreeUse use_of_tree(pid_t root) {
  constexpr std::size_t most = 1000;  // of a tree that grows while it is looked at
  ProcessTreeUse use;
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size() && i < most; ++i) {
    const fs::path process = "/proc/" + std::to_string(tree[i]);
    use.cpu_s += stat_of(process).cpu_s;
    std::error_code gone;
    for (fs::directory_iterator thread(process / "task", gone), end; !gone && thread != end;
         thread.increment(gone)) {
      const char state = stat_of(thread->path()).state;
      use.queued_s += queued_s_of(thread->path());
      use.wants_to_run = use.wants_to_run || state == 'R' || state == 'D';
      std::ifstream file(thread->path() / "children");
      for (pid_t child; file >> child;) tree.push_back(child);
    }
  }
  return use;
}

}  // namespace warplab
