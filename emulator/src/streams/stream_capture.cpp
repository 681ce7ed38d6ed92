#include "emulator/src/streams/stream_capture.hpp"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/calls/api_call.hpp"

namespace warplab::emulator {

struct Capture {
  std::shared_ptr<Graph> graph = create_graph();
  const Stream* origin = nullptr;
  std::thread::id thread = std::this_thread::get_id();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned long long id = 0;
  bool invalidated = false, ended = false;
};

namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

std::set<std::shared_ptr<Capture>> all_captures() {
  std::set<std::shared_ptr<Capture>> captures;
  for (const auto& stream : all_streams())
    if (stream->capture) captures.insert(stream->capture);
  return captures;
}

// Whether the capture keeps the calling thread from calls that may wait for the whole device.
bool forbids_unsafe_calls(const Capture& capture) {
  if (capture.mode == cudaStreamCaptureModeRelaxed || mode_of_thread == cudaStreamCaptureModeRelaxed)
    return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return capture.mode == cudaStreamCaptureModeGlobal && mode_of_thread == cudaStreamCaptureModeGlobal;
}

void end(Capture& capture) {
  capture.ended = true;
  capture.graph->growing = false;
  for (const auto& stream : all_streams()) {
    if (stream->capture.get() != &capture) continue;
    stream->captured_until.clear();
    stream->capture.reset();
  }
}

bool all_is_joined(const Capture& capture, const Stream& origin) {
  return ancestors_of(origin.captured_until).size() == capture.graph->nodes.size();
}

cudaError_t end_capture(Stream& stream, cudaGraph_t& graph) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture) {
    report("cudaStreamEndCapture: the stream is not captured; cudaStreamBeginCapture comes first");
    return cudaErrorIllegalState;
  }
  if (capture->origin != &stream) {
    report("cudaStreamEndCapture: the capture began in another stream, and only that one can end it");
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    report(
        "cudaStreamEndCapture: another thread began the capture, and only a capture in mode "
        "cudaStreamCaptureModeRelaxed may be ended elsewhere");
    return cudaErrorStreamCaptureWrongThread;
  }
  const bool joined = all_is_joined(*capture, stream);
  end(*capture);
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (!joined) {
    report(
        "cudaStreamEndCapture: another stream has captured work that this one does not wait for; record an "
        "event there, and have this stream wait for it with cudaStreamWaitEvent");
    return cudaErrorStreamCaptureUnjoined;
  }
  graph = keep(capture->graph);
  return cudaSuccess;
}

cudaError_t begin_capture(const std::shared_ptr<Stream>& stream, cudaStreamCaptureMode mode) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (stream->is_legacy) {
    report(
        "cudaStreamBeginCapture: the legacy default stream can't be captured; make a stream with "
        "cudaStreamCreate");
    return cudaErrorStreamCaptureUnsupported;
  }
  if (stream->capture) {
    report("cudaStreamBeginCapture: the stream is captured already");
    return cudaErrorIllegalState;
  }
  static unsigned long long count = 0;  // under the device lock
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream.get();
  stream->capture->mode = mode;
  stream->capture->id = ++count;
  stream->capture->graph->growing = true;
  stream->captured_until.clear();
  return cudaSuccess;
}

}  // namespace

