// Runs one command in a sandbox and watches it.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "common/host/descriptor.hpp"
#include "common/timer.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/sandbox/sandbox_users.hpp"
#include "harness/worker/child_process.hpp"
#include "harness/worker/group_leader.hpp"

namespace warplab {
namespace {

constexpr std::uint64_t max_output_bytes = std::uint64_t{64} << 20;
constexpr double look_every_ms = 100;
constexpr int report_descriptor = 5;  // that bubblewrap writes to; closed before the command

/// A child in a process group of its own whose outputs go into one pipe.
class RunningCommand {
 public:
  /// @param reports_expected whether bubblewrap is told to report to report_descriptor
  RunningCommand(const std::vector<std::string>& command, bool reports_expected) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const Descriptor output_end = pipe_into(pipe_), reports_end = pipe_into(reports_);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) become(words, output_end, reports_expected ? +reports_end : -1, parent);
    leader_.emplace(pid);
    end_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));  // none before Linux 5.3
    for (const int end : {+pipe_, +reports_}) fcntl(end, F_SETFL, O_NONBLOCK);
  }

  pid_t pid() const { return leader_->pid(); }

  /// Waits for output, for the end or for so long, and reads what there is.
  void listen(int wait_ms) {
    std::array<pollfd, 2> watched{{{open_ ? +pipe_ : -1, POLLIN, 0}, {end_, POLLIN, 0}}};
    poll(watched.data(), watched.size(), wait_ms);
    read_some();
  }
  void read_some() {
    std::array<char, 16384> buffer;
    ssize_t length = 0;
    // Not for ever, while somebody prints faster than this reads.
    for (int i = 0; i < 64 && open_ && (length = read(pipe_, buffer.data(), buffer.size())) > 0; ++i) {
      printed_bytes_ += static_cast<std::uint64_t>(length);
      output_.append(buffer.data(), static_cast<std::size_t>(length));
    }
    if (open_ && length == 0) open_ = false;
  }

  /// The first process of the command's pid space as bubblewrap reported it; -1 if there is none.
  pid_t first_process() {
    std::array<char, 256> text{};
    if (first_process_ < 0 && read(reports_, text.data(), text.size() - 1) > 0)
      if (const char* const number = std::strpbrk(text.data(), "0123456789"))
        first_process_ = std::atoi(number);
    return first_process_;
  }

  bool has_ended() const { return leader_->has_ended(); }
  void kill() { status_ = leader_->end(); }
  /// @pre it was killed, or was to be after its end
  int exit_code() const { return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_); }
  std::uint64_t printed_bytes() const { return printed_bytes_; }
  std::string output() { return output_.take(); }

 private:
  /// In the child: async-signal-safe calls only.
  [[noreturn]] static void become(const std::vector<char*>& words, int output, int reports, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    const int to = fcntl(output, F_DUPFD_CLOEXEC, 10);
    const int report_to = fcntl(reports, F_DUPFD_CLOEXEC, 10);
    const int none = fcntl(open("/dev/null", O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 10);
    dup2(none, 0);
    dup2(to, 1);
    dup2(to, 2);
    if (reports >= 0) dup2(report_to, report_descriptor);
    for (const int of_worker : {3, 4}) close(of_worker);  // its socket and its reports; here there are none
    execv(words[0], words.data());
    _exit(127);
  }

  Descriptor pipe_, reports_, end_;
  std::optional<GroupLeader> leader_;
  pid_t first_process_ = -1;
  int status_ = 0;
  bool open_ = true;
  std::uint64_t printed_bytes_ = 0;
  CapturedText output_;
};

/// Why a command is to be killed for what it and its children hold, or "".
std::string excess(const SandboxSpec& spec, const ProcessGroup& group) {
  const std::string files =
      fmt::format("it wrote more than {} MiB of files", std::max<std::uint64_t>(spec.disk_bytes >> 20, 1));
  std::uint64_t bytes = 0;
  if (!spec.folder.empty()) {
    const auto named = bytes_in(spec.folder);
    if (!named) return "it made more files, or folders nested deeper, than can be looked at";
    bytes = *named;
    if (bytes > spec.disk_bytes) return files;
  }
  const ProcessUsage usage = usage_of(group, true);
  if (bytes + usage.unnamed_bytes > spec.disk_bytes) return files;
  if (spec.memory_bytes && usage.resident_bytes > spec.memory_bytes)
    return fmt::format("its processes together took more than {} MiB of memory", spec.memory_bytes >> 20);
  return "";
}

}  // namespace

CommandOutcome Sandbox::run(const SandboxSpec& spec, const std::vector<std::string>& command, double wall_s) {
  std::vector<std::string> words = prefix(spec);
  const bool bubblewrap = level_ == SandboxLevel::bubblewrap;
  if (bubblewrap)
    words.insert(std::find(words.begin(), words.end(), "--unshare-pid"),
                 {"--info-fd", std::to_string(report_descriptor)});
  words.insert(words.end(), command.begin(), command.end());
  CommandOutcome outcome;
  const HostTimer timer;
  RunningCommand running(words, bubblewrap);
  const ProcessGroup group{user_, running.pid()};
  double next_look_ms = look_every_ms;
  while (!running.has_ended()) {
    // An old kernel does not tell of an end.
    running.listen(static_cast<int>(std::clamp(wall_s * 1000 - timer.elapsed_ms(), 0.0, 10.0)));
    if (timer.elapsed_ms() >= wall_s * 1000)
      outcome.timed_out = true;
    else if (running.printed_bytes() > max_output_bytes)
      outcome.killed_for = fmt::format("it printed more than {} MiB", max_output_bytes >> 20);
    else if (level_ != SandboxLevel::none && timer.elapsed_ms() >= next_look_ms) {
      outcome.killed_for = excess(spec, group);
      next_look_ms = timer.elapsed_ms() + look_every_ms;
    }
    if (outcome.timed_out || !outcome.killed_for.empty()) {
      if (running.has_ended()) outcome = {};  // just now, by itself
      break;
    }
  }
  const pid_t first_process = running.first_process();
  running.kill();
  // The kernel ends a pid space with its first process, but not at once.
  for (int i = 0; i < 2000 && first_process > 0 && is_running(first_process); ++i) usleep(1000);
  kill_users_processes();
  running.read_some();
  outcome.exit_code = running.exit_code();
  outcome.output = running.output();
  return outcome;
}

CommandOutcome Sandbox::run_on_loan(const SandboxSpec& spec, const std::vector<std::string>& command,
                                    double wall_s) {
  lend(spec.folder);
  CommandOutcome outcome;
  try {
    outcome = run(spec, command, wall_s);
  } catch (...) {
    take_back(spec.folder);
    throw;
  }
  take_back(spec.folder);
  if (!outcome.killed_for.empty()) outcome.output = outcome.killed_for + "\n";
  return outcome;
}

}  // namespace warplab
