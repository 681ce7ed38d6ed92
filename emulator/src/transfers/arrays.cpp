// Arrays for textures and surfaces, and copies to and from them.
#include "emulator/src/transfers/arrays.hpp"

#include <memory>
#include <vector>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"
#include "emulator/src/streams/transfer.hpp"

namespace warplab::emulator {

cudaExtent largest_array(const cudaExtent& extent, bool is_layered) {
  if (is_layered) return {32768, 32768, 2048};
  if (extent.depth > 0) return {16384, 16384, 16384};
  return {131072, 65536, 0};
}

namespace {

std::vector<std::unique_ptr<cudaArray>>& arrays() {
  static auto& list = *new std::vector<std::unique_ptr<cudaArray>>;  // static destructors may still free one
  return list;
}

/// The first of `bytes` that go on from row to row; null where they leave the array, which is explained.
char* run_of_bytes(const char* function, const cudaArray& array, std::size_t x, std::size_t y,
                   std::size_t bytes) {
  const std::size_t row = array.elements.pitch, rows = array.elements.rows();
  if (x <= row && y < rows && bytes <= (rows - y) * row - x) return array.elements.data + y * row + x;
  report("%s: %zu bytes from byte %zu of row %zu on, but the array has %zu rows of %zu bytes", function,
         bytes, x, y, rows, row);
  return nullptr;
}

cudaError_t to_array(const char* function, cudaArray_t handle, std::size_t x, std::size_t y, const void* from,
                     std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                     cudaStream_t stream, bool async) {
  return api_call([&] {
    const cudaArray* const array = find_array(function, handle);
    if (array == nullptr || from == nullptr) return cudaErrorInvalidValue;
    char* const to = begin_of(function, *array, {x, y, 0, width, height, 1});
    if (to == nullptr) return cudaErrorInvalidValue;
    return transfer({function, to, from, array->elements.pitch, from_pitch, width, height, kind}, stream,
                    async);
  });
}

cudaError_t from_array(const char* function, void* to, std::size_t to_pitch, cudaArray_const_t handle,
                       std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                       cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  return api_call([&] {
    const cudaArray* const array = find_array(function, handle);
    const char* const from = array ? begin_of(function, *array, {x, y, 0, width, height, 1}) : nullptr;
    if (from == nullptr) return cudaErrorInvalidValue;
    return transfer({function, to, from, to_pitch, array->elements.pitch, width, height, kind}, stream,
                    async);
  });
}

cudaError_t run_to_array(const char* function, cudaArray_t handle, std::size_t x, std::size_t y,
                         const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                         bool async) {
  return api_call([&] {
    const cudaArray* const array = find_array(function, handle);
    char* const to = array ? run_of_bytes(function, *array, x, y, bytes) : nullptr;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    return transfer({function, to, from, bytes, bytes, bytes, 1, kind}, stream, async);
  });
}

cudaError_t run_from_array(const char* function, void* to, cudaArray_const_t handle, std::size_t x,
                           std::size_t y, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                           bool async) {
  return api_call([&] {
    const cudaArray* const array = find_array(function, handle);
    const char* const from = array ? run_of_bytes(function, *array, x, y, bytes) : nullptr;
    if (from == nullptr) return cudaErrorInvalidValue;
    return transfer({function, to, from, bytes, bytes, bytes, 1, kind}, stream, async);
  });
}

/// @param describe what makes a Transfer of both arrays, whose ends are null where they leave one
template <class Describe>
cudaError_t between_arrays(const char* function, cudaArray_t to, cudaArray_const_t from, cudaMemcpyKind kind,
                           Describe&& describe) {
  return api_call([&] {
    const cudaArray* const target = find_array(function, to);
    const cudaArray* const source = target ? find_array(function, from) : nullptr;
    if (!source) return cudaErrorInvalidValue;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    const Transfer copy = describe(*target, *source);
    if (!copy.to || !copy.from) return cudaErrorInvalidValue;
    return transfer(copy, nullptr, false);
  });
}

/// Whether an array can have that shape; explains why not.
bool is_shape(const char* function, const cudaExtent& extent, bool is_layered) {
  const cudaExtent largest = largest_array(extent, is_layered);
  if (extent.width >= 1 && extent.width <= largest.width && extent.height <= largest.height &&
      extent.depth <= largest.depth &&
      (is_layered ? extent.depth > 0 : extent.height > 0 || extent.depth == 0))
    return true;
  if (is_layered || extent.depth > 0)
    report(
        "%s: an array of %s has 1 to %zu elements in a row, %d to %zu rows and 1 to %zu layers, not %zu, %zu "
        "and %zu",
        function, is_layered ? "layers" : "three dimensions", largest.width, is_layered ? 0 : 1,
        largest.height, largest.depth, extent.width, extent.height, extent.depth);
  else
    report("%s: an array has 1 to %zu elements in a row and at most %zu rows, not %zu and %zu", function,
           largest.width, largest.height, extent.width, extent.height);
  return false;
}

cudaError_t make_array(const char* function, cudaArray_t* to, const cudaChannelFormatDesc& format,
                       const cudaExtent& extent, unsigned flags, const void* caller) {
  if (!is_valid(format)) {
    report(
        "%s: elements have 1, 2 or 4 channels of 8, 16 or 32 bits, and floats 16 or 32; these have %d, %d, "
        "%d and %d bits",
        function, format.x, format.y, format.z, format.w);
    return cudaErrorInvalidChannelDescriptor;
  }
  if (flags & ~static_cast<unsigned>(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather)) {
    report("%s: the emulator has no cubemaps, and arrays of no other kind; flags are %u", function, flags);
    return cudaErrorInvalidValue;
  }
  const bool is_layered = flags & cudaArrayLayered;
  if (!is_shape(function, extent, is_layered)) return cudaErrorInvalidValue;
  auto array = std::make_unique<cudaArray>();
  array->elements = {nullptr, extent.width, extent.height, extent.width * bytes_of(format),
                     format,  extent.depth, is_layered};
  array->flags = flags;
  void* data = nullptr;
  const std::size_t bytes = array->elements.layer_bytes() * array->elements.layers();
  const cudaError_t error = allocate(&data, bytes, Space::device, function, caller);
  close_device_memory();
  if (error != cudaSuccess) return error;
  array->elements.data = static_cast<char*>(data);
  *to = array.get();
  arrays().push_back(std::move(array));
  return cudaSuccess;
}

}  // namespace

char* begin_of(const char* function, const cudaArray& array, const ArrayBox& box) {
  const Elements& elements = array.elements;
  const std::size_t row = elements.pitch, rows = elements.rows(), layers = elements.layers();
  const auto lies_in = [](std::size_t begin, std::size_t length, std::size_t size) {
    return begin <= size && length <= size - begin;
  };
  if (lies_in(box.x, box.width, row) && lies_in(box.y, box.height, rows) && lies_in(box.z, box.depth, layers))
    return elements.data + box.z * elements.layer_bytes() + box.y * row + box.x;
  if (layers > 1 || box.depth > 1)
    report(
        "%s: %zu layers of %zu rows of %zu bytes from layer %zu, row %zu and byte %zu on, but the array has "
        "%zu layers of %zu rows of %zu bytes",
        function, box.depth, box.height, box.width, box.z, box.y, box.x, layers, rows, row);
  else
    report(
        "%s: %zu rows of %zu bytes from byte %zu of row %zu on, but the array has %zu rows of %zu bytes; are "
        "offset and width in bytes, not elements?",
        function, box.height, box.width, box.x, box.y, rows, row);
  return nullptr;
}

bool is_valid(const cudaChannelFormatDesc& format) {
  const int n = channels_of(format);
  const int parts[] = {format.x, format.y, format.z, format.w};
  for (int i = 0; i < 4; ++i)
    if (parts[i] != (i < n ? format.x : 0)) return false;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  return (n == 1 || n == 2 || n == 4) && format.f >= cudaChannelFormatKindSigned &&
         format.f <= cudaChannelFormatKindFloat &&
         (format.x == 32 || format.x == 16 || (format.x == 8 && !is_float));
}

cudaArray* array_around(const void* address) {
  const std::optional<Allocation> found = find_allocation(address);
  if (!found) return nullptr;
  for (const auto& known : arrays())
    if (known->elements.data == found->data) return known.get();
  return nullptr;
}

const cudaArray* find_array(const char* function, cudaArray_const_t array) {
  for (const auto& known : arrays()) {
    if (known.get() != array) continue;
    if (find_allocation(known->elements.data)) return array;
    break;  // cudaDeviceReset has freed it
  }
  report("%s: %p is not an array; was it freed, or was it never allocated?", function,
         static_cast<const void*>(array));
  return nullptr;
}

}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned int flags) {
  const void* const caller = __builtin_return_address(0);
  return api_call([&] {
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (flags & cudaArrayLayered) {
      report("cudaMallocArray: an array of layers is made with cudaMalloc3DArray");
      return cudaErrorInvalidValue;
    }
    return make_array("cudaMallocArray", array, *format, {width, height, 0}, flags, caller);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  const void* const caller = __builtin_return_address(0);
  return api_call([&] {
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    return make_array("cudaMalloc3DArray", array, *format, extent, flags, caller);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_call([&] {
    if (array == nullptr) return cudaSuccess;
    if (find_array("cudaFreeArray", array) == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = drain_all()) return error;
    const cudaError_t error = release(array->elements.data, Space::device, "cudaFreeArray");
    std::erase_if(arrays(), [&](const auto& known) { return known.get() == array; });
    return error;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t handle) {
  return api_call([&] {
    const cudaArray* const array = find_array("cudaArrayGetInfo", handle);
    if (array == nullptr) return cudaErrorInvalidValue;
    if (format) *format = array->elements.format;
    if (extent) *extent = {array->elements.width, array->elements.height, array->elements.depth};
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
  return api_call([&] {
    const cudaArray* const array = find_array("cudaGetChannelDesc", handle);
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    *format = array->elements.format;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
  return to_array("cudaMemcpy2DToArray", to, x, y, from, from_pitch, width, height, kind, nullptr, false);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return to_array("cudaMemcpy2DToArrayAsync", to, x, y, from, from_pitch, width, height, kind, stream, true);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return from_array("cudaMemcpy2DFromArray", to, to_pitch, from, x, y, width, height, kind, nullptr, false);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return from_array("cudaMemcpy2DFromArrayAsync", to, to_pitch, from, x, y, width, height, kind, stream,
                    true);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
  return run_to_array("cudaMemcpyToArray", to, x, y, from, bytes, kind, nullptr, false);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_to_array("cudaMemcpyToArrayAsync", to, x, y, from, bytes, kind, stream, true);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
  return run_from_array("cudaMemcpyFromArray", to, from, x, y, bytes, kind, nullptr, false);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_from_array("cudaMemcpyFromArrayAsync", to, from, x, y, bytes, kind, stream, true);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  constexpr char function[] = "cudaMemcpy2DArrayToArray";
  return between_arrays(function, to, from, kind, [&](const cudaArray& target, const cudaArray& source) {
    return Transfer{function,
                    begin_of(function, target, {to_x, to_y, 0, width, height, 1}),
                    begin_of(function, source, {from_x, from_y, 0, width, height, 1}),
                    target.elements.pitch,
                    source.elements.pitch,
                    width,
                    height,
                    kind};
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                   std::size_t from_x, std::size_t from_y, std::size_t bytes,
                                   cudaMemcpyKind kind) {
  constexpr char function[] = "cudaMemcpyArrayToArray";
  return between_arrays(function, to, from, kind, [&](const cudaArray& target, const cudaArray& source) {
    return Transfer{function,
                    run_of_bytes(function, target, to_x, to_y, bytes),
                    run_of_bytes(function, source, from_x, from_y, bytes),
                    bytes,
                    bytes,
                    bytes,
                    1,
                    kind};
  });
}
