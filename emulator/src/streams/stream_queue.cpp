#include "emulator/src/streams/stream_queue.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_map>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/order_seed.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/idle_host.hpp"
#include "emulator/src/streams/stream_capture.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t queue_limit = 1024;

struct Streams {
  std::vector<std::shared_ptr<Stream>> legacy;   // by device
  std::vector<std::shared_ptr<Stream>> streams;  // the destroyed ones too, until their work is done
  std::unordered_map<cudaStream_t, std::shared_ptr<Stream>> by_handle;
  std::uintptr_t next_handle = 1;
  std::mt19937_64 random{order_seed()};
  Streams() {
    for (int device = 0; device < device_count(); ++device) {
      const auto stream = std::make_shared<Stream>();
      stream->device = device;
      stream->is_legacy = true;
      legacy.push_back(stream);
      streams.push_back(stream);
    }
  }
  const std::shared_ptr<Stream>& legacy_of(int device) const {
    return legacy[static_cast<std::size_t>(device)];
  }
};

// Never destroyed: static destructors may still use the device.
Streams& all() {
  static Streams& instance = *new Streams;
  return instance;
}

thread_local std::weak_ptr<Stream> streams_of_this_thread[max_devices];

bool default_is_per_thread = false;  // set before main

// One operation of a stream, done when this ends, even by an exception of a host function.
struct Running {
  Stream& stream;
  explicit Running(Stream& s) : stream(s) { set_in_queued_work(true); }
  ~Running() {
    set_in_queued_work(false);
    ++stream.completed;
  }
};

std::shared_ptr<Stream> add_stream(Streams& d, unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->device = current_device();
  // Never an address: a handle that is dereferenced faults, and none is ever given out twice.
  stream->handle = reinterpret_cast<cudaStream_t>(++d.next_handle * 16);
  d.by_handle.emplace(stream->handle, stream);
  d.streams.push_back(stream);
  return stream;
}

void drop_work(Streams& d) {
  for (const auto& stream : d.streams) {
    stream->queue.clear();
    stream->completed = stream->enqueued;
  }
}

void forget_finished_streams(Streams& d) {
  std::erase_if(d.streams, [](const auto& s) { return s->destroyed && s->queue.empty(); });
}

// Marks, stream by stream, how far work has to go to reach the points, following what operations wait for.
std::vector<Stream*> mark_wanted(const std::vector<Point>& points) {
  std::vector<Stream*> participants;
  std::vector<const Point*> open;
  for (const Point& point : points) open.push_back(&point);
  while (!open.empty()) {
    const Point point = *open.back();
    open.pop_back();
    Stream& s = *point.stream;
    std::uint64_t from = std::max(s.wanted, s.completed);
    if (point.sequence <= from) continue;
    if (s.wanted <= s.completed) participants.push_back(&s);
    s.wanted = point.sequence;
    for (; from < point.sequence; ++from)
      for (const Point& needed : s.queue[from - s.completed].after) open.push_back(&needed);
  }
  return participants;
}

bool is_ready(const Stream& s) {
  const auto& after = s.queue.front().after;
  return std::all_of(after.begin(), after.end(), [](const Point& point) { return point.reached(); });
}

// One of the streams whose next operation may run, drawn at random where there are several.
Stream* draw_ready(Streams& d, std::vector<Stream*>& participants) {
  std::erase_if(participants, [](const Stream* s) { return s->completed >= s->wanted; });
  Stream* chosen = nullptr;
  unsigned candidates = 0;
  for (Stream* s : participants)
    if (is_ready(*s) && (++candidates == 1 || d.random() % candidates == 0)) chosen = s;
  return chosen;
}

// A program that ends by its own error has said why.
void warn_of_lost_work(int status, void*) {
  if (status != 0) return;
  std::size_t launches = 0, copies = 0;
  for (const auto& stream : all().streams)
    for (const Operation& operation : stream->queue) {
      launches += operation.kind == Operation::Kind::launch;
      copies += operation.kind == Operation::Kind::copy;
    }
  if (launches + copies == 0) return;
  report(
      "the program ends with work that it never waited for and that did not run (kernel launches: %zu, "
      "copies: %zu); call cudaDeviceSynchronize() or another wait before the end",
      launches, copies);
}

}  // namespace

bool take_default_stream_per_thread() { return default_is_per_thread = true; }

std::shared_ptr<Stream> find_stream(cudaStream_t handle) {
  Streams& d = all();
  if (handle == nullptr && default_is_per_thread) handle = cudaStreamPerThread;
  if (handle == nullptr || handle == cudaStreamLegacy) return d.legacy_of(current_device());
  if (handle == cudaStreamPerThread) {
    std::weak_ptr<Stream>& known = streams_of_this_thread[current_device()];
    std::shared_ptr<Stream> stream = known.lock();
    if (!stream || stream->destroyed) known = stream = add_stream(d, cudaStreamDefault, 0);
    return stream;
  }
  const auto found = d.by_handle.find(handle);
  return found == d.by_handle.end() ? nullptr : found->second;
}

