#include "grader/sandbox/seccomp_filter.hpp"

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>

#include "harness/worker/syscall_filter.hpp"

namespace warplab {
namespace {

constexpr std::uint32_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr long last_known =
    449;  // futex_waitv, of Linux 5.16; numbers from 424 on are those of every architecture

/// The network, and other processes by way of it. A socket that is handed in still sends and receives.
void refuse_network(SyscallFilter& filter, bool gpu) {
  filter.refuse({SYS_socketpair, SYS_connect, SYS_accept, SYS_accept4}, EPERM);
  if (gpu)  // the driver listens on "@cuda-uvmfd-...", and fails if it cannot
    filter.allow_values(SYS_socket, 0, {AF_UNIX}, EPERM);
  else
    filter.refuse({SYS_socket, SYS_bind, SYS_listen}, EPERM);
}

void refuse_other_processes(SyscallFilter& filter) {
  filter.refuse({SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
                 SYS_process_madvise, SYS_process_mrelease, SYS_move_pages, SYS_migrate_pages},
                EPERM);
  // What outlives its processes, or is shared with others of the same machine.
  filter.refuse({SYS_shmget, SYS_semget, SYS_msgget, SYS_shmat, SYS_shmctl, SYS_semctl, SYS_msgctl,
                 SYS_msgsnd, SYS_msgrcv, SYS_semop, SYS_semtimedop, SYS_mq_open, SYS_mq_unlink, SYS_add_key,
                 SYS_request_key, SYS_keyctl},
                EPERM);
}

void refuse_namespaces_and_mounts(SyscallFilter& filter) {
  filter.refuse({SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot}, EPERM);
  filter.refuse({SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
                 SYS_mount_setattr, SYS_open_by_handle_at, SYS_name_to_handle_at},
                EPERM);
  filter.refuse({SYS_fanotify_init, SYS_fanotify_mark, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl,
                 SYS_quotactl_fd},
                EPERM);
  filter.refuse_bits(SYS_clone, 0, new_namespaces, EPERM);
  filter.refuse({SYS_clone3}, ENOSYS);  // its flags lie in memory; the C library goes on with clone
}

void refuse_kernel_interfaces(SyscallFilter& filter) {
  filter.refuse({SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
                 SYS_io_uring_register},
                EPERM);
  filter.refuse(
      {SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_syslog}, EPERM);
  filter.refuse({SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
                 SYS_setdomainname},
                EPERM);
  filter.refuse({SYS_vhangup, SYS_memfd_secret, SYS_lookup_dcookie, SYS_nfsservctl}, EPERM);
#if defined(__x86_64__)
  filter.refuse({SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS__sysctl,
                 SYS_ustat, SYS_create_module},
                EPERM);
#endif
}

}  // namespace

void filter_system_calls(bool gpu) {
  SyscallFilter filter;
  refuse_network(filter, gpu);
  refuse_other_processes(filter);
  refuse_namespaces_and_mounts(filter);
  refuse_kernel_interfaces(filter);
  filter.allow_values(SYS_personality, 0, {0, 0xffffffff}, EPERM);  // plain Linux, and the question
  filter.refuse_values(SYS_prctl, 0, {PR_SET_PDEATHSIG, PR_SET_PTRACER, PR_SET_MM, PR_SET_CHILD_SUBREAPER},
                       EPERM);
  filter.refuse_values(SYS_ioctl, 1, {TIOCSTI, TIOCLINUX, TIOCSCTTY}, EPERM);  // typing into a terminal
  filter.refuse_above(last_known, ENOSYS);
  filter.install(0);
}

}  // namespace warplab
