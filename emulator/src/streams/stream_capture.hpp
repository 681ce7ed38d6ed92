#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "emulator/src/streams/graph.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {

/// Adds a node to the graph that a captured stream is making.
cudaError_t capture_work(Stream& stream, Operation operation);

/// Work of the legacy default stream would wait for blocking streams that are captured, which CUDA refuses.
/// @return cudaErrorStreamCaptureImplicit, explained, or cudaSuccess
cudaError_t refuse_implicit_wait(const Stream& stream);

/// Refuses what may wait for captured work while a capture forbids that to the calling thread; a blocking
/// call also names its stream. @return cudaErrorStreamCaptureUnsupported, explained, or cudaSuccess
cudaError_t refuse_unsafe(const char* function, const Stream* stream = nullptr);

/// Refuses to wait for a captured stream, or to ask about it, and the same of any other stream where a
/// capture forbids that (so does an H100). A null stream stands for all of the device's.
cudaError_t refuse_wait(const char* function, const Stream* stream);

/// Refuses what a captured stream has no node for. @param instead what to do, a part of the sentence
cudaError_t refuse_node(const char* function, const Stream& stream, const char* instead);

inline constexpr char no_memory_nodes[] = "graphs have no nodes for memory: allocate before, free after";

/// Where an event was recorded, if it was in a captured stream.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;  ///< or null
  std::vector<GraphNode*> after;
};
/// The point that a captured stream has reached; without a capture for other streams.
CapturedPoint captured_point(const Stream& stream);

/// An event may not be waited for or asked about by the host. @return cudaErrorCapturedEvent, explained
cudaError_t refuse_captured_event(const char* function, const CapturedPoint& point);

/// Has the stream's next work wait for a point in a capture: the stream is captured from then on too.
cudaError_t join_capture(const std::shared_ptr<Stream>& stream, const CapturedPoint& point);

/// Refuses that captured work waits for work outside of the capture.
cudaError_t refuse_outside_work(const Stream& stream);

/// The stream is destroyed: if it is captured, the capture is invalid.
void abandon_capture(Stream& stream);

}  // namespace warplab::emulator
