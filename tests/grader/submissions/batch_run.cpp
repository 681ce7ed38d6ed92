#include "tests/grader/submissions/batch_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <system_error>
#include <thread>

namespace warplab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string command_line(const std::filesystem::path& process) {
  std::ifstream in(process / "cmdline", std::ios::binary);
  std::string words(std::istreambuf_iterator<char>(in), {});
  for (char& c : words)
    if (c == '\0') c = ' ';
  return words.empty() ? process.string() + " (no command line)" : words;
}

/// Living children of this process, by /proc: pid and command line.
std::map<pid_t, std::string> children() {
  std::map<pid_t, std::string> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream in(entry.path() / "stat");
    std::string stat;
    std::getline(in, stat);
    const std::size_t behind = stat.rfind(')');  // the name before may hold anything
    if (behind == std::string::npos || stat.size() < behind + 5) continue;
    if (stat[behind + 2] == 'Z' || std::atoi(stat.c_str() + behind + 4) != getpid()) continue;
    found[std::atoi(name.c_str())] = command_line(entry.path());
  }
  return found;
}

/// Reads lines as they come: "[12/140] name   0 of 30".
class Watch {
 public:
  void read(const std::string& text) {
    static const std::regex graded(R"(\[\d+/\d+\] (.*\S) +[-+.e\d]+ of [.\d]+(  .*)?)");
    for (const char c : text) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      if (std::smatch found; std::regex_match(line_, found, graded))
        ends_.emplace_back(found[1], seconds_since(begin_));
      line_.clear();
    }
  }
  std::vector<std::pair<std::string, double>> ends() const { return ends_; }

 private:
  Clock::time_point begin_ = Clock::now();
  std::string line_;
  std::vector<std::pair<std::string, double>> ends_;
};

[[noreturn]] void become(const std::vector<std::string>& arguments, int output) {
  const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/warplab";
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(output, 1);
  dup2(output, 2);
  execv(program.c_str(), words.data());
  _exit(127);
}

}  // namespace

BatchRun run_batch(const std::vector<std::string>& arguments, double timeout_s) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) become(arguments, ends[1]);
  close(ends[1]);

  BatchRun run;
  Watch watch;
  const Clock::time_point begin = Clock::now();
  int status = 0;
  bool ended = false;
  while (!ended) {
    pollfd ready{ends[0], POLLIN, 0};
    if (poll(&ready, 1, 100) > 0) {
      std::array<char, 65536> buffer;
      const ssize_t length = read(ends[0], buffer.data(), buffer.size());
      if (length > 0) {
        const std::string text(buffer.data(), static_cast<std::size_t>(length));
        run.output += text;
        watch.read(text);
        continue;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ended = waitpid(pid, &status, WNOHANG) == pid;
    if (!ended && seconds_since(begin) > timeout_s) {
      kill(pid, SIGKILL);
      ended = waitpid(pid, &status, 0) == pid;
      run.output += "\nkilled by the test: it ran too long\n";
    }
  }
  close(ends[0]);
  run.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  run.ends = watch.ends();

  // What was killed needs a moment to be gone.
  for (int look = 0; look < 20 && !children().empty(); ++look) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (const auto& [left, words] : children()) {
    run.left_running.push_back(words);
    kill(left, SIGKILL);
  }
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  return run;
}

std::map<std::string, double> seconds_of_each(const BatchRun& run, const std::vector<std::string>& order,
                                              std::size_t jobs) {
  std::map<std::string, double> ends(run.ends.begin(), run.ends.end()), seconds;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (const auto end = ends.find(order[i]); end != ends.end() && i < jobs + run.ends.size())
      seconds[order[i]] = end->second - (i < jobs ? 0 : run.ends[i - jobs].second);
  return seconds;
}

}  // namespace warplab
