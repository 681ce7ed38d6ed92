#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "api/stream_queue.hpp"

namespace warplab::emulator {

/// A new stream's handle; never one that was given out before.
cudaStream_t create_stream(unsigned flags, int priority);

/// Forgets the handle; pending work keeps the stream alive until it is done.
void destroy_stream(const std::shared_ptr<Stream>& stream);

}  // namespace warplab::emulator
