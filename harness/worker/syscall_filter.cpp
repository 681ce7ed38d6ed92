#include "harness/worker/syscall_filter.hpp"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace warplab {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t other_abi = 0x40000000;  // x32: the same calls under other numbers
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter load_argument(unsigned argument, unsigned word = 0) {  // both architectures are little-endian
  return load(offsetof(seccomp_data, args) + 8 * argument + 4 * word);
}
/// Skips instructions after this one, where the loaded word passes the test and where not.
sock_filter jump(std::uint16_t test, std::uint32_t value, std::size_t passed, std::size_t failed) {
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | test), value,
                  static_cast<std::uint8_t>(passed), static_cast<std::uint8_t>(failed));
}
sock_filter verdict(std::uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
sock_filter let() { return verdict(SECCOMP_RET_ALLOW); }
sock_filter fail(int error) { return verdict(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)); }

std::vector<sock_filter> by_value(unsigned argument, std::initializer_list<std::uint32_t> values,
                                  sock_filter listed, sock_filter others) {
  std::vector<sock_filter> body{load_argument(argument)};
  for (std::size_t left = values.size(); const std::uint32_t value : values)
    body.push_back(jump(BPF_JEQ, value, left--, 0));
  body.insert(body.end(), {others, listed});
  return body;
}

}  // namespace

SyscallFilter::SyscallFilter() {
  code_ = {load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, architecture, 1, 0),
           verdict(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
#if defined(__x86_64__)
  code_.insert(code_.end(), {jump(BPF_JGE, other_abi, 0, 1), verdict(SECCOMP_RET_KILL_PROCESS)});
#endif
}

void SyscallFilter::rule(long call, const std::vector<sock_filter>& body) {
  code_.push_back(jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, body.size()));
  code_.insert(code_.end(), body.begin(), body.end());
}

void SyscallFilter::allow(std::initializer_list<long> calls) {
  for (const long call : calls) rule(call, {let()});
}

void SyscallFilter::refuse(std::initializer_list<long> calls, int error) {
  for (const long call : calls) rule(call, {fail(error)});
}

void SyscallFilter::refuse_above(long call, int error) {
  code_.insert(code_.end(), {jump(BPF_JGT, static_cast<std::uint32_t>(call), 0, 1), fail(error)});
}

void SyscallFilter::allow_values(long call, unsigned argument, std::initializer_list<std::uint32_t> values,
                                 int otherwise) {
  rule(call, by_value(argument, values, let(), fail(otherwise)));
}

void SyscallFilter::refuse_values(long call, unsigned argument, std::initializer_list<std::uint32_t> values,
                                  int error) {
  rule(call, by_value(argument, values, fail(error), let()));
}

void SyscallFilter::refuse_bits(long call, unsigned argument, std::uint32_t bits, int error) {
  rule(call, {load_argument(argument), jump(BPF_JSET, bits, 0, 1), fail(error), let()});
}

void SyscallFilter::require_bits(long call, unsigned argument, std::uint32_t bits, int error) {
  rule(call, {load_argument(argument), jump(BPF_JSET, bits, 1, 0), fail(error), let()});
}

void SyscallFilter::require_null(long call, unsigned argument, int error) {
  rule(call, {load_argument(argument, 0), jump(BPF_JEQ, 0, 0, 2), load_argument(argument, 1),
              jump(BPF_JEQ, 0, 1, 0), fail(error), let()});
}

void SyscallFilter::install(int error) {
  std::vector<sock_filter> whole = code_;
  whole.push_back(error ? fail(error) : let());
  sock_fprog program{static_cast<unsigned short>(whole.size()), whole.data()};
  if (architecture == 0) errno = ENOSYS;
  if (architecture == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    throw std::system_error(errno, std::generic_category(), "the kernel does not filter system calls");
}

}  // namespace warplab
