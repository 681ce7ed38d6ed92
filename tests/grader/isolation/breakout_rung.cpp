// A rung that tries what a worker gives up before it loads a rung, prints how far
// it came, and copies its input.
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "common/call.hpp"
#include "common/cuda_check.hpp"

namespace {

void attempt(const char* name, long result) {
  std::printf("%s: %s\n", name, result >= 0 ? "done" : std::strerror(errno));
}

void break_out() {
  attempt("write to /dev/null", open("/dev/null", O_WRONLY));
  attempt("make a file", open("/tmp/warplab-breakout", O_RDWR | O_CREAT, 0600));
  attempt("make a file without a name", open("/tmp", O_TMPFILE | O_RDWR, 0600));
  attempt("make a folder", mkdir("/tmp/warplab-breakout-folder", 0700));
  attempt("remove a file", unlink("/tmp/warplab-breakout"));
  char program[] = "/usr/bin/true";
  char* arguments[] = {program, nullptr};
  const pid_t child = fork();
  if (child == 0) _exit(0);
  attempt("fork", child);
  attempt("vfork", syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  attempt("socket", socket(AF_UNIX, SOCK_STREAM, 0));
  int pair[2];
  attempt("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  attempt("kill the parent", kill(getppid(), 0));
  attempt("kill all", kill(-1, 0));
  attempt("kill the group", kill(0, 0));
  attempt("prctl", prctl(PR_SET_PDEATHSIG, 0));
  const rlimit large{RLIM_INFINITY, RLIM_INFINITY};
  attempt("raise a limit", setrlimit(RLIMIT_NOFILE, &large));
  attempt("another filter", syscall(SYS_seccomp, 0, 0, nullptr));
  attempt("change signals' owner", fcntl(3, F_SETOWN, getppid()));
  attempt("a number that is not known", syscall(460));
  // What must go on working.
  int answer = 0;
  std::thread([&] { answer = 42; }).join();
  std::printf("thread: %d\n", answer);
  std::ifstream maps("/proc/self/maps");
  std::printf("maps: %d\n", maps.good());
  attempt("signal to itself", raise(0));
  attempt("memory file", memfd_create("breakout", 0));
  execv(program, arguments);
  attempt("exec", -1);
}

}  // namespace

WARPLAB_ADAPTER(call) {
  break_out();
  const std::size_t bytes =
      static_cast<std::size_t>(call.inputs[0].count) * warplab::size_of(call.inputs[0].dtype);
  CUDA_CHECK(cudaMemcpyAsync(call.outputs[0].data, call.inputs[0].data, bytes, cudaMemcpyDeviceToDevice,
                             call.stream));
}
