// Copies and fills of boxes of memory or of arrays.
#include "emulator/src/transfers/transfer_3d.hpp"

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/transfers/arrays.hpp"

namespace warplab::emulator {
namespace {

/// One end of a copy: an array, or memory whose rows have a pitch.
struct End {
  const char* begin = nullptr;
  std::size_t pitch = 0, layer = 0;
};

/// @param box with `x` in the elements of the array, `width` in bytes; in bytes both where there is no array
/// @return no begin where there is none, or it leaves the array, which is explained
End end_of(const char* function, const cudaArray* array, const cudaPitchedPtr& memory, const ArrayBox& box) {
  if (array) {
    const Elements& elements = array->elements;
    ArrayBox bytes = box;
    bytes.x *= bytes_of(elements.format);
    return {begin_of(function, *array, bytes), elements.pitch, elements.layer_bytes()};
  }
  if (!memory.ptr) {
    report("%s: the memory is a null pointer, and there is no array", function);
    return {};
  }
  const std::size_t layer = memory.pitch * memory.ysize;
  return {static_cast<const char*>(memory.ptr) + box.z * layer + box.y * memory.pitch + box.x, memory.pitch,
          layer};
}

}  // namespace

cudaError_t describe_copy(const char* function, const cudaMemcpy3DParms& p, Transfer& transfer) {
  if ((p.srcArray && p.srcPtr.ptr) || (p.dstArray && p.dstPtr.ptr)) {
    report("%s: an array and a pointer are given for the %s: only one of both may be", function,
           p.srcArray && p.srcPtr.ptr ? "source" : "destination");
    return cudaErrorInvalidValue;
  }
  const cudaArray* const from_array = p.srcArray ? find_array(function, p.srcArray) : nullptr;
  const cudaArray* const to_array = p.dstArray ? find_array(function, p.dstArray) : nullptr;
  if ((p.srcArray && !from_array) || (p.dstArray && !to_array)) return cudaErrorInvalidValue;
  const cudaArray* const counted = from_array ? from_array : to_array;  // the extent is in its elements
  const std::size_t element = counted ? bytes_of(counted->elements.format) : 1;
  if (from_array && to_array && bytes_of(to_array->elements.format) != element) {
    report("%s: elements of %zu bytes are copied into elements of %zu", function, element,
           bytes_of(to_array->elements.format));
    return cudaErrorInvalidValue;
  }
  const auto& [width, height, depth] = p.extent;
  const ArrayBox source{p.srcPos.x, p.srcPos.y, p.srcPos.z, width * element, height, depth};
  const ArrayBox target{p.dstPos.x, p.dstPos.y, p.dstPos.z, width * element, height, depth};
  const End from = end_of(function, from_array, p.srcPtr, source);
  const End to = end_of(function, to_array, p.dstPtr, target);
  if (!from.begin || !to.begin) return cudaErrorInvalidValue;
  transfer = {
      function, const_cast<char*>(to.begin), from.begin, to.pitch, from.pitch, width * element, height,
      p.kind};
  transfer.depth = depth;
  transfer.to_layer = to.layer;
  transfer.from_layer = from.layer;
  return cudaSuccess;
}

namespace {

/// One end of a copy as cudaMemcpy3D has it.
struct AskedEnd {
  cudaArray_t array = nullptr;
  cudaPos position{};
  cudaPitchedPtr memory{};
};

AskedEnd asked_end(const void* begin, std::size_t pitch, std::size_t layer, const Transfer& copy) {
  if (cudaArray* const array = array_around(begin)) {
    const Elements& elements = array->elements;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(begin) - elements.data);
    const std::size_t in_layer = offset % elements.layer_bytes();
    return {array,
            {in_layer % elements.pitch / bytes_of(elements.format), in_layer / elements.pitch,
             offset / elements.layer_bytes()},
            {}};
  }
  const std::size_t rows = copy.depth > 1 && pitch > 0 ? layer / pitch : copy.height;
  return {nullptr, {}, {const_cast<void*>(begin), pitch, copy.width, rows}};
}

}  // namespace

cudaMemcpy3DParms parameters_of(const Transfer& copy) {
  const AskedEnd from = asked_end(copy.from, copy.from_pitch, copy.from_layer, copy);
  const AskedEnd to = asked_end(copy.to, copy.to_pitch, copy.to_layer, copy);
  const cudaArray* const counted = from.array ? from.array : to.array;
  const std::size_t element = counted ? bytes_of(counted->elements.format) : 1;
  return {from.array,
          from.position,
          from.memory,
          to.array,
          to.position,
          to.memory,
          {copy.width / element, copy.height, copy.depth},
          copy.kind};
}

namespace {

cudaError_t copy_box(const char* function, const cudaMemcpy3DParms* parameters, cudaStream_t stream,
                     bool async) {
  return api_call([&] {
    if (!parameters) return cudaErrorInvalidValue;
    Transfer t;
    if (const cudaError_t error = describe_copy(function, *parameters, t)) return error;
    return transfer(t, stream, async);
  });
}

cudaError_t fill_box(const char* function, const cudaPitchedPtr& memory, int value, const cudaExtent& extent,
                     cudaStream_t stream, bool async) {
  return api_call([&] {
    Transfer t{function, memory.ptr, nullptr, memory.pitch, 0, extent.width, extent.height};
    t.value = static_cast<unsigned>(value);
    t.depth = extent.depth;
    t.to_layer = memory.pitch * memory.ysize;
    return transfer(t, stream, async);
  });
}

}  // namespace
}  // namespace warplab::emulator

using namespace warplab::emulator;

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_box("cudaMemcpy3D", parameters, nullptr, false);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_box("cudaMemcpy3DAsync", parameters, stream, true);
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return fill_box("cudaMemset3D", memory, value, extent, nullptr, false);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_box("cudaMemset3DAsync", memory, value, extent, stream, true);
}
