#pragma once

#include <cuda_runtime_api.h>

namespace warplab::emulator {

/// Remembers an error for cudaGetLastError of the calling thread, and returns it. Success is not remembered,
/// nor is cudaErrorNotReady, which is an answer.
cudaError_t record(cudaError_t error);

/// The sticky error, or the calling thread's last one. @param clear forgets the latter
cudaError_t last_error_of_thread(bool clear);

/// Breaks the device: from now on every call returns `error`, as CUDA does after a fault in a kernel.
void set_sticky(cudaError_t error);

/// The sticky error, or cudaSuccess.
cudaError_t sticky();

/// Prints one report to stderr: "warplab emulator: <text>", in one write.
void report(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace warplab::emulator
