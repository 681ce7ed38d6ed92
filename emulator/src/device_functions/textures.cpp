// Reads of textures as CUDA's programming guide defines them, and accesses to surfaces.
#include "emulator/src/device_functions/textures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "warplab_emulator/api/textures.hpp"
#include "warplab_emulator/math/float16_formats.hpp"

namespace warplab::emulator {
namespace {

template <class T>
class Table {
 public:
  unsigned long long add(const T& object) {
    objects_.push_back(std::make_unique<T>(object));
    return objects_.size();
  }
  const T* find(unsigned long long handle) const {
    return handle - 1 < objects_.size() ? objects_[handle - 1].get() : nullptr;
  }
  void remove(unsigned long long handle) {
    if (handle - 1 < objects_.size()) objects_[handle - 1] = nullptr;
  }

 private:
  std::vector<std::unique_ptr<T>> objects_;
};

Table<Texture>& textures() {
  static auto& table = *new Table<Texture>;  // static destructors may still destroy one
  return table;
}
Table<Surface>& surfaces() {
  static auto& table = *new Table<Surface>;
  return table;
}

template <class T>
T load(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

// A channel as an integer, whatever its width.
int integer_at(const char* place, const cudaChannelFormatDesc& format) {
  const bool is_signed = format.f == cudaChannelFormatKindSigned;
  if (format.x == 8) return is_signed ? load<signed char>(place) : load<unsigned char>(place);
  if (format.x == 16) return is_signed ? load<short>(place) : load<unsigned short>(place);
  return load<int>(place);
}

// A channel as a float: it is one, or an integer that is read as a fraction of the largest.
float real_at(const char* place, const cudaChannelFormatDesc& format) {
  if (format.f == cudaChannelFormatKindFloat)
    return format.x == 16 ? HalfFormat::decode(load<unsigned short>(place)) : load<float>(place);
  const bool is_signed = format.f == cudaChannelFormatKindSigned;
  const float largest = static_cast<float>((1 << (format.x - (is_signed ? 1 : 0))) - 1);
  return std::max(static_cast<float>(integer_at(place, format)) / largest, -1.0f);
}

bool gives_reals(const Texture& texture) {
  return texture.elements.format.f == cudaChannelFormatKindFloat ||
         texture.description.readMode == cudaReadModeNormalizedFloat;
}

Texel texel_at(const Texture& texture, std::size_t x, std::size_t y, std::size_t z) {
  const Elements& elements = texture.elements;
  const char* const place =
      elements.data + z * elements.layer_bytes() + y * elements.pitch + x * bytes_of(elements.format);
  Texel texel{};
  for (int i = 0; i < channels_of(elements.format); ++i) {
    const char* const channel = place + i * elements.format.x / 8;
    if (gives_reals(texture))
      texel.real[i] = real_at(channel, elements.format);
    else
      texel.number[i] = integer_at(channel, elements.format);
  }
  return texel;
}

/// What an index outside means, in one dimension. @return less than 0: the border
long long addressed(long long index, std::size_t size, cudaTextureAddressMode mode) {
  const auto n = static_cast<long long>(size);
  switch (mode) {
    case cudaAddressModeBorder:
      return index < 0 || index >= n ? -1 : index;
    case cudaAddressModeWrap:
      return (index % n + n) % n;
    case cudaAddressModeMirror:
      index = (index % (2 * n) + 2 * n) % (2 * n);
      return std::min(index, 2 * n - 1 - index);
    default:
      return std::clamp(index, 0LL, n - 1);
  }
}

/// A coordinate in one dimension of a texture.
struct Axis {
  std::size_t size;
  cudaTextureAddressMode mode;
  float at;  ///< in elements

  Axis(float coordinate, std::size_t n, cudaTextureAddressMode wanted, bool is_normalized)
      : size(n), mode(wanted), at(std::isnan(coordinate) ? 0 : coordinate) {
    if (!is_normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
      mode = cudaAddressModeClamp;  // CUDA wraps and mirrors normalised coordinates only
    if ((mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) && !std::isfinite(at)) at = 0;
    if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) at -= 2 * std::floor(at / 2);
    if (is_normalized) at *= static_cast<float>(n);
    at = std::clamp(at, -4.0f, 2 * static_cast<float>(n) + 4);  // further out nothing changes
  }
  long long element(float offset) const {
    return addressed(static_cast<long long>(std::floor(at + offset)), size, mode);
  }
};

Texel element_or_border(const Texture& texture, long long x, long long y, long long z) {
  if (x >= 0 && y >= 0 && z >= 0)
    return texel_at(texture, static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                    static_cast<std::size_t>(z));
  Texel border{};
  for (int i = 0; i < channels_of(texture.elements.format); ++i)
    if (gives_reals(texture))
      border.real[i] = texture.description.borderColor[i];
    else
      border.number[i] = static_cast<int>(texture.description.borderColor[i]);
  return border;
}

/// Between two elements: how far the second one counts, in 256ths.
int weight_of(float at) {
  const float fraction = at - 0.5f - std::floor(at - 0.5f);
  return static_cast<int>(std::floor(fraction * 256 + 0.5f));
}

/// Hardware filters integers as fractions of 16 bits, and rounds to such a fraction.
void round_fractions(const cudaChannelFormatDesc& format, Texel& texel) {
  if (format.f == cudaChannelFormatKindFloat) return;
  const float largest = format.f == cudaChannelFormatKindSigned ? 32767 : 65535;
  for (float& channel : texel.real) channel = std::floor(channel * largest + 0.5f) / largest;
}

void add(Texel& sum, const Texel& texel, float weight) {
  for (int i = 0; i < 4; ++i) sum.real[i] += weight * texel.real[i];
}

/// What a function of textures reads.
enum class Shape { linear, plane, volume, layered_row, layered_plane };

Shape shape_of(const Texture& texture) {
  const Elements& elements = texture.elements;
  if (texture.is_linear) return Shape::linear;
  if (elements.is_layered) return elements.height > 0 ? Shape::layered_plane : Shape::layered_row;
  return elements.depth > 0 ? Shape::volume : Shape::plane;
}

const char* description_of(Shape shape) {
  switch (shape) {
    case Shape::linear:
      return "linear memory: use tex1Dfetch";
    case Shape::plane:
      return "an array or rows of memory: use tex1D or tex2D";
    case Shape::volume:
      return "an array of three dimensions: use tex3D";
    case Shape::layered_row:
      return "layers of one dimension: use tex1DLayered";
    case Shape::layered_plane:
      return "layers of two dimensions: use tex2DLayered";
  }
  return "";
}

const Texture& require_texture(cudaTextureObject_t handle, const TexelRequest& request, Shape shape,
                               const Site& site) {
  const Texture* const texture = find_texture(handle);
  if (texture == nullptr)
    device_fault(cudaErrorIllegalAddress,
                 "%s at %s:%d: %llu is not a texture; was its object destroyed, or never created?", site.what,
                 site.file, site.line, handle);
  if (shape_of(*texture) != shape)
    device_fault(cudaErrorIllegalAddress, "%s at %s:%d: the texture reads %s", site.what, site.file,
                 site.line, description_of(shape_of(*texture)));
  const cudaChannelFormatDesc& format = texture->elements.format;
  const bool fits = gives_reals(*texture) ? request.kind == cudaChannelFormatKindFloat
                                          : request.kind == format.f && request.bits == format.x;
  static constexpr const char* kinds[] = {"signed integers", "unsigned integers", "floats"};
  if (!fits)
    device_fault(cudaErrorIllegalAddress,
                 "%s at %s:%d: it asks for %s of %d bits, but the texture has %s of %d bits%s", site.what,
                 site.file, site.line, kinds[request.kind], request.bits, kinds[format.f], format.x,
                 format.f == cudaChannelFormatKindFloat ? ""
                 : gives_reals(*texture)                ? ", read as floats"
                                                        : ", read as they are");
  return *texture;
}

/// Bytes, rows and layers of a surface.
struct SurfaceSize {
  long long width, height, depth;
};
[[noreturn]] void leave_surface(const SurfacePlace& place, const SurfaceSize& size, const Site& site) {
  if (size.depth > 1)
    device_fault(
        cudaErrorIllegalAddress,
        "%s at %s:%d: byte %d of row %d of layer %d, but the surface has %lld layers of %lld rows of "
        "%lld bytes; x is in bytes",
        site.what, site.file, site.line, place.x, place.y, place.z, size.depth, size.height, size.width);
  device_fault(cudaErrorIllegalAddress,
               "%s at %s:%d: byte %d of row %d, but the surface has %lld rows of %lld bytes; x is in bytes",
               site.what, site.file, site.line, place.x, place.y, size.height, size.width);
}

/// The bytes of an element, or null where CUDA reads zeros and writes nothing.
char* place_in_surface(std::size_t bytes, cudaSurfaceObject_t handle, SurfacePlace place, const Site& site) {
  const Surface* const found = find_surface(handle);
  if (found == nullptr)
    device_fault(cudaErrorIllegalAddress,
                 "%s at %s:%d: %llu is not a surface; was its object destroyed, or never created?", site.what,
                 site.file, site.line, handle);
  const Elements* const surface = &found->elements;
  const auto element = static_cast<long long>(bytes_of(surface->format));
  if (static_cast<long long>(bytes) != element || place.x % element != 0)
    device_fault(cudaErrorIllegalAddress,
                 "%s at %s:%d: %zu bytes at byte %d of a row whose elements have %lld bytes each; x is in "
                 "bytes",
                 site.what, site.file, site.line, bytes, place.x, element);
  const auto width = static_cast<long long>(surface->width) * element;
  const auto height = static_cast<long long>(surface->rows()),
             depth = static_cast<long long>(surface->layers());
  long long x = place.x, y = place.y, z = place.z;
  if (x < 0 || x >= width || y < 0 || y >= height || z < 0 || z >= depth) {
    if (place.mode == cudaBoundaryModeZero) return nullptr;
    if (place.mode == cudaBoundaryModeTrap) leave_surface(place, {width, height, depth}, site);
    x = std::clamp(x, 0LL, width - element);
    y = std::clamp(y, 0LL, height - 1);
    z = std::clamp(z, 0LL, depth - 1);
  }
  return surface->data + static_cast<std::size_t>(z) * surface->layer_bytes() +
         static_cast<std::size_t>(y) * surface->pitch + x;
}

}  // namespace

int channels_of(const cudaChannelFormatDesc& format) {
  return (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
}
std::size_t bytes_of(const cudaChannelFormatDesc& format) {
  return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}

cudaTextureObject_t add_texture(const Texture& texture) { return textures().add(texture); }
cudaSurfaceObject_t add_surface(const Surface& surface) { return surfaces().add(surface); }
const Texture* find_texture(cudaTextureObject_t texture) { return textures().find(texture); }
const Surface* find_surface(cudaSurfaceObject_t surface) { return surfaces().find(surface); }
void remove_texture(cudaTextureObject_t texture) { textures().remove(texture); }
void remove_surface(cudaSurfaceObject_t surface) { surfaces().remove(surface); }

Texel fetch_element(cudaTextureObject_t handle, int index, TexelRequest request, const Site& site) {
  const Texture& texture = require_texture(handle, request, Shape::linear, site);
  if (index < 0 || static_cast<std::size_t>(index) >= texture.elements.width) return Texel{};
  return texel_at(texture, static_cast<std::size_t>(index), 0, 0);
}

namespace {

/// A coordinate in dimension 0, 1 or 2 of a texture.
Axis axis_of(const Texture& texture, int dimension, float coordinate) {
  const Elements& elements = texture.elements;
  const std::size_t sizes[3] = {elements.width, elements.rows(), elements.layers()};
  return {coordinate, sizes[dimension], texture.description.addressMode[dimension],
          texture.description.normalizedCoords != 0};
}

/// Reads one layer. Hardware reads a row as a plane of one row, at y = 0.
Texel fetch_plane(const Texture& texture, float x, float y, long long layer) {
  const Axis columns = axis_of(texture, 0, x), rows = axis_of(texture, 1, y);
  if (texture.description.filterMode == cudaFilterModePoint)
    return element_or_border(texture, columns.element(0), rows.element(0), layer);
  // Hardware rounds the weight of the fourth element, and takes the others' from it, so all are 256 together.
  const int right = weight_of(columns.at), below = weight_of(rows.at), both = (right * below + 128) / 256;
  Texel texel{};
  const auto take = [&](float across, float down, int weight) {
    if (weight != 0)
      add(texel, element_or_border(texture, columns.element(across), rows.element(down), layer),
          static_cast<float>(weight) / 256);
  };
  take(-0.5f, -0.5f, 256 - right - below + both);
  take(0.5f, -0.5f, right - both);
  take(-0.5f, 0.5f, below - both);
  take(0.5f, 0.5f, both);
  round_fractions(texture.elements.format, texel);
  return texel;
}

/// A layer of a layered texture. Hardware takes the nearest one that there is.
long long layer_of(const Texture& texture, int layer) {
  return std::clamp<long long>(layer, 0, static_cast<long long>(texture.elements.layers()) - 1);
}

}  // namespace

Texel fetch_1d(cudaTextureObject_t handle, float x, TexelRequest request, const Site& site) {
  return fetch_plane(require_texture(handle, request, Shape::plane, site), x, 0, 0);
}

Texel fetch_2d(cudaTextureObject_t handle, float x, float y, TexelRequest request, const Site& site) {
  return fetch_plane(require_texture(handle, request, Shape::plane, site), x, y, 0);
}

Texel fetch_1d_layer(cudaTextureObject_t handle, float x, int layer, TexelRequest request, const Site& site) {
  const Texture& texture = require_texture(handle, request, Shape::layered_row, site);
  return fetch_plane(texture, x, 0, layer_of(texture, layer));
}

Texel fetch_2d_layer(cudaTextureObject_t handle, float x, float y, int layer, TexelRequest request,
                     const Site& site) {
  const Texture& texture = require_texture(handle, request, Shape::layered_plane, site);
  return fetch_plane(texture, x, y, layer_of(texture, layer));
}

Texel fetch_3d(cudaTextureObject_t handle, float x, float y, float z, TexelRequest request,
               const Site& site) {
  const Texture& texture = require_texture(handle, request, Shape::volume, site);
  const Axis axes[3] = {axis_of(texture, 0, x), axis_of(texture, 1, y), axis_of(texture, 2, z)};
  if (texture.description.filterMode == cudaFilterModePoint)
    return element_or_border(texture, axes[0].element(0), axes[1].element(0), axes[2].element(0));
  // As an H100 weighs: layers share 256, columns a layer's part, rows a column's; each part is rounded.
  Texel texel{};
  const int below = weight_of(axes[2].at), right = weight_of(axes[0].at), down = weight_of(axes[1].at);
  for (const bool second_layer : {false, true}) {
    const int layer = second_layer ? below : 256 - below, second = (layer * right + 128) / 256;
    for (const bool second_column : {false, true}) {
      const int column = second_column ? second : layer - second;
      const int row = (column * down + (second_column ? 128 : 127)) / 256;
      for (const bool second_row : {false, true}) {
        const auto element = [](const Axis& axis, bool is_second) {
          return axis.element(is_second ? 0.5f : -0.5f);
        };
        const int weight = second_row ? row : column - row;
        if (weight != 0)
          add(texel,
              element_or_border(texture, element(axes[0], second_column), element(axes[1], second_row),
                                element(axes[2], second_layer)),
              static_cast<float>(weight) / 256);
      }
    }
  }
  round_fractions(texture.elements.format, texel);
  return texel;
}

void read_surface(void* to, std::size_t bytes, cudaSurfaceObject_t surface, SurfacePlace place,
                  const Site& site) {
  const char* const from = place_in_surface(bytes, surface, place, site);
  if (from == nullptr)
    std::memset(to, 0, bytes);
  else
    std::memcpy(to, from, bytes);
}

void write_surface(const void* from, std::size_t bytes, cudaSurfaceObject_t surface, SurfacePlace place,
                   const Site& site) {
  if (char* const to = place_in_surface(bytes, surface, place, site)) std::memcpy(to, from, bytes);
}

}  // namespace warplab::emulator
