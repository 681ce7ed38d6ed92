#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace warplab::emulator {

/// Queues work on a stream. Streams are lazy: work runs only when the host waits for it (a synchronisation, a
/// blocking copy, a query, a full queue), so a missing synchronisation always shows, instead of now and then
/// as on a GPU. Work of different streams that nothing orders runs in an order drawn from the seed.
/// @return cudaErrorInvalidResourceHandle for a destroyed stream, the sticky error of a broken device, else
/// success.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work);

/// Runs everything that is queued on all streams. @return the first error, which then is sticky.
cudaError_t drain_all();

}  // namespace warplab::emulator
