// Objects for textures and surfaces: what they read is checked when they are made.
#include <cuda_runtime_api.h>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"
#include "emulator/src/transfers/arrays.hpp"
#include "emulator/src/transfers/operand.hpp"

using namespace warplab::emulator;

namespace {

constexpr std::size_t address_unit = 512, pitch_unit = 32;  // textureAlignment, texturePitchAlignment
constexpr std::size_t max_linear_elements = std::size_t{1} << 28;
constexpr const char* creating = "cudaCreateTextureObject";

/// Memory of the program that a texture reads, checked. @param bytes from the first to the last
cudaError_t check_memory(const void* data, std::size_t bytes, const cudaChannelFormatDesc& format) {
  if (!is_valid(format)) {
    report("%s: elements have 1, 2 or 4 channels of 8, 16 or 32 bits, and floats 16 or 32", creating);
    return cudaErrorInvalidChannelDescriptor;
  }
  // A GPU's allocations begin at such multiples, those of the emulator need not.
  if (const auto found = find_allocation(data);
      found && static_cast<std::size_t>(static_cast<const char*>(data) - found->data) % address_unit != 0) {
    report("%s: the memory must begin at a multiple of %zu bytes, and is %s", creating, address_unit,
           describe_address(data).c_str());
    return cudaErrorInvalidValue;
  }
  const cudaError_t error = open_operand(creating, {"the memory", data, bytes});
  close_device_memory();
  return error == cudaSuccess ? error : cudaErrorInvalidValue;
}

cudaError_t describe_linear(const cudaResourceDesc& resource, Texture& texture) {
  const auto& linear = resource.res.linear;
  if (const cudaError_t error = check_memory(linear.devPtr, linear.sizeInBytes, linear.desc)) return error;
  const std::size_t count = linear.sizeInBytes / bytes_of(linear.desc);
  if (count == 0 || count > max_linear_elements) {
    report("%s: a texture of linear memory has 1 to %zu elements, not %zu", creating, max_linear_elements,
           count);
    return cudaErrorInvalidValue;
  }
  texture.elements = {static_cast<char*>(linear.devPtr), count, 0, 0, linear.desc};
  texture.is_linear = true;
  return cudaSuccess;
}

cudaError_t describe_rows(const cudaResourceDesc& resource, Texture& texture) {
  const auto& rows = resource.res.pitch2D;
  if (rows.width == 0 || rows.height == 0 || rows.pitchInBytes % pitch_unit != 0 ||
      rows.pitchInBytes < rows.width * bytes_of(rows.desc)) {
    report(
        "%s: %zu rows of %zu elements, with %zu bytes from row to row; that must be a multiple of %zu, "
        "and no less than a row",
        creating, rows.height, rows.width, rows.pitchInBytes, pitch_unit);
    return cudaErrorInvalidValue;
  }
  const std::size_t bytes = (rows.height - 1) * rows.pitchInBytes + rows.width * bytes_of(rows.desc);
  if (const cudaError_t error = check_memory(rows.devPtr, bytes, rows.desc)) return error;
  texture.elements = {static_cast<char*>(rows.devPtr), rows.width, rows.height, rows.pitchInBytes, rows.desc};
  return cudaSuccess;
}

cudaError_t describe_resource(const cudaResourceDesc& resource, Texture& texture) {
  switch (resource.resType) {
    case cudaResourceTypeLinear:
      return describe_linear(resource, texture);
    case cudaResourceTypePitch2D:
      return describe_rows(resource, texture);
    case cudaResourceTypeArray:
      if (const cudaArray* const array = find_array(creating, resource.res.array.array)) {
        texture.elements = array->elements;
        return cudaSuccess;
      }
      return cudaErrorInvalidValue;
    default:
      report(
          "%s: the emulator has textures of linear memory, of rows in memory and of arrays, and no mipmaps",
          creating);
      return cudaErrorNotSupported;
  }
}

cudaError_t check_description(const Texture& texture) {
  const cudaTextureDesc& wanted = texture.description;
  const cudaChannelFormatDesc& format = texture.elements.format;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const bool is_normalized = wanted.readMode == cudaReadModeNormalizedFloat;
  if (wanted.sRGB) {
    report("%s: the emulator does not convert from sRGB", creating);
    return cudaErrorNotSupported;
  }
  if (is_normalized && !is_float && format.x == 32) {
    report("%s: integers of 8 and 16 bits can be read as normalized floats, not of 32", creating);
    return cudaErrorInvalidNormSetting;
  }
  if (wanted.filterMode == cudaFilterModeLinear && !is_float && !is_normalized) {
    report("%s: linear filtering needs floats, or cudaReadModeNormalizedFloat", creating);
    return cudaErrorInvalidFilterSetting;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return api_call([&] {
    if (!object || !resource || !description) return cudaErrorInvalidValue;
    if (view) {
      report("%s: the emulator has no views of resources; the last argument must be null", creating);
      return cudaErrorNotSupported;
    }
    Texture texture;
    texture.description = *description;
    texture.resource = *resource;
    if (const cudaError_t error = describe_resource(*resource, texture)) return error;
    if (const cudaError_t error = check_description(texture)) return error;
    *object = add_texture(texture);
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_call([&] {
    if (object == 0) return cudaSuccess;
    if (!find_texture(object)) return cudaErrorInvalidValue;
    if (const cudaError_t error = drain_all()) return error;  // kernels that wait may read it
    remove_texture(object);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return api_call([&] {
    const Texture* const texture = find_texture(object);
    if (!texture || !resource) return cudaErrorInvalidValue;
    *resource = texture->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
  return api_call([&] {
    const Texture* const texture = find_texture(object);
    if (!texture || !description) return cudaErrorInvalidValue;
    *description = texture->description;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api_call([&] {
    if (!object || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
    const cudaArray* const array = find_array("cudaCreateSurfaceObject", resource->res.array.array);
    if (!array) return cudaErrorInvalidValue;
    if (!(array->flags & cudaArraySurfaceLoadStore)) {
      report("cudaCreateSurfaceObject: the array was not made with cudaArraySurfaceLoadStore");
      return cudaErrorInvalidValue;
    }
    *object = add_surface({array->elements, *resource});
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api_call([&] {
    if (object == 0) return cudaSuccess;
    if (!find_surface(object)) return cudaErrorInvalidValue;
    if (const cudaError_t error = drain_all()) return error;
    remove_surface(object);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return api_call([&] {
    const Surface* const surface = find_surface(object);
    if (!surface || !resource) return cudaErrorInvalidValue;
    *resource = surface->resource;
    return cudaSuccess;
  });
}
