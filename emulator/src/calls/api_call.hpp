#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>
#include <utility>

#include "emulator/src/base/errors.hpp"
#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

/// Held by whoever changes or drains the device: one API call at a time, from however many host threads.
std::recursive_mutex& device_lock();

/// Whether the calling host thread is inside a queued operation (a host function called by a stream), where
/// CUDA forbids its own API.
bool in_queued_work();
void set_in_queued_work(bool now);

/// Whether the program has called the runtime, which does what cuInit does.
bool runtime_is_used();
/// Whether the calling thread has, which makes a device's primary context current.
bool thread_uses_runtime();
void note_host_call();
/// Grows with each.
std::uint64_t host_calls();

/// While it lives, the calling thread's calls of the runtime are the driver API's own.
class DriverScope {
 public:
  DriverScope();
  ~DriverScope();
  DriverScope(const DriverScope&) = delete;
};

/// Runs the body of an API function: with the device lock held, not at all on a broken device, and with its
/// error remembered for cudaGetLastError.
template <class Body>
cudaError_t api_call(Body&& body) {
  if (in_kernel())
    device_fault(
        cudaErrorNotPermitted,
        "the kernel calls a function of CUDA's API that only the host can call; in kernels there are "
        "launches, cudaMalloc, cudaFree, cudaGetLastError, cudaStreamCreateWithFlags and cudaStreamDestroy");
  note_host_call();
  if (in_queued_work()) {
    report(
        "a host function that a stream called used the CUDA API, which CUDA does not permit "
        "(cudaErrorNotPermitted)");
    return record(cudaErrorNotPermitted);
  }
  const std::lock_guard lock(device_lock());
  if (const cudaError_t error = sticky()) return error;
  return record(std::forward<Body>(body)());
}

}  // namespace warplab::emulator
