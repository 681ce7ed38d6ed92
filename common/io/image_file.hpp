#pragma once

#include <string>

#include "common/host/host_array.hpp"

namespace warplab {

/// Reads PNG, JPEG and binary PNM (P5, P6), told apart by their content: 8 bits per channel, grey, grey and
/// alpha, RGB or RGBA. Fewer bits are widened to 8; a palette becomes its colours, and is grey if they are.
/// @return uint8 of shape (height, width, channels)
/// @throws BadInput, one sentence that names the file, if it is damaged, cut off,
/// of another kind, or too large
HostArray read_image(const std::string& path);

/// Writes .png, .jpg or .jpeg (quality 95, always colour), .pgm (grey), .ppm (colour: grey is written
/// three times) or .pnm (either), atomically. Only PNG holds an alpha channel.
/// @param image uint8 of shape (height, width, 1 to 4 channels), or (height, width) for grey
/// @throws BadInput naming the file if it cannot be written, or cannot hold that image
void write_image(const std::string& path, const HostArray& image);

/// The image as a PNG file's bytes.
/// @param image as for write_image
/// @throws std::bad_alloc
std::string png_of(const HostArray& image);

/// Whether the name ends like an image's, those included that read_image refuses with the reason.
bool is_image_path(const std::string& path);

/// @throws BadInput unless write_image can write a file with that ending
void check_image_path(const std::string& path);

}  // namespace warplab
