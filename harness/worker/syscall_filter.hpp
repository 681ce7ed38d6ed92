#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace warplab {

/// Which system calls a process and all that it starts may still make: a list of rules, the first that names
/// a call decides, and a default for calls that no rule names. Calls of another architecture than this
/// program's end the process. @pre this is x86-64 or AArch64
class SyscallFilter {
 public:
  SyscallFilter();

  void allow(std::initializer_list<long> calls);
  /// Those calls fail. @param error what they set errno to
  void refuse(std::initializer_list<long> calls, int error);
  /// All calls with larger numbers fail: what kernels add later is unknown to these rules.
  void refuse_above(long call, int error);
  /// Arguments count from 0 and are looked at as 32 bits, as the kernel takes
  /// descriptors, flags and commands.
  void allow_values(long call, unsigned argument, std::initializer_list<std::uint32_t> values, int otherwise);
  void refuse_values(long call, unsigned argument, std::initializer_list<std::uint32_t> values, int error);
  /// The call fails if any of those bits is set.
  void refuse_bits(long call, unsigned argument, std::uint32_t bits, int error);
  /// The call fails unless one of those bits is set.
  void require_bits(long call, unsigned argument, std::uint32_t bits, int error);
  /// The call fails unless that pointer is null.
  void require_null(long call, unsigned argument, int error);

  /// Installs it for good, for all threads. Sets no_new_privs. @param error what other calls set errno to; 0
  /// allows them @throws std::system_error if the kernel cannot filter
  void install(int error);

 private:
  /// A rule about one call: skipped for others.
  void rule(long call, const std::vector<sock_filter>& body);
  std::vector<sock_filter> code_;
};

}  // namespace warplab
