#include "emulator/src/streams/transfer.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/block/executor.hpp"
#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/session.hpp"
#include "emulator/src/streams/stream_capture.hpp"
#include "emulator/src/streams/stream_queue.hpp"

namespace warplab::emulator {
namespace {

enum class Side { host, device, either };

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault:
      return "cudaMemcpyDefault";
  }
  return "an unknown kind";
}

// Bytes from the first to the last that the transfer touches at one end, or SIZE_MAX when that overflows.
std::size_t extent_of(const Transfer& t, std::size_t pitch, std::size_t layer) {
  std::size_t bytes = t.width, rows = 0, layers = 0;
  if (__builtin_mul_overflow(pitch, t.height - 1, &rows) ||
      __builtin_mul_overflow(layer, t.depth - 1, &layers) || __builtin_add_overflow(bytes, rows, &bytes) ||
      __builtin_add_overflow(bytes, layers, &bytes))
    return SIZE_MAX;
  return bytes;
}

// Whether `bytes` at `address` can be one end of the transfer; explains why not.
cudaError_t check_end(const Transfer& t, const char* role, const void* address, std::size_t bytes,
                      Side side) {
  const Space space = space_of(address);
  const std::optional<Allocation> allocation = find_allocation(address);
  // On a GPU the variable's name is the address of something else on the host.
  if (allocation && allocation->is_constant && !allocation->host_has_address && !t.names_symbol) {
    report(
        "%s: the %s is the host's name of the %s, which a GPU keeps elsewhere; use cudaMemcpyToSymbol or "
        "cudaMemcpyFromSymbol",
        t.function, role, allocation->function.c_str());
    return cudaErrorInvalidValue;
  }
  const bool wrong_side = (side == Side::device && space == Space::host) ||
                          (side == Side::host && (space == Space::device || space == Space::symbol));
  if (!address || wrong_side) {
    report("%s: the %s %p is %s, but %s needs %s memory there%s", t.function, role, address,
           describe_address(address).c_str(), t.from ? name_of(t.kind) : "it",
           side == Side::host     ? "host"
           : side == Side::device ? "device"
                                  : "valid",
           address && t.from ? "; are the arguments swapped, or is it the wrong direction?" : "");
    return cudaErrorInvalidValue;
  }
  if (space == Space::host) return cudaSuccess;
  const std::size_t left =
      allocation
          ? allocation->bytes - static_cast<std::size_t>(static_cast<const char*>(address) - allocation->data)
          : 0;
  if (bytes > left) {
    report(
        "%s of %zu bytes: the %s %p is %s, where only %zu bytes are left; is the size in bytes, not "
        "elements?",
        t.function, bytes, role, address, describe_address(address).c_str(), left);
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

// Memory may have been freed on another stream between the call and the work.
cudaError_t open_end(const Transfer& t, const void* address) {
  if (!is_device_only(address)) return cudaSuccess;
  if (open_for_device(address)) return cudaSuccess;
  report("%s: %p is %s", t.function, address, describe_address(address).c_str());
  return cudaErrorIllegalAddress;
}

void fill(char* to, const Transfer& t) {
  if (t.element_bytes == 1) {
    std::memset(to, static_cast<int>(t.value), t.width);
    return;
  }
  for (std::size_t i = 0; i < t.width; i += t.element_bytes) std::memcpy(to + i, &t.value, t.element_bytes);
}

}  // namespace

cudaError_t check_owner(const char* function, const char* role, const void* address, int device) {
  if (!is_device(device)) return cudaErrorInvalidDevice;
  const std::optional<Allocation> known = find_allocation(address);
  if (!known || known->space != Space::device || known->device == device) return cudaSuccess;
  report("%s: the %s is memory of device %d, not of device %d", function, role, known->device, device);
  return cudaErrorInvalidValue;
}

cudaError_t perform(const Transfer& t) {
  if (const cudaError_t error = open_end(t, t.to)) return error;
  if (t.from)
    if (const cudaError_t error = open_end(t, t.from)) return error;
  if (!t.from || space_of(t.from) != Space::host) {
    count_transfer();
    lens::note_transfer(t.from != nullptr);
  }
  for (std::size_t layer = 0; layer < t.depth; ++layer)
    for (std::size_t row = 0; row < t.height; ++row) {
      char* const to = static_cast<char*>(t.to) + layer * t.to_layer + row * t.to_pitch;
      const char* const from = static_cast<const char*>(t.from) + layer * t.from_layer + row * t.from_pitch;
      if (t.from)
        std::memmove(to, from, t.width);
      else
        fill(to, t);
    }
  return cudaSuccess;
}

namespace {

bool is_device_side(Space space) { return space == Space::device || space == Space::symbol; }

// Whether the host has to wait: CUDA returns at once where it can work on without the host.
bool waits(const Transfer& t, bool async) {
  const Space to = space_of(t.to);
  if (!t.from) return !async && !is_device_side(to);
  const Space from = space_of(t.from);
  if (async) return to == Space::host || from == Space::host;
  return !is_device_side(to) || !is_device_side(from);
}

}  // namespace

cudaError_t check(const Transfer& t) {
  if (t.kind < cudaMemcpyHostToHost || t.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if ((t.height > 1 || t.depth > 1) && (t.width > t.to_pitch || (t.from && t.width > t.from_pitch))) {
    report("%s: rows of %zu bytes do not fit into a pitch of %zu bytes", t.function, t.width,
           t.width > t.to_pitch ? t.to_pitch : t.from_pitch);
    return t.from ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  }
  const bool known = t.kind != cudaMemcpyDefault;
  const bool to_device = t.kind == cudaMemcpyHostToDevice || t.kind == cudaMemcpyDeviceToDevice;
  const bool from_device = t.kind == cudaMemcpyDeviceToHost || t.kind == cudaMemcpyDeviceToDevice;
  const Side to = !t.from ? Side::device : !known ? Side::either : to_device ? Side::device : Side::host;
  if (const cudaError_t error = check_end(t, "destination", t.to, extent_of(t, t.to_pitch, t.to_layer), to))
    return error;
  if (!t.from) return cudaSuccess;
  const Side from = !known ? Side::either : from_device ? Side::device : Side::host;
  return check_end(t, "source", t.from, extent_of(t, t.from_pitch, t.from_layer), from);
}

cudaError_t transfer(const Transfer& t, cudaStream_t handle, bool async) {
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (t.width == 0 || t.height == 0 || t.depth == 0) return cudaSuccess;
  if (const cudaError_t error = check(t)) return error;
  if (!async)
    if (const cudaError_t error = refuse_unsafe(t.function, stream.get())) return error;
  auto work = [t] { return perform(t); };
  if (!stream->capture && waits(t, async)) return run_now(stream, work);
  return push(stream, {work, {}, Operation::Kind::copy, t});
}

namespace {

cudaError_t copy_rows(const char* function, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      cudaStream_t stream, bool async) {
  return api_call([&] {
    if (!from && width && height) {
      report("%s: the source is a null pointer", function);
      return cudaErrorInvalidValue;
    }
    if (const std::size_t pitch = std::min(to_pitch, from_pitch); height == 1 && width > pitch) {
      report("%s: a row of %zu bytes does not fit into a pitch of %zu bytes", function, width, pitch);
      return cudaErrorInvalidValue;  // of several rows check() says cudaErrorInvalidPitchValue, as CUDA does
    }
    return transfer({function, to, from, to_pitch, from_pitch, width, height, kind}, stream, async);
  });
}

cudaError_t fill_rows(const char* function, void* to, std::size_t pitch, int value, std::size_t width,
                      std::size_t height, cudaStream_t stream, bool async) {
  return api_call([&] {
    return transfer(
        {function, to, nullptr, pitch, 0, width, height, cudaMemcpyDefault, static_cast<unsigned>(value)},
        stream, async);
  });
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy", to, bytes, from, bytes, bytes, 1, kind, nullptr, false);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_rows("cudaMemcpyAsync", to, bytes, from, bytes, bytes, 1, kind, stream, true);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream, true);
}

namespace {

cudaError_t copy_between(const char* function, void* to, int to_device, const void* from, int from_device,
                         std::size_t bytes, cudaStream_t stream, bool async) {
  const cudaError_t error = api_call([&] {
    const cudaError_t wrong = check_owner(function, "destination", to, to_device);
    return wrong != cudaSuccess ? wrong : check_owner(function, "source", from, from_device);
  });
  if (error != cudaSuccess) return error;
  return copy_rows(function, to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, stream, async);
}

}  // namespace

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return copy_between("cudaMemcpyPeer", to, to_device, from, from_device, bytes, nullptr, false);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return copy_between("cudaMemcpyPeerAsync", to, to_device, from, from_device, bytes, stream, true);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return fill_rows("cudaMemset", to, bytes, value, bytes, 1, nullptr, false);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_rows("cudaMemsetAsync", to, bytes, value, bytes, 1, stream, true);
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows("cudaMemset2D", to, pitch, value, width, height, nullptr, false);
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return fill_rows("cudaMemset2DAsync", to, pitch, value, width, height, stream, true);
}
