#include "emulator/src/block/faults.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t signal_stack_bytes = 64 * 1024;
constexpr int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous[65];

const void* code_address(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#else
  return nullptr;
#endif
}

const void* stack_address(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.sp);
#else
  return nullptr;
#endif
}

const char* verb([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  return context.uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads";
#else
  return "accesses";
#endif
}

std::string describe_in_kernel(const Worker& worker, const void* address) {
  if (const int owner = owner_without_access(address); owner >= 0)
    return "memory of device " + std::to_string(owner) + " (" + describe_address(address) +
           "), which kernels of device " + std::to_string(working_device()) +
           " can't reach; call cudaDeviceEnablePeerAccess(" + std::to_string(owner) +
           ", 0) while it is current, or copy with cudaMemcpyPeer";
  const SharedMemory& shared = worker.shared;
  if (const Worker* const owner = worker.grid == nullptr ? nullptr : owner_of_shared(address);
      owner != nullptr && owner->shared.is_closed()) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "in the shared memory of the cluster's block of rank %u, which has ended; the blocks of a "
                  "cluster wait for each other before they end (cluster.sync())",
                  owner->cluster->rank_of(*owner));
    return text;
  }
  if (shared.region_of(address) == SharedMemory::Region::dynamic) {
    const auto past =
        static_cast<const std::byte*>(address) - (shared.dynamic_begin() + shared.dynamic_bytes());
    char text[200];
    if (shared.dynamic_bytes() == 0)
      return "dynamic shared memory, of which the launch asked for none: give its size in bytes as the third "
             "launch parameter";
    std::snprintf(
        text, sizeof text,
        "%td bytes past the end of the %zu bytes of dynamic shared memory that the launch asked for", past,
        shared.dynamic_bytes());
    return text;
  }
  if (shared.region_of(address) == SharedMemory::Region::static_variables)
    return "past the end of the block's __shared__ variables";
  return describe_address(address);
}

void on_signal(int number, siginfo_t* info, void* raw_context) {
  const auto& context = *static_cast<ucontext_t*>(raw_context);
  Worker* worker = running;
  const bool memory = number == SIGSEGV || number == SIGBUS;
  if (worker != nullptr) {
    if (memory && info->si_code == SEGV_ACCERR && open_for_device(info->si_addr)) return;
    Fault& fault = worker->caught;
    fault = Fault{};
    fault.block = current_indices.block;
    fault.thread = current_indices.thread;
    fault.thread_known = worker->scheduler.active();
    fault.code = code_address(context);
    const auto distance =
        static_cast<const std::byte*>(info->si_addr) - static_cast<const std::byte*>(stack_address(context));
    if (number == SIGFPE) {
      fault.error = cudaErrorLaunchFailure;
      fault.what = "divides an integer by zero, or the least integer by -1, which a GPU does not stop at";
    } else if (number == SIGILL) {
      fault.error = cudaErrorLaunchFailure;
      fault.what = "executes a trap";
    } else if (const int thread = worker->scheduler.active() ? worker->scheduler.overflowed_thread() : -1;
               thread >= 0 || (worker->scheduler.active() && distance > -65536 && distance < 65536)) {
      fault.error = cudaErrorLaunchFailure;
      fault.what = stack_overflow;
      if (thread >= 0) fault.thread = worker->scheduler.index_of(thread);  // another one may feel it
    } else {
      fault.error = cudaErrorIllegalAddress;
      const void* address = info->si_code == SI_KERNEL ? nullptr : info->si_addr;
      char text[64];
      std::snprintf(text, sizeof text, "%s address %p, which is ", verb(context), address);
      fault.what = info->si_code == SI_KERNEL
                       ? "uses an address that is not an address at all (an uninitialised pointer?)"
                       : text + describe_in_kernel(*worker, address);
    }
    siglongjmp(worker->abandon, 1);
  }
  if (memory && is_device_only(info->si_addr)) {
    const std::string place = source_line(code_address(context));
    report(
        "host code %s device memory%s%s: %p is %s; copy with cudaMemcpy, or use cudaMallocManaged for memory "
        "that both may touch",
        verb(context), place.empty() ? "" : " at ", place.c_str(), info->si_addr,
        describe_address(info->si_addr).c_str());
  }
  // Not ours, or the end: whoever handled this signal before does so again, with the instruction repeated.
  sigaction(number, &previous[number], nullptr);
}

}  // namespace

