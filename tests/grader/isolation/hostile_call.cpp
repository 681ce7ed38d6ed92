#include "hostile_call.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

// Calls `function` with all registers set, and keeps those that it must leave as they were.
asm(R"(
  .text
  .globl warplab_hostile_call
  .type warplab_hostile_call, @function
warplab_hostile_call:              # rdi: function, rsi: registers, rdx: registers after it
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    pushq %rdx
    movq %rdi, warplab_hostile_function(%rip)
    movq %rsp, warplab_hostile_stack(%rip)
    movq (%rsi), %rax
    movq 8(%rsi), %rcx
    movq 16(%rsi), %rdx
    movq 24(%rsi), %rbx
    movq 40(%rsi), %rbp
    movq 56(%rsi), %rdi
    movq 64(%rsi), %r8
    movq 72(%rsi), %r9
    movq 80(%rsi), %r10
    movq 88(%rsi), %r11
    movq 96(%rsi), %r12
    movq 104(%rsi), %r13
    movq 112(%rsi), %r14
    movq 120(%rsi), %r15
    movq 48(%rsi), %rsi
    call *warplab_hostile_function(%rip)
    movq %rsp, %rax
    movq warplab_hostile_stack(%rip), %rsp
    subq %rsp, %rax
    popq %rdx
    movq %rbx, 24(%rdx)
    movq %rax, 32(%rdx)
    movq %rbp, 40(%rdx)
    movq %r12, 96(%rdx)
    movq %r13, 104(%rdx)
    movq %r14, 112(%rdx)
    movq %r15, 120(%rdx)
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
  .size warplab_hostile_call, .-warplab_hostile_call
  .local warplab_hostile_function
  .comm warplab_hostile_function, 8
  .local warplab_hostile_stack
  .comm warplab_hostile_stack, 8
)");
extern "C" void warplab_hostile_call(void* function, const std::uint64_t* before, std::uint64_t* after);

namespace warplab {
namespace {

constexpr std::uint8_t pattern = 0xa5;
constexpr int stopped_code = 70;  // of the runtime (emulator/src/isolation/checks.cpp)
constexpr int escaped_code = 101, trapped_code = 102, timed_out_code = 103;

void end_child(int signal, siginfo_t* info, void*) {
  if (signal == SIGALRM) _exit(timed_out_code);
  // Misaligned vectors have no address; a page that is not there or not accessible has one.
  const bool strayed = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL;
  _exit(strayed ? escaped_code : trapped_code);
}

void catch_signals() {
  static std::array<char, 1 << 16> stack;
  stack_t alternative = {};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = end_child;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGALRM, SIGSYS})
    sigaction(signal, &action, nullptr);
  const itimerval limit = {{0, 0}, {0, 300'000}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

void patch(void* function, const std::vector<BytePatch>& patches) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const BytePatch& p : patches) {
    auto* const place = static_cast<std::uint8_t*>(function) + p.offset;
    void* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(place) / page * page);
    if (mprotect(begin, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) std::abort();
    *place = p.value;
    mprotect(begin, page, PROT_READ | PROT_EXEC);
  }
}

bool returns_well(void* function, const std::vector<std::uint64_t>& before) {
  std::array<std::uint64_t, 64> above;  // what lies above the stack that the function may use
  above.fill(pattern);
  std::array<std::uint64_t, 16> after{};
  warplab_hostile_call(function, before.data(), after.data());
  for (const unsigned kept : {3u, 5u, 12u, 13u, 14u, 15u})
    if (after[kept] != before[kept]) return false;
  return after[4] == 0 && std::ranges::all_of(above, [](std::uint64_t word) { return word == pattern; });
}

}  // namespace

Canary::Canary()
    : begin_(static_cast<std::uint8_t*>(
          mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
  if (begin_ == MAP_FAILED) throw std::runtime_error("no memory for a canary");
  std::fill_n(begin_, bytes, pattern);
}
Canary::~Canary() { munmap(begin_, bytes); }
bool Canary::is_alive() const {
  return std::all_of(begin_, begin_ + bytes, [](std::uint8_t byte) { return byte == pattern; });
}

CallOutcome call_in_child(void* function, const std::vector<BytePatch>& patches,
                          const std::vector<std::vector<std::uint64_t>>& registers, const Canary& canary) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    patch(function, patches);
    catch_signals();
    for (const std::vector<std::uint64_t>& values : registers)
      if (!returns_well(function, values)) _exit(escaped_code);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    throw std::runtime_error("no child process for a call");
  if (!canary.is_alive() || !WIFEXITED(status)) return CallOutcome::escaped;
  switch (WEXITSTATUS(status)) {
    case 0:
      return CallOutcome::returned;
    case stopped_code:
      return CallOutcome::stopped;
    case trapped_code:
      return CallOutcome::trapped;
    case timed_out_code:
      return CallOutcome::timed_out;
    default:
      return CallOutcome::escaped;
  }
}

}  // namespace warplab
