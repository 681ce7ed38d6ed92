#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "common/host/descriptor.hpp"
#include "harness/worker/group_leader.hpp"
#include "harness/worker/process_tree.hpp"

namespace warplab {

/// What a process wrote to one of its outputs: all of it if short, else the beginning and the end.
class CapturedText {
 public:
  void append(const char* text, std::size_t length);
  const std::string& text() const { return text_; }
  std::string take();

 private:
  std::string text_;
};

/// A child process in a process group of its own, with a socket to it and its outputs captured: stdout,
/// stderr and a pipe for reports, which nothing that it prints gets into. It dies with its parent. The
/// destructor kills the group and reaps the child.
class ChildProcess {
 public:
  /// @param command program and arguments; the program's descriptor 3 is its end of the socket, and 4 the
  /// pipe for reports
  /// @throws std::system_error if no process can be made; a program that cannot be executed ends with code
  /// 127
  explicit ChildProcess(const std::vector<std::string>& command);
  ~ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int socket() const { return socket_; }

  enum class Event { message, ended, timeout };
  /// Waits until a message can be received, the child has ended, or the time is over, and captures its
  /// outputs meanwhile. On a busy machine the time goes on, up to thirty times as long, while the child still
  /// wants to run and, with the processors to itself, would not have had it yet: what others do is not its
  /// fault.
  Event wait(double timeout_s);

  /// Captures what is in the pipes now.
  void drain();
  void kill();

  /// How it ended, as a sentence's end: "crashed with SIGSEGV (segmentation fault)", "called exit(0)". @pre
  /// it has ended
  std::string how_it_ended() const;
  /// Whether SIGKILL ended it that this process did not send: the system for want of memory, or a person.
  bool was_killed_by_others() const { return ended_first_ && signal_that_ended_it() == SIGKILL; }

  CapturedText out, err, reports;

 private:
  /// 0 if none did.
  int signal_that_ended_it() const;
  bool is_starved(const ProcessTreeUse& before, double elapsed_s, double timeout_s);

  Descriptor socket_, out_pipe_, err_pipe_, report_pipe_;
  std::optional<GroupLeader> leader_;
  int status_ = 0;
  bool ended_first_ = false;  ///< before it was told to
};

}  // namespace warplab
