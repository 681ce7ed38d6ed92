#pragma once

#include <filesystem>

#include "common/host/host_array.hpp"

namespace warplab {

/// Reads a NumPy .npy file (versions 1 to 3) of uint8, int8, int32, int64, float16, float32 or float64,
/// little-endian. An array in Fortran order is turned into row-major order.
/// @throws BadInput, one sentence that names the file, if it is damaged or of another type
/// Source: numpy.lib.format, "The .npy format".
HostArray read_npy(const std::filesystem::path& path);

/// Writes version 1.0, row-major, atomically. @throws BadInput naming the file if it cannot be written, or if
/// the elements are bfloat16, which NumPy does not have
void write_npy(const std::filesystem::path& path, const HostArray& array);

}  // namespace warplab
