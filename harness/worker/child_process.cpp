#include "harness/worker/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "common/timer.hpp"
#include "harness/worker/worker_protocol.hpp"

namespace warplab {
namespace {

constexpr std::size_t head_bytes = 16 * 1024, longest_bytes = 64 * 1024;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Moves a descriptor out of the way of 0 to 4, which dup2 is about to overwrite. Async-signal-safe.
int above_standard(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 10); }

}  // namespace

void CapturedText::append(const char* text, std::size_t length) {
  text_.append(text, length);
  if (text_.size() > longest_bytes) {  // a print in a loop: keep how it began and how it goes on
    static constexpr const char gap[] = "\n[...]\n";
    text_ = text_.substr(0, head_bytes) + gap + text_.substr(text_.size() - head_bytes);
  }
}

std::string CapturedText::take() { return std::exchange(text_, {}); }

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  std::array<int, 2> sockets;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) fail("socketpair");
  socket_ = Descriptor(sockets[0]);
  const Descriptor its_socket(sockets[1]);
  const Descriptor its_out = pipe_into(out_pipe_), its_err = pipe_into(err_pipe_),
                   its_reports = pipe_into(report_pipe_);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    const int end = above_standard(its_socket);
    const int to_out = above_standard(its_out), to_err = above_standard(its_err),
              to_reports = above_standard(its_reports);
    const int none = above_standard(open("/dev/null", O_RDONLY | O_CLOEXEC));
    dup2(none, 0);
    dup2(to_out, 1);
    dup2(to_err, 2);
    dup2(end, protocol::worker_socket);
    dup2(to_reports, protocol::worker_reports);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  leader_.emplace(pid);
  for (const int pipe : {+out_pipe_, +err_pipe_, +report_pipe_}) fcntl(pipe, F_SETFL, O_NONBLOCK);
}

void ChildProcess::kill() { status_ = leader_->end(); }

void ChildProcess::drain() {
  std::array<char, 4096> buffer;
  for (const auto& [pipe, text] :
       {std::pair{+out_pipe_, &out}, std::pair{+err_pipe_, &err}, std::pair{+report_pipe_, &reports}}) {
    ssize_t length;
    for (std::size_t total = 0;
         total < 4 * longest_bytes && (length = read(pipe, buffer.data(), buffer.size())) > 0;
         total += static_cast<std::size_t>(length))
      text->append(buffer.data(), static_cast<std::size_t>(length));
  }
}

/// Whether it wants to run, and for want of processors has had less than `timeout_s` of the `elapsed_s` since
/// `before`. Several threads that take turns have more processor time than one, so what counts is the share
/// of time in which a thread that was ready did run.
bool ChildProcess::is_starved(const ProcessTreeUse& before, double elapsed_s, double timeout_s) {
  for (int look = 0; look < 3; ++look) {  // who waits for a page or a lock sleeps for a moment
    if (look > 0) usleep(10'000);
    const ProcessTreeUse now = use_of_tree(leader_->pid());
    const double ran_s = now.cpu_s - before.cpu_s;
    const double queued_s = std::max(0.0, now.queued_s - before.queued_s);  // of threads that are still there
    if (ran_s >= timeout_s && elapsed_s * ran_s >= timeout_s * (ran_s + queued_s)) return false;
    if (now.wants_to_run) return true;
  }
  return false;
}

ChildProcess::Event ChildProcess::wait(double timeout_s) {
  constexpr double patience = 30;  // times as long, where it gets so little of a processor
  const HostTimer timer;
  const ProcessTreeUse before = use_of_tree(leader_->pid());
  std::array<pollfd, 4> watched{
      {{socket_, POLLIN, 0}, {out_pipe_, POLLIN, 0}, {err_pipe_, POLLIN, 0}, {report_pipe_, POLLIN, 0}}};
  for (;;) {
    // Woken now and then: a process that the child started can hold the socket
    // open after the child has ended.
    const double elapsed_ms = timer.elapsed_ms(), limit_ms = timeout_s * 1000;
    if (elapsed_ms >= limit_ms &&
        (elapsed_ms >= patience * limit_ms || !is_starved(before, elapsed_ms / 1000, timeout_s)))
      return Event::timeout;
    const double left_ms = elapsed_ms < limit_ms ? limit_ms - elapsed_ms : 100;
    poll(watched.data(), watched.size(), static_cast<int>(std::min(left_ms + 1, 100.0)));
    drain();
    for (std::size_t i = 1; i < watched.size(); ++i)
      if ((watched[i].revents & (POLLHUP | POLLERR)) && !(watched[i].revents & POLLIN)) watched[i].fd = -1;
    if (watched[0].revents & POLLIN) {
      char byte;
      if (recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) return Event::message;
    }
    if (watched[0].revents & (POLLIN | POLLHUP | POLLERR)) {  // the end of the stream: the child is ending
      for (int i = 0; i < 100 && !leader_->has_ended(); ++i) usleep(10'000);
      ended_first_ = leader_->has_ended();
      kill();
      drain();
      return Event::ended;
    }
    if (leader_->has_ended()) {
      ended_first_ = true;
      kill();  // what a rung started ends with it
      drain();
      return Event::ended;
    }
  }
}

int ChildProcess::signal_that_ended_it() const {
  // Behind a sandbox's words a signal is told as a shell tells it, by an exit code.
  const int code = WEXITSTATUS(status_);
  return WIFSIGNALED(status_) ? WTERMSIG(status_) : code > 128 ? code - 128 : 0;
}

std::string ChildProcess::how_it_ended() const {
  const int signal = signal_that_ended_it();
  if (const char* const name = sigabbrev_np(signal); signal && (name || WIFSIGNALED(status_))) {
    const char* const meaning = sigdescr_np(signal);
    return "crashed with SIG" + std::string(name ? name : "?") + " (" +
           (meaning ? meaning : "unknown signal") + ")";
  }
  return "ended its process with exit code " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace warplab