const std::vector<std::shared_ptr<Stream>>& all_streams() { return all().streams; }

unsigned long long next_stream_id() {
  static unsigned long long last = 0;  // under the device lock
  return ++last;
}

cudaStream_t create_stream(unsigned flags, int priority) {
  return add_stream(all(), flags, priority)->handle;
}

void destroy_stream(const std::shared_ptr<Stream>& stream) {
  Streams& d = all();
  abandon_capture(*stream);
  stream->destroyed = true;
  d.by_handle.erase(stream->handle);
  forget_finished_streams(d);
}

cudaError_t push(const std::shared_ptr<Stream>& stream, Operation operation) {
  [[maybe_unused]] static const int registered = on_exit(warn_of_lost_work, nullptr);
  [[maybe_unused]] static const bool watched = (watch_for_idle_host(), true);
  if (stream->capture) return capture_work(*stream, std::move(operation));
  if (const cudaError_t error = refuse_implicit_wait(*stream)) return error;
  Streams& d = all();
  if (stream->queue.size() >= queue_limit)
    if (const cudaError_t error = drain({{stream, stream->completed + queue_limit / 2}})) return error;
  if (stream->is_legacy) {
    for (const auto& other : d.streams)
      if (other != stream && other->device == stream->device && other->blocking() && !other->queue.empty())
        operation.after.push_back(end_of(other));
  } else if (const auto& legacy = d.legacy_of(stream->device); stream->blocking() && !legacy->queue.empty()) {
    operation.after.push_back(end_of(legacy));
  }
  stream->queue.push_back(std::move(operation));
  ++stream->enqueued;
  return cudaSuccess;
}

std::vector<Point> ends_for_wait(const std::shared_ptr<Stream>& stream) {
  std::vector<Point> points{end_of(stream)};
  if (stream->is_legacy)
    for (const auto& other : all().streams)
      if (other != stream && other->device == stream->device && other->blocking() && !other->queue.empty())
        points.push_back(end_of(other));
  return points;
}

cudaError_t drain(const std::vector<Point>& points, std::size_t limit) {
  Streams& d = all();
  for (const auto& stream : d.streams) stream->wanted = 0;
  std::vector<Stream*> participants = mark_wanted(points);
  if (participants.empty()) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  std::size_t count = 0;
  for (; count < limit && error == cudaSuccess; ++count) {
    Stream* const stream = draw_ready(d, participants);
    if (!stream) break;
    const Operation operation = std::move(stream->queue.front());
    stream->queue.pop_front();
    const Running running(*stream);
    error = operation.work();
  }
  close_device_memory();
  if (error != cudaSuccess) {
    // A launch that a GPU would have refused leaves the device as it is.
    if (error != cudaErrorInvalidValue) set_sticky(error);
    drop_work(d);
  }
  forget_finished_streams(d);
  return error;
}

cudaError_t run_now(const std::shared_ptr<Stream>& stream, std::function<cudaError_t()> work) {
  if (const cudaError_t error = push(stream, {std::move(work), {}, Operation::Kind::copy})) return error;
  return drain({end_of(stream)});
}

cudaError_t query(const std::vector<Point>& points) {
  const auto reached = [](const Point& point) { return point.reached(); };
  if (std::all_of(points.begin(), points.end(), reached)) return cudaSuccess;
  const cudaError_t error = drain(points, 1);
  return error != cudaSuccess ? error : cudaErrorNotReady;
}

cudaError_t enqueue(cudaStream_t handle, std::function<cudaError_t()> work, NodeWork node) {
  if (in_queued_work()) return cudaErrorNotPermitted;
  note_host_call();
  const std::lock_guard lock(device_lock());
  if (const cudaError_t error = sticky()) return error;
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->device != current_device()) {
    report("a launch into a stream of device %d while device %d is current; call cudaSetDevice(%d) before it",
           stream->device, current_device(), stream->device);
    return cudaErrorInvalidResourceHandle;
  }
  return push(stream, {std::move(work), {}, Operation::Kind::launch, std::move(node)});
}

namespace {

// Runs what is queued on the streams of a device, or on all.
cudaError_t drain_streams(std::optional<int> device) {
  if (in_queued_work()) return cudaErrorNotPermitted;
  const std::lock_guard lock(device_lock());
  if (const cudaError_t error = sticky()) return error;
  std::vector<Point> points;
  for (const auto& stream : all().streams)
    if (!stream->queue.empty() && stream->device == device.value_or(stream->device))
      points.push_back(end_of(stream));
  return drain(points);
}

}  // namespace

cudaError_t drain_all() { return drain_streams(std::nullopt); }
cudaError_t drain_device() { return drain_streams(current_device()); }

void drop_streams() {
  Streams& d = all();
  drop_work(d);
  for (const auto& stream : d.streams) {
    if (stream->device != current_device()) continue;
    abandon_capture(*stream);
    stream->destroyed = !stream->is_legacy;
    d.by_handle.erase(stream->handle);
  }
  forget_finished_streams(d);
}

}  // namespace warplab::emulator
