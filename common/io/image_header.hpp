#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warplab {

/// What the header of an image file declares, checked against the bytes that it holds: whoever
/// decodes it may allocate `bytes()`.
struct ImageHeader {
  enum class Format { png, jpeg, pnm };
  Format format;
  std::int64_t width, height;
  int channels;
  std::size_t data = 0;  ///< PNM: where the pixels begin
  int maximum = 255;     ///< PNM: the sample that is white
  double bytes() const { return static_cast<double>(width) * static_cast<double>(height) * channels; }
};

/// The most pixels per side and bytes an image that are read: what stb_image can decode without overflow.
inline constexpr std::int64_t largest_image_side = 1 << 24;
inline constexpr double largest_image_bytes = 1 << 30;

/// The kinds that are read, for messages.
inline constexpr const char* readable_image_kinds = "PNG, JPEG or binary PNM";

/// Finds out what an image file holds. PNG is checked to its last chunk, sums included.
/// @param name the file's, for messages  @param file all of its bytes
/// @throws BadInput if it is none of those kinds, cut off, too large, or claims more than it can hold
/// Sources: ISO/IEC 15948 (PNG), ITU-T T.81 (JPEG), netpbm's pgm(5) and ppm(5).
ImageHeader read_image_header(const std::string& name, std::span<const unsigned char> file);

}  // namespace warplab
