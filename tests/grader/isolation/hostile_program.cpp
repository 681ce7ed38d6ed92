// A program that does what hostile code would do, one thing per run, and says how far it came.
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

extern char** environ;

namespace {

using Words = std::vector<std::string>;

/// Prints "name: done" or why it was refused.
void attempt(const char* name, long result) {
  std::printf("%s: %s\n", name, result >= 0 ? "done" : std::strerror(errno));
}

int sockets(const Words&) {
  attempt("internet", socket(AF_INET, SOCK_STREAM, 0));
  attempt("local", socket(AF_UNIX, SOCK_STREAM, 0));
  attempt("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  int pair[2];
  attempt("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  return 0;
}

/// What CUDA's driver does when it begins, and what it would take to reach others from there.
int listens(const Words&) {
  const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un name{AF_UNIX, "\0warplab-test"};
  const auto* address = reinterpret_cast<const sockaddr*>(&name);
  attempt("local", listener);
  attempt("bind", bind(listener, address, sizeof name));
  attempt("listen", listen(listener, 1));
  attempt("connect", connect(socket(AF_UNIX, SOCK_SEQPACKET, 0), address, sizeof name));
  attempt("internet", socket(AF_INET, SOCK_SEQPACKET, 0));
  std::ofstream comm("/proc/self/comm");
  attempt("thread's name", comm << "driver" << std::flush ? 0 : -1);
  return 0;
}

int reads(const Words& words) {
  for (const std::string& path : words) {
    std::ifstream file(path);
    std::string line;
    if (std::error_code unknown; std::filesystem::is_directory(path, unknown)) {
      std::error_code error;
      for (const auto& entry : std::filesystem::directory_iterator(path, error))
        std::cout << entry.path() << '\n';
    }
    while (std::getline(file, line)) std::cout << line << '\n';
  }
  return 0;
}

int writes(const Words& words) {
  for (const std::string& path : words) attempt(path.c_str(), open(path.c_str(), O_WRONLY | O_CREAT, 0600));
  return 0;
}

int system_calls(const Words& words) {
  const pid_t other = std::atoi(words.at(0).c_str());
  attempt("ptrace", ptrace(PTRACE_ATTACH, other, nullptr, nullptr));
  char byte = 0;
  iovec part{&byte, 1};
  attempt("process_vm_readv", process_vm_readv(other, &part, 1, &part, 1, 0));
  attempt("unshare", syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
  attempt("clone", syscall(SYS_clone, 0x10000000 | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  attempt("mount", syscall(SYS_mount, "none", "/", "tmpfs", 0, nullptr));
  attempt("bpf", syscall(SYS_bpf, 0, nullptr, 0));
  attempt("io_uring", syscall(SYS_io_uring_setup, 1, nullptr));
  attempt("keyctl", syscall(SYS_keyctl, 0, -3, 1));
  attempt("shmget", syscall(SYS_shmget, 0, 4096, 0600 | 01000));
  attempt("perf_event_open", syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
  attempt("userfaultfd", syscall(SYS_userfaultfd, 0));
  attempt("personality", syscall(SYS_personality, 0x0040000 /* ADDR_NO_RANDOMIZE */));
  attempt("prctl", prctl(PR_SET_PDEATHSIG, 0));
  attempt("setuid", setuid(0));
  attempt("kill", kill(other, 0));
  attempt("a number that is not known", syscall(460));
  return 0;
}

int status(const Words&) {
  std::printf("uid %u euid %u\n", getuid(), geteuid());
  for (char** variable = environ; *variable; ++variable) std::printf("env %s\n", *variable);
  for (int descriptor = 3; descriptor < 64; ++descriptor)
    if (fcntl(descriptor, F_GETFD) >= 0) std::printf("open %d\n", descriptor);
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("Cap", 0) == 0 || line.rfind("Groups", 0) == 0 || line.rfind("NoNewPrivs", 0) == 0)
      std::printf("%s\n", line.c_str());
  return 0;
}

int processes(const Words&) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string command;
    if (std::getline(file, command, '\0')) std::cout << command << '\n';
  }
  return 0;
}

int fork_bomb(const Words&) {
  for (;;)
    if (fork() < 0) usleep(1000);
}

/// As many processes at a time as can be had.
int crowd(const Words&) {
  int made = 0;
  while (made < 500) {
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      sleep(100);
      _exit(0);
    }
    ++made;
  }
  std::printf("made %d\n", made);
  return 0;
}

int memory_bomb(const Words&) {
  std::size_t mib = 0;
  for (;; ++mib) {
    void* const memory = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mib == 4096) break;
    std::memset(memory, 1, 1 << 20);
  }
  std::printf("took %zu MiB\n", mib);
  return 0;
}

/// Each process stays below its limit.
int memory_bomb_of_many(const Words&) {
  for (int i = 0; i < 30; ++i)
    if (fork() == 0) {
      void* const memory =
          mmap(nullptr, 50 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory != MAP_FAILED) std::memset(memory, 1, 50 << 20);
      sleep(100);
      _exit(0);
    }
  sleep(100);
  return 0;
}

bool fill(int file, int mib) {
  static const std::vector<char> block(1 << 20, 'x');
  for (int i = 0; i < mib; ++i)
    if (write(file, block.data(), block.size()) <= 0) return false;
  return true;
}

int large_file(const Words& words) {
  signal(SIGXFSZ, SIG_IGN);
  const int file = open(words.at(0).c_str(), O_WRONLY | O_CREAT, 0600);
  attempt("open", file);
  const bool filled = fill(file, 100);
  std::printf("%s after %lld MiB\n", filled ? "done" : std::strerror(errno),
              static_cast<long long>(lseek(file, 0, SEEK_CUR) >> 20));
  return 0;
}

int disk_bomb(const Words& words) {
  const bool named = words.at(1) == "named";
  for (int i = 0; i < 400; ++i) {
    const std::string name = words.at(0) + "/" + std::to_string(i);
    const int file = open(name.c_str(), O_WRONLY | O_CREAT, 0600);
    if (!named) unlink(name.c_str());
    if (file < 0 || !fill(file, 2)) break;
    if (named) close(file);
    usleep(5000);
  }
  std::printf("stopped: %s\n", std::strerror(errno));
  sleep(100);
  return 0;
}

int flood(const Words&) {
  std::printf("the beginning\n");
  std::fflush(stdout);
  const std::string line(4096, 'x');
  for (;;) (void)!write(1, line.data(), line.size());
}

int prints(const Words&) {
  std::printf("the beginning\n");
  for (int i = 0; i < 100'000; ++i) std::printf("line %d\n", i);
  std::printf("the end\n");
  return 7;
}

int sleeps(const Words&) { return static_cast<int>(sleep(100)); }

int stubborn(const Words&) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
  if (fork() == 0)
    for (;;) pause();
  for (;;) pause();
}

int quiet(const Words&) {
  for (int descriptor = 0; descriptor < 10; ++descriptor) close(descriptor);
  return static_cast<int>(sleep(100));
}

int stops(const Words&) { return raise(SIGSTOP); }

int spins(const Words&) {
  for (volatile bool on = true; on;) {
  }
  return 0;
}

/// Leaves behind what has left its session and its group, and hides from /proc.
int daemon_of(const Words& words) {
  for (int i = 0; i < 3; ++i)
    if (fork() == 0) {
      setsid();
      prctl(PR_SET_DUMPABLE, 0);
      if (fork() != 0) _exit(0);
      for (int descriptor = 0; descriptor < 10; ++descriptor) close(descriptor);
      sleep(1000);
      _exit(0);
    }
  usleep(100'000);
  if (words.at(0) == "stays") sleep(100);
  return 0;
}

int dies(const Words&) { return raise(SIGSEGV); }

int plants(const Words& words) {
  namespace fs = std::filesystem;
  const fs::path folder = words.at(0), secret = words.at(1);
  fs::create_symlink(secret, folder / "link");
  fs::create_directory_symlink(secret.parent_path(), folder / "link_to_folder");
  attempt("hard link", link(secret.c_str(), (folder / "hard").c_str()));
  attempt("fifo", mkfifo((folder / "fifo").c_str(), 0666));
  std::ofstream(folder / "plain") << "plain";
  std::ofstream(folder / "closed") << "closed";
  chmod((folder / "closed").c_str(), 0);
  chmod((folder / "plain").c_str(), 06777);
  fs::create_directories(folder / "inner" / "closed");
  std::ofstream(folder / "inner" / "closed" / "file") << "inner";
  link((folder / "plain").c_str(), (folder / "second_name").c_str());
  std::ofstream(folder / "single") << "single";
  fs::permissions(folder / "inner" / "closed", fs::perms::none);
  if (chdir((folder / "inner").c_str()) != 0) return 1;
  for (int i = 0; i < 3000; ++i)
    if (mkdir("deep", 0700) != 0 || chdir("deep") != 0) return 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<int(const Words&)>> deeds{
      {"sockets", sockets},
      {"listens", listens},
      {"reads", reads},
      {"writes", writes},
      {"system_calls", system_calls},
      {"status", status},
      {"processes", processes},
      {"fork_bomb", fork_bomb},
      {"crowd", crowd},
      {"memory_bomb", memory_bomb},
      {"memory_bomb_of_many", memory_bomb_of_many},
      {"large_file", large_file},
      {"disk_bomb", disk_bomb},
      {"flood", flood},
      {"prints", prints},
      {"sleeps", sleeps},
      {"stubborn", stubborn},
      {"quiet", quiet},
      {"stops", stops},
      {"spins", spins},
      {"daemon", daemon_of},
      {"dies", dies},
      {"plants", plants}};
  // The word before the deed marks this run's processes for who looks for them.
  if (argc < 3) return 2;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  return deeds.at(argv[2])(Words(argv + 3, argv + argc));
}
