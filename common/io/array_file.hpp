#pragma once

#include <filesystem>
#include <optional>

#include "common/host/host_array.hpp"

namespace warplab {

/// Reads a .npy or .csv file, told apart by the name's end.
/// @param dtype the element type that is wanted: a CSV file is read as such (double if absent), a .npy file
/// must hold it
/// @throws BadInput naming the file
HostArray read_array(const std::filesystem::path& path, std::optional<DType> dtype);

/// Writes a .npy or .csv file. @throws BadInput naming the file
void write_array(const std::filesystem::path& path, const HostArray& array);

/// @throws BadInput unless the name ends in .npy or .csv
void check_array_path(const std::filesystem::path& path);

}  // namespace warplab
