#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/streams/graph.hpp"

namespace warplab::emulator {

struct Stream;
struct Capture;

/// A point in a stream's work: reached when its first `sequence` operations have been completed.
struct Point {
  std::shared_ptr<Stream> stream;
  std::uint64_t sequence = 0;
  bool reached() const;
};

/// Work that waits in a stream's queue.
struct Operation {
  enum class Kind : std::uint8_t { launch, copy, marker };
  std::function<cudaError_t()> work;
  std::vector<Point> after;  ///< points of other streams that come first
  Kind kind = Kind::launch;
  NodeWork node = {};  ///< what it becomes where the stream is captured; else it becomes LibraryWork
};

/// A number per stream, for cudaStreamGetId.
unsigned long long next_stream_id();

/// A stream with the work that it has not done yet.
struct Stream {
  unsigned long long id = next_stream_id();
  cudaStream_t handle = nullptr;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  int device = 0;
  bool is_legacy = false;
  cudaAccessPolicyWindow window{};                       ///< what the program asked for
  cudaSynchronizationPolicy waits = cudaSyncPolicyAuto;  ///< likewise
  bool destroyed = false;                                ///< its pending work still runs, as in CUDA
  std::deque<Operation> queue;
  std::uint64_t enqueued = 0, completed = 0;
  std::uint64_t wanted = 0;                ///< how far a drain in progress has to go
  std::shared_ptr<Capture> capture;        ///< that takes its work, or null
  std::vector<GraphNode*> captured_until;  ///< nodes that its next work comes after

  /// Whether the legacy default stream waits for this one and this one for it.
  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
};

inline bool Point::reached() const { return stream->completed >= sequence; }

/// The stream of a handle, null, cudaStreamLegacy and cudaStreamPerThread of the current device included; a
/// null pointer if there is none.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);

/// In an API function: runs `body` with the stream of a handle.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body&& body) {
  return api_call([&] {
    const std::shared_ptr<Stream> stream = find_stream(handle);
    return stream ? body(stream) : cudaErrorInvalidResourceHandle;
  });
}

/// Of all that were made and are not yet forgotten, the legacy default stream first.
const std::vector<std::shared_ptr<Stream>>& all_streams();

/// Queues an operation after what CUDA's rules for default streams say. A full
/// queue runs its older half first. In a stream that is captured it becomes a node, and does not run.
cudaError_t push(const std::shared_ptr<Stream>& stream, Operation operation);

/// The end of a stream's work so far.
inline Point end_of(const std::shared_ptr<Stream>& stream) { return {stream, stream->enqueued}; }

/// What a wait for a stream waits for: for the legacy default stream that includes all blocking streams.
std::vector<Point> ends_for_wait(const std::shared_ptr<Stream>& stream);

/// Runs what is needed to reach the points and nothing else, at most `limit`
/// operations; then closes device memory.
cudaError_t drain(const std::vector<Point>& points, std::size_t limit = SIZE_MAX);

/// Runs one operation after all that the stream holds, and waits for it.
cudaError_t run_now(const std::shared_ptr<Stream>& stream, std::function<cudaError_t()> work);

/// Answers a query: cudaSuccess if the points were reached; otherwise runs one
/// operation and says cudaErrorNotReady.
cudaError_t query(const std::vector<Point>& points);

/// Queues work on a stream. Streams are lazy: work runs only when the host waits for it (a synchronisation, a
/// blocking copy, a query, a full queue), so a missing synchronisation always shows, instead of now and then
/// as on a GPU. Work of different streams that nothing orders runs in an order drawn from the seed.
/// @return cudaErrorInvalidResourceHandle for a destroyed stream, the sticky error of a broken device, else
/// success.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work, NodeWork node = {});

/// Runs everything that is queued on all streams. @return the first error, which then is sticky.
cudaError_t drain_all();

/// The same for the streams of the current device.
cudaError_t drain_device();

/// A new stream's handle; never one that was given out before.
cudaStream_t create_stream(unsigned flags, int priority);

/// Forgets the handle; pending work keeps the stream alive until it is done.
void destroy_stream(const std::shared_ptr<Stream>& stream);

/// Drops all work and the streams of the current device, which is reset.
void drop_streams();

}  // namespace warplab::emulator
