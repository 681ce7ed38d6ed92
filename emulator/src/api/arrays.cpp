// Arrays for textures and surfaces, and copies to and from them.
#include "emulator/src/api/arrays.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "emulator/src/api/api_call.hpp"
#include "emulator/src/api/stream_queue.hpp"
#include "emulator/src/api/transfer.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {
namespace {

std::vector<std::unique_ptr<cudaArray>>& arrays() {
  static std::vector<std::unique_ptr<cudaArray>> list;
  return list;
}

std::size_t rows_of(const cudaArray& array) { return std::max<std::size_t>(array.elements.height, 1); }

/// A piece of an array, in bytes and rows; null where it leaves the array, which is explained.
char* piece(const char* function, const cudaArray& array, std::size_t x, std::size_t y, std::size_t width,
            std::size_t height) {
  const std::size_t row = array.elements.pitch, rows = rows_of(array);
  if (x <= row && width <= row - x && y <= rows && height <= rows - y)
    return array.elements.data + y * row + x;
  report(
      "%s: %zu rows of %zu bytes from byte %zu of row %zu on, but the array has %zu rows of %zu bytes; are "
      "offset and width in bytes, not elements?",
      function, height, width, x, y, rows, row);
  return nullptr;
}

/// The same for `bytes` that go on from row to row.
char* run_of_bytes(const char* function, const cudaArray& array, std::size_t x, std::size_t y,
                   std::size_t bytes) {
  const std::size_t row = array.elements.pitch, rows = rows_of(array);
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
    char* const to = piece(function, *array, x, y, width, height);
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
    const char* const from = array ? piece(function, *array, x, y, width, height) : nullptr;
    if (from == nullptr) return cudaErrorInvalidValue;
    return transfer({function, to, from, to_pitch, array->elements.pitch, width, height, kind}, stream,
                    async);
  });
}

cudaError_t make_array(cudaArray_t* to, const cudaChannelFormatDesc& format, std::size_t width,
                       std::size_t height, unsigned flags, const void* caller) {
  constexpr std::size_t widest = 131072, highest = 65536;  // of CUDA's arrays of two dimensions
  if (!is_valid(format)) {
    report(
        "cudaMallocArray: elements have 1, 2 or 4 channels of 8, 16 or 32 bits, and floats 16 or 32; these "
        "have %d, %d, %d and %d bits",
        format.x, format.y, format.z, format.w);
    return cudaErrorInvalidChannelDescriptor;
  }
  if (flags & ~static_cast<unsigned>(cudaArraySurfaceLoadStore | cudaArrayTextureGather)) {
    report("cudaMallocArray: the emulator has arrays of one and two dimensions; flags are %u", flags);
    return cudaErrorInvalidValue;
  }
  if (width == 0 || width > widest || height > highest) {
    report("cudaMallocArray: an array has 1 to %zu elements in a row and at most %zu rows, not %zu and %zu",
           widest, highest, width, height);
    return cudaErrorInvalidValue;
  }
  auto array = std::make_unique<cudaArray>();
  array->elements = {nullptr, width, height, width * bytes_of(format), format};
  array->flags = flags;
  void* data = nullptr;
  const cudaError_t error =
      allocate(&data, array->elements.pitch * rows_of(*array), Space::device, "cudaMallocArray", caller);
  close_device_memory();
  if (error != cudaSuccess) return error;
  array->elements.data = static_cast<char*>(data);
  *to = array.get();
  arrays().push_back(std::move(array));
  return cudaSuccess;
}

}  // namespace

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

const cudaArray* find_array(const char* function, cudaArray_const_t array) {
  for (const auto& known : arrays()) {
    if (known.get() != array) continue;
    if (find_allocation(known->elements.data)) return array;
    break;  // cudaDeviceReset has freed it
  }
  report("%s: %p is not an array; was it freed, or did cudaMallocArray fail?", function,
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
    return make_array(array, *format, width, height, flags, caller);
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
    if (extent) *extent = {array->elements.width, array->elements.height, 0};
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

cudaError_t cudaMemcpyToArray(cudaArray_t handle, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    const cudaArray* const array = find_array("cudaMemcpyToArray", handle);
    char* const to = array ? run_of_bytes("cudaMemcpyToArray", *array, x, y, bytes) : nullptr;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    return transfer({"cudaMemcpyToArray", to, from, bytes, bytes, bytes, 1, kind}, nullptr, false);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t handle, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    const cudaArray* const array = find_array("cudaMemcpyFromArray", handle);
    const char* const from = array ? run_of_bytes("cudaMemcpyFromArray", *array, x, y, bytes) : nullptr;
    if (from == nullptr) return cudaErrorInvalidValue;
    return transfer({"cudaMemcpyFromArray", to, from, bytes, bytes, bytes, 1, kind}, nullptr, false);
  });
}
