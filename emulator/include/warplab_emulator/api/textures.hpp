#pragma once

#include <cstddef>
#include <type_traits>

#include "driver_types.h"
#include "vector_types.h"
#include "warplab_emulator/block/thread.hpp"

// Textures and surfaces in kernels. The runtime reads and writes the texels, so that the lens counts neither.

namespace warplab::emulator {

/// The channels of an element: `int`, or the members of `float4`.
template <class T, class = void>
struct TexelParts {
  using Part = T;
};
template <class T>
struct TexelParts<T, std::void_t<decltype(T::x)>> {
  using Part = decltype(T::x);
};
template <class T>
using TexelPart = typename TexelParts<T>::Part;
template <class T>
inline constexpr int texel_channels = sizeof(T) / sizeof(TexelPart<T>);

/// What a kernel wants of a texture.
struct TexelRequest {
  cudaChannelFormatKind kind;
  int bits, channels;
};
template <class T>
constexpr TexelRequest texel_request() {
  using Part = TexelPart<T>;
  static_assert(std::is_arithmetic_v<Part> && sizeof(Part) <= 4 && texel_channels<T> != 3,
                "elements of textures and surfaces have 1, 2 or 4 channels of 8, 16 or 32 bits");
  return {std::is_floating_point_v<Part> ? cudaChannelFormatKindFloat
          : std::is_signed_v<Part>       ? cudaChannelFormatKindSigned
                                         : cudaChannelFormatKindUnsigned,
          8 * static_cast<int>(sizeof(Part)), texel_channels<T>};
}

/// Four channels, as the request's kind has them.
union Texel {
  float real[4];
  int number[4];
};

Texel fetch_element(cudaTextureObject_t texture, int index, TexelRequest request, const Site& site);
Texel fetch_1d(cudaTextureObject_t texture, float x, TexelRequest request, const Site& site);
Texel fetch_2d(cudaTextureObject_t texture, float x, float y, TexelRequest request, const Site& site);
Texel fetch_3d(cudaTextureObject_t texture, float x, float y, float z, TexelRequest request,
               const Site& site);
Texel fetch_1d_layer(cudaTextureObject_t texture, float x, int layer, TexelRequest request, const Site& site);
Texel fetch_2d_layer(cudaTextureObject_t texture, float x, float y, int layer, TexelRequest request,
                     const Site& site);

template <class T>
T value_of_texel(const Texel& texel) {
  using Part = TexelPart<T>;
  struct {
    Part part[texel_channels<T>];
  } parts;
  for (int i = 0; i < texel_channels<T>; ++i)
    if constexpr (std::is_floating_point_v<Part>)
      parts.part[i] = texel.real[i];
    else
      parts.part[i] = static_cast<Part>(texel.number[i]);
  return __builtin_bit_cast(T, parts);
}

/// What a kernel reads of a texture by one of the functions above. @param at coordinates, an index, a layer
template <class T, auto fetch, class... At>
T read_texture(cudaTextureObject_t texture, const Site& site, At... at) {
  return value_of_texel<T>(fetch(texture, at..., texel_request<T>(), site));
}

/// Where an element of a surface is. @param x in bytes
struct SurfacePlace {
  int x, y, z;  ///< z: of three dimensions, or the layer
  cudaSurfaceBoundaryMode mode;
};
void read_surface(void* to, std::size_t bytes, cudaSurfaceObject_t surface, SurfacePlace place,
                  const Site& site);
void write_surface(const void* from, std::size_t bytes, cudaSurfaceObject_t surface, SurfacePlace place,
                   const Site& site);

}  // namespace warplab::emulator

/// The format of elements of a type.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  constexpr warplab::emulator::TexelRequest request = warplab::emulator::texel_request<T>();
  const int bits = request.bits, n = request.channels;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, request.kind};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#define WARPLAB_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// --- Textures. Each function also comes in a form that writes to `*to`. ---
template <class T>
inline T tex1Dfetch(cudaTextureObject_t texture, int index, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_element>(
      texture, {"tex1Dfetch", file, line}, index);
}
template <class T>
inline T tex1D(cudaTextureObject_t texture, float x, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_1d>(texture, {"tex1D", file, line}, x);
}
template <class T>
inline T tex2D(cudaTextureObject_t texture, float x, float y, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_2d>(texture, {"tex2D", file, line}, x,
                                                                         y);
}
template <class T>
inline T tex3D(cudaTextureObject_t texture, float x, float y, float z, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_3d>(texture, {"tex3D", file, line}, x, y,
                                                                         z);
}
template <class T>
inline T tex1DLayered(cudaTextureObject_t texture, float x, int layer, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_1d_layer>(
      texture, {"tex1DLayered", file, line}, x, layer);
}
template <class T>
inline T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer, WARPLAB_HERE) {
  return warplab::emulator::read_texture<T, warplab::emulator::fetch_2d_layer>(
      texture, {"tex2DLayered", file, line}, x, y, layer);
}
template <class T>
inline void tex1Dfetch(T* to, cudaTextureObject_t texture, int index, WARPLAB_HERE) {
  *to = tex1Dfetch<T>(texture, index, file, line);
}
template <class T>
inline void tex1D(T* to, cudaTextureObject_t texture, float x, WARPLAB_HERE) {
  *to = tex1D<T>(texture, x, file, line);
}
template <class T>
inline void tex2D(T* to, cudaTextureObject_t texture, float x, float y, WARPLAB_HERE) {
  *to = tex2D<T>(texture, x, y, file, line);
}
template <class T>
inline void tex3D(T* to, cudaTextureObject_t texture, float x, float y, float z, WARPLAB_HERE) {
  *to = tex3D<T>(texture, x, y, z, file, line);
}
template <class T>
inline void tex1DLayered(T* to, cudaTextureObject_t texture, float x, int layer, WARPLAB_HERE) {
  *to = tex1DLayered<T>(texture, x, layer, file, line);
}
template <class T>
inline void tex2DLayered(T* to, cudaTextureObject_t texture, float x, float y, int layer, WARPLAB_HERE) {
  *to = tex2DLayered<T>(texture, x, y, layer, file, line);
}

