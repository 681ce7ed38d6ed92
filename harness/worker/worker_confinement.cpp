#include "harness/worker/worker_confinement.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "harness/worker/syscall_filter.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include <warplab_emulator/lens/line_reader.hpp>
#endif

namespace warplab {
namespace {

constexpr std::uint32_t opens_for_writing =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

[[maybe_unused]] void allow_memory_and_threads(SyscallFilter& filter) {
  filter.allow({SYS_mmap,
                SYS_mprotect,
                SYS_munmap,
                SYS_mremap,
                SYS_madvise,
                SYS_brk,
                SYS_msync,
                SYS_mincore,
                SYS_membarrier,
                SYS_futex,
                SYS_set_robust_list,
                SYS_get_robust_list,
                SYS_set_tid_address,
                SYS_rseq,
                SYS_exit,
                SYS_exit_group,
                SYS_sched_yield,
                SYS_sched_getaffinity,
                SYS_sched_getscheduler,
                SYS_sched_getparam,
                SYS_getcpu,
                SYS_restart_syscall});
  filter.require_bits(SYS_clone, 0, CLONE_THREAD, EPERM);
  filter.refuse({SYS_clone3}, ENOSYS);  // its flags lie in memory; the C library goes on with clone
}

[[maybe_unused]] void allow_signals_to_itself(SyscallFilter& filter) {
  filter.allow({SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
                SYS_rt_sigtimedwait, SYS_sigaltstack});
  const auto self = static_cast<std::uint32_t>(getpid());
  filter.allow_values(SYS_tgkill, 0, {self}, EPERM);
  filter.allow_values(SYS_kill, 0, {self}, EPERM);
}

[[maybe_unused]] void allow_files(SyscallFilter& filter) {
  filter.allow({SYS_read,       SYS_write,        SYS_readv,      SYS_writev,     SYS_pread64, SYS_pwrite64,
                SYS_lseek,      SYS_close,        SYS_fstat,      SYS_newfstatat, SYS_statx,   SYS_faccessat,
                SYS_faccessat2, SYS_readlinkat,   SYS_getdents64, SYS_statfs,     SYS_fstatfs, SYS_getcwd,
                SYS_fadvise64,  SYS_memfd_create, SYS_ftruncate,  SYS_dup,        SYS_dup3,    SYS_ppoll,
                SYS_pselect6,   SYS_sendmsg,      SYS_recvmsg,    SYS_sendto,     SYS_recvfrom});
  filter.refuse_bits(SYS_openat, 2, opens_for_writing, EACCES);
  filter.refuse({SYS_openat2}, ENOSYS);  // as clone3
  filter.allow_values(
      SYS_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS},
      EPERM);
  filter.allow_values(SYS_ioctl, 1, {TCGETS, FIONREAD}, ENOTTY);
#if defined(__x86_64__)
  filter.allow({SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_select, SYS_dup2, SYS_time,
                SYS_arch_prctl});
  filter.refuse_bits(SYS_open, 1, opens_for_writing, EACCES);
#endif
}

[[maybe_unused]] void allow_questions(SyscallFilter& filter) {
  filter.allow({SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
                SYS_times, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_getpid, SYS_gettid, SYS_getppid,
                SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrandom});
#if defined(__x86_64__)
  filter.allow({SYS_getrlimit});
#endif
  filter.require_null(SYS_prlimit64, 2, EPERM);  // to read limits, not to set them
  filter.allow_values(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, 0x53564d41 /* PR_SET_VMA */},
                      EPERM);
}

}  // namespace

#ifdef WARPLAB_BACKEND_CUDA

void confine_this_worker() {
  SyscallFilter filter;
  filter.require_bits(SYS_clone, 0, CLONE_THREAD, EPERM);
  filter.refuse({SYS_clone3}, ENOSYS);
  const auto self = static_cast<std::uint32_t>(getpid());
  filter.allow_values(SYS_tgkill, 0, {self}, EPERM);
  filter.allow_values(SYS_kill, 0, {self}, EPERM);
  filter.refuse({SYS_execve, SYS_execveat, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
                 SYS_pidfd_open, SYS_pidfd_send_signal, SYS_connect, SYS_ptrace, SYS_process_vm_readv,
                 SYS_process_vm_writev, SYS_unshare, SYS_setns, SYS_seccomp},
                EPERM);
  // The driver listens on a local socket of this type, through which nothing is sent without connecting.
  filter.allow_values(SYS_socket, 1, {SOCK_SEQPACKET, SOCK_SEQPACKET | SOCK_CLOEXEC}, EPERM);
#if defined(__x86_64__)
  filter.refuse({SYS_fork, SYS_vfork}, EPERM);
#endif
  filter.install(0);
}

#else

void confine_this_worker() {
  // Where it cannot be started, reports lack their lines, as where binutils are not installed.
  (void)emulator::start_line_reader();
  SyscallFilter filter;
  allow_memory_and_threads(filter);
  allow_signals_to_itself(filter);
  allow_files(filter);
  allow_questions(filter);
  filter.install(EPERM);
}

#endif

}  // namespace warplab
