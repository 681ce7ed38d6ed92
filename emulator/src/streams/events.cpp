#include "emulator/src/streams/events.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <unordered_map>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  unsigned flags = 0;
  int device = current_device();  ///< whose streams may record it
  Point point;                    ///< without a stream: never recorded, or in a capture
  CapturedPoint captured;         ///< of the last record
  Clock::time_point time;
  std::uint64_t recordings = 0;
};

std::unordered_map<cudaEvent_t, std::shared_ptr<Event>>& events() {
  static auto& instance = *new std::unordered_map<cudaEvent_t, std::shared_ptr<Event>>;
  return instance;
}

// Runs `body` with the event of a handle.
template <class Body>
cudaError_t with_event(cudaEvent_t handle, Body&& body) {
  return api_call([&] {
    const auto found = events().find(handle);
    return found == events().end() ? cudaErrorInvalidResourceHandle : body(found->second);
  });
}

}  // namespace

void drop_events() {
  std::erase_if(events(), [](const auto& known) { return known.second->device == current_device(); });
}

bool is_event(cudaEvent_t handle) { return events().contains(handle); }

std::optional<Point> recorded_point(cudaEvent_t handle) {
  const auto found = events().find(handle);
  if (found == events().end() || !found->second->point.stream) return std::nullopt;
  return found->second->point;
}

void record_at(cudaEvent_t handle, const Point& point) {
  const auto found = events().find(handle);
  if (found == events().end()) return;
  found->second->point = point;
  found->second->captured = {};
}

void note_event_time(cudaEvent_t handle) {
  if (const auto found = events().find(handle); found != events().end()) found->second->time = Clock::now();
}

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return api_call([&] {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
    if (!event || (flags & ~known)) return cudaErrorInvalidValue;
    static std::uintptr_t next_handle = 1;  // under the device lock; none is ever given out twice
    *event = reinterpret_cast<cudaEvent_t>(++next_handle * 16 + 8);
    const auto created = std::make_shared<Event>();
    created->flags = flags;
    events().emplace(*event, created);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return with_event(handle, [&](const auto&) {
    events().erase(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return with_event(handle, [&](const std::shared_ptr<Event>& event) {
    const std::shared_ptr<Stream> stream = find_stream(stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (stream->device != event->device) {
      report("cudaEventRecord: the stream is of device %d, the event of device %d", stream->device,
             event->device);
      return cudaErrorInvalidResourceHandle;
    }
    event->captured = captured_point(*stream);
    if (stream->capture) {
      event->point = {};
      return cudaSuccess;
    }
    const auto work = [event, recording = ++event->recordings] {
      if (recording == event->recordings) event->time = Clock::now();  // else it was recorded again since
      return cudaSuccess;
    };
    if (const cudaError_t error = push(stream, {work, {}, Operation::Kind::marker})) return error;
    event->point = end_of(stream);
    return cudaSuccess;
  });
}

namespace {

// What a captured stream does with an event of others becomes a node.
cudaError_t capture_event(const std::shared_ptr<Stream>& stream, cudaEvent_t event, bool waits) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->capture) return push(stream, {{}, {}, Operation::Kind::marker, EventWork{event, waits}});
  report("cudaEventRecordExternal and cudaEventWaitExternal are for streams that are captured");
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags == cudaEventRecordExternal)
    return with_event(event, [&](const auto&) { return capture_event(find_stream(stream), event, false); });
  if (flags != cudaEventRecordDefault) return api_call([] { return cudaErrorInvalidValue; });
  return cudaEventRecord(event, stream);
}

namespace {

// Whether the host may wait for the event, or ask about it.
cudaError_t may_ask(const char* function, const Event& event) {
  if (const cudaError_t error = refuse_captured_event(function, event.captured)) return error;
  return refuse_unsafe(function);
}

}  // namespace

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return with_event(handle, [](const auto& event) {
    if (const cudaError_t error = may_ask("cudaEventSynchronize", *event)) return error;
    return event->point.stream ? drain({event->point}) : cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return with_event(handle, [](const auto& event) {
    if (const cudaError_t error = may_ask("cudaEventQuery", *event)) return error;
    return event->point.stream ? query({event->point}) : cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned int flags) {
  return with_event(handle, [&](const auto& event) {
    const std::shared_ptr<Stream> stream = find_stream(stream_handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (flags == cudaEventWaitExternal) return capture_event(stream, handle, true);
    if (flags != cudaEventWaitDefault) return cudaErrorInvalidValue;
    if (event->captured.capture) return join_capture(stream, event->captured);
    if (event->point.stream)
      if (const cudaError_t error = refuse_outside_work(*stream)) return error;
    if (!event->point.stream || event->point.reached() || event->point.stream == stream) return cudaSuccess;
    return push(stream, {[] { return cudaSuccess; }, {event->point}, Operation::Kind::marker});
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call([&] {
    const auto first = events().find(start), last = events().find(end);
    if (!milliseconds) return cudaErrorInvalidValue;
    if (first == events().end() || last == events().end()) return cudaErrorInvalidResourceHandle;
    for (const Event* event : {first->second.get(), last->second.get()}) {
      if (const cudaError_t error = refuse_captured_event("cudaEventElapsedTime", event->captured))
        return error;
      if (!event->point.stream || (event->flags & cudaEventDisableTiming))
        return cudaErrorInvalidResourceHandle;
      if (!event->point.reached()) return cudaErrorNotReady;
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(last->second->time - first->second->time).count();
    return cudaSuccess;
  });
}