// --- Surfaces; x is in bytes ---
namespace warplab::emulator {
template <class T>
T value_in_surface(cudaSurfaceObject_t surface, SurfacePlace place, const Site& site) {
  static_assert(texel_request<T>().channels > 0);
  T value;
  read_surface(&value, sizeof value, surface, place, site);
  return value;
}
template <class T>
void put_in_surface(const T& value, cudaSurfaceObject_t surface, SurfacePlace place, const Site& site) {
  static_assert(texel_request<T>().channels > 0);
  write_surface(&value, sizeof value, surface, place, site);
}
}  // namespace warplab::emulator

template <class T>
inline T surf1Dread(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,
                    WARPLAB_HERE) {
  return warplab::emulator::value_in_surface<T>(surface, {x, 0, 0, mode}, {"surf1Dread", file, line});
}
template <class T>
inline void surf1Dread(T* to, cudaSurfaceObject_t surface, int x,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  *to = surf1Dread<T>(surface, x, mode, file, line);
}
template <class T>
inline void surf1Dwrite(T value, cudaSurfaceObject_t surface, int x,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  warplab::emulator::put_in_surface(value, surface, {x, 0, 0, mode}, {"surf1Dwrite", file, line});
}
template <class T>
inline T surf2Dread(cudaSurfaceObject_t surface, int x, int y,
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  return warplab::emulator::value_in_surface<T>(surface, {x, y, 0, mode}, {"surf2Dread", file, line});
}
template <class T>
inline void surf2Dread(T* to, cudaSurfaceObject_t surface, int x, int y,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  *to = surf2Dread<T>(surface, x, y, mode, file, line);
}
template <class T>
inline void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  warplab::emulator::put_in_surface(value, surface, {x, y, 0, mode}, {"surf2Dwrite", file, line});
}
template <class T>
inline T surf3Dread(cudaSurfaceObject_t surface, int x, int y, int z,
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  return warplab::emulator::value_in_surface<T>(surface, {x, y, z, mode}, {"surf3Dread", file, line});
}
template <class T>
inline void surf3Dread(T* to, cudaSurfaceObject_t surface, int x, int y, int z,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  *to = surf3Dread<T>(surface, x, y, z, mode, file, line);
}
template <class T>
inline void surf3Dwrite(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  warplab::emulator::put_in_surface(value, surface, {x, y, z, mode}, {"surf3Dwrite", file, line});
}
template <class T>
inline T surf1DLayeredread(cudaSurfaceObject_t surface, int x, int layer,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  return warplab::emulator::value_in_surface<T>(surface, {x, 0, layer, mode},
                                                {"surf1DLayeredread", file, line});
}
template <class T>
inline void surf1DLayeredread(T* to, cudaSurfaceObject_t surface, int x, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  *to = surf1DLayeredread<T>(surface, x, layer, mode, file, line);
}
template <class T>
inline void surf1DLayeredwrite(T value, cudaSurfaceObject_t surface, int x, int layer,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  warplab::emulator::put_in_surface(value, surface, {x, 0, layer, mode}, {"surf1DLayeredwrite", file, line});
}
template <class T>
inline T surf2DLayeredread(cudaSurfaceObject_t surface, int x, int y, int layer,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  return warplab::emulator::value_in_surface<T>(surface, {x, y, layer, mode},
                                                {"surf2DLayeredread", file, line});
}
template <class T>
inline void surf2DLayeredread(T* to, cudaSurfaceObject_t surface, int x, int y, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  *to = surf2DLayeredread<T>(surface, x, y, layer, mode, file, line);
}
template <class T>
inline void surf2DLayeredwrite(T value, cudaSurfaceObject_t surface, int x, int y, int layer,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, WARPLAB_HERE) {
  warplab::emulator::put_in_surface(value, surface, {x, y, layer, mode}, {"surf2DLayeredwrite", file, line});
}

#undef WARPLAB_HERE