cudaError_t capture_work(Stream& stream, Operation operation) {
  if (stream.capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (std::holds_alternative<std::monostate>(operation.node))
    operation.node = LibraryWork{std::move(operation.work)};
  stream.captured_until = {
      stream.capture->graph->add(std::move(operation.node), std::move(stream.captured_until))};
  return cudaSuccess;
}

cudaError_t refuse_implicit_wait(const Stream& stream) {
  if (!stream.is_legacy) return cudaSuccess;
  bool found = false;
  for (const auto& other : all_streams())
    if (other->capture && other->device == stream.device && other->blocking())
      found = other->capture->invalidated = true;
  if (!found) return cudaSuccess;
  report(
      "work for the legacy default stream while a stream is captured that it would wait for: the capture is "
      "invalid now; give the work to the captured stream, or capture one with cudaStreamNonBlocking");
  return cudaErrorStreamCaptureImplicit;
}

cudaError_t refuse_unsafe(const char* function, const Stream* stream) {
  if (stream)
    if (const cudaError_t error = refuse_implicit_wait(*stream)) return error;
  bool found = false;
  for (const auto& capture : all_captures())
    if (forbids_unsafe_calls(*capture)) found = capture->invalidated = true;
  if (!found) return cudaSuccess;
  report(
      "%s: not while a stream is captured, since it may wait for what is captured; the capture is invalid "
      "now. Call it before or after the capture, or capture with cudaStreamCaptureModeRelaxed",
      function);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuse_wait(const char* function, const Stream* stream) {
  if (stream && !stream->capture) return refuse_unsafe(function, stream);
  bool found = false;
  for (const auto& capture : all_captures())
    if (stream ? stream->capture == capture : capture->origin->device == current_device())
      found = capture->invalidated = true;
  if (!found) return cudaSuccess;
  report(
      "%s: captured work does not run, so nobody can wait for it; the capture is invalid now. End it with "
      "cudaStreamEndCapture and launch its graph first",
      function);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuse_node(const char* function, const Stream& stream, const char* instead) {
  if (!stream.capture) return cudaSuccess;
  stream.capture->invalidated = true;
  report("%s: a captured stream can't take this here, and the capture is invalid now; %s", function, instead);
  return cudaErrorStreamCaptureUnsupported;
}

CapturedPoint captured_point(const Stream& stream) { return {stream.capture, stream.captured_until}; }

cudaError_t refuse_captured_event(const char* function, const CapturedPoint& point) {
  if (!point.capture) return cudaSuccess;
  point.capture->invalidated = true;
  report(
      "%s: the event was last recorded in a captured stream, where it is an edge of the graph and never "
      "takes place; record it in a stream that runs",
      function);
  return cudaErrorCapturedEvent;
}

cudaError_t join_capture(const std::shared_ptr<Stream>& stream, const CapturedPoint& point) {
  if (point.capture->ended) return refuse_captured_event("cudaStreamWaitEvent", point);
  if (point.capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (stream->is_legacy) {
    point.capture->invalidated = true;
    report("cudaStreamWaitEvent: the legacy default stream can't become a part of a capture");
    return cudaErrorStreamCaptureImplicit;
  }
  if (stream->capture && stream->capture != point.capture) {
    point.capture->invalidated = stream->capture->invalidated = true;
    report("cudaStreamWaitEvent: the stream and the event belong to two captures, which can't become one");
    return cudaErrorStreamCaptureMerge;
  }
  stream->capture = point.capture;
  for (GraphNode* node : point.after)
    if (std::find(stream->captured_until.begin(), stream->captured_until.end(), node) ==
        stream->captured_until.end())
      stream->captured_until.push_back(node);
  return cudaSuccess;
}

cudaError_t refuse_outside_work(const Stream& stream) {
  if (!stream.capture) return cudaSuccess;
  stream.capture->invalidated = true;
  report(
      "cudaStreamWaitEvent: the event was recorded outside of the capture, so its graph could not wait for "
      "it; the capture is invalid now. Wait for the event before cudaStreamBeginCapture");
  return cudaErrorStreamCaptureIsolation;
}

void abandon_capture(Stream& stream) {
  if (!stream.capture) return;
  stream.capture->invalidated = true;
  if (stream.capture->origin == &stream) return end(*stream.capture);
  stream.capture.reset();
  stream.captured_until.clear();
}

namespace {

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return with_stream(handle, [&](const auto& stream) { return begin_capture(stream, mode); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return with_stream(handle, [&](const auto& stream) {
    if (!graph) return cudaErrorInvalidValue;
    *graph = nullptr;
    return end_capture(*stream, *graph);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(handle, status, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph) {
  return with_stream(handle, [&](const auto& stream) {
    if (!status) return cudaErrorInvalidValue;
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = stream->capture->id;
    if (graph) *graph = stream->capture->graph->handle;
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api_call([&] {
    if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(*mode, mode_of_thread);
    return cudaSuccess;
  });
}
