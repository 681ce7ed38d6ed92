#include "grader/batch/isolated_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace warplab {
namespace {

constexpr std::size_t max_result = std::size_t{256} << 20;

[[noreturn]] void run_child(const std::function<std::string()>& work, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // processes that a command leaves are reaped here
  if (getppid() != parent) _exit(1);          // it ended before it could be asked for
  const std::string result = work();
  for (std::size_t written = 0; written < result.size();) {
    const ssize_t count = write(pipe, result.data() + written, result.size() - written);
    if (count < 0 && errno != EINTR) _exit(1);
    if (count > 0) written += static_cast<std::size_t>(count);
  }
  _exit(0);  // what the parent made is the parent's to take down
}

std::string words_for(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("its process ended with code {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char* const name = sigabbrev_np(signal);
  const char* const meaning = sigdescr_np(signal);
  return fmt::format("its process was ended by SIG{} ({})", name != nullptr ? name : "?",
                     meaning != nullptr ? meaning : "an unknown signal");
}

}  // namespace

IsolatedChild::IsolatedChild(const std::function<std::string()>& work) {
  const Descriptor its_end = pipe_into(pipe_);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    pipe_.close_now();
    run_child(work, its_end, parent);
  }
}

IsolatedChild::~IsolatedChild() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool IsolatedChild::take() {
  std::array<char, 1 << 16> part;
  const ssize_t count = read(pipe_, part.data(), part.size());
  if (count < 0) return errno != EINTR && errno != EAGAIN;
  if (taken_.size() < max_result) taken_.append(part.data(), static_cast<std::size_t>(count));
  return count == 0;
}

IsolatedChild::End IsolatedChild::end() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {std::move(taken_), ""};
  return {std::nullopt, words_for(status)};
}

}  // namespace warplab