void prepare_signal_stack(Worker& worker) {
  stack_t present{};
  if (sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) == 0) return;
  worker.signal_stack = std::make_unique<std::byte[]>(signal_stack_bytes);
  stack_t stack{};
  stack.ss_sp = worker.signal_stack.get();
  stack.ss_size = signal_stack_bytes;
  sigaltstack(&stack, nullptr);
}

// When the library is loaded, so that a host pointer mistake is explained wherever it happens.
__attribute__((constructor)) static void install_fault_handlers() {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int number : handled) sigaction(number, &action, &previous[number]);
}

namespace {

// Does not return, so that the caller has no use for its va_end.
// @param thread the one whose fault it is; null: the running one, if it is known
[[noreturn]] void end_kernel(const Site* site, const uint3* thread, FaultKind kind, int cuda_error,
                             const char* format_text, va_list arguments) {
  char text[1024];
  std::vsnprintf(text, sizeof text, format_text, arguments);
  Worker* worker = running;
  if (worker == nullptr) {
    report("%s (outside a kernel)", text);
    std::abort();
  }
  worker->caught = Fault{};
  worker->caught.kind = kind;
  worker->caught.error = static_cast<cudaError_t>(cuda_error);
  worker->caught.what = text;
  worker->caught.block = current_indices.block;
  worker->caught.thread = thread != nullptr ? *thread : current_indices.thread;
  worker->caught.thread_known = thread != nullptr || worker->scheduler.active();
  if (site != nullptr) {
    worker->caught.file = site->file;
    worker->caught.line = site->line;
  }
  abandon_block(*worker);
}

// The kind as a report names it before it says what happened: "deadlock: ".
const char* heading(FaultKind kind) {
  switch (kind) {
    case FaultKind::divergent_barrier:
      return "divergent barrier: ";
    case FaultKind::deadlock:
      return "deadlock: ";
    case FaultKind::endless:
      return "endless: ";
    case FaultKind::other:
      break;
  }
  return "";
}

}  // namespace

void device_fault(int cuda_error, const char* format_text, ...) {
  va_list arguments;
  va_start(arguments, format_text);
  end_kernel(nullptr, nullptr, FaultKind::other, cuda_error, format_text, arguments);
}

void device_fault(FaultKind kind, int cuda_error, const char* format_text, ...) {
  va_list arguments;
  va_start(arguments, format_text);
  end_kernel(nullptr, nullptr, kind, cuda_error, format_text, arguments);
}

void device_fault_in(const uint3& thread, FaultKind kind, int cuda_error, const char* format_text, ...) {
  va_list arguments;
  va_start(arguments, format_text);
  end_kernel(nullptr, &thread, kind, cuda_error, format_text, arguments);
}

void device_fault_at(const Site& site, int cuda_error, const char* format_text, ...) {
  va_list arguments;
  va_start(arguments, format_text);
  end_kernel(&site, nullptr, FaultKind::other, cuda_error, format_text, arguments);
}

void device_fault_at(const Site& site, FaultKind kind, int cuda_error, const char* format_text, ...) {
  va_list arguments;
  va_start(arguments, format_text);
  end_kernel(&site, nullptr, kind, cuda_error, format_text, arguments);
}

void report_fault(const Job& job) {
  const Fault& fault = job.fault;
  std::string place = source_line(fault.code);
  if (!place.empty()) place = ", at " + place;
  report("kernel '%s' failed in block %s, thread %s%s: %s%s (launched at %s:%d)", job.launch->kernel,
         format(fault.block).c_str(), fault.thread_known ? format(fault.thread).c_str() : "unknown",
         place.c_str(), heading(fault.kind), fault.what.c_str(), job.launch->file, job.launch->line);
}

}  // namespace warplab::emulator

// assert() in a kernel ends the launch, as on a GPU; elsewhere it ends the program.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept {
  using namespace warplab::emulator;
  if (in_kernel()) device_fault(cudaErrorAssert, "assertion `%s` failed at %s:%u", expression, file, line);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
