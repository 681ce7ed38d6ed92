#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/host/host_array.hpp"

namespace warplab {

/// Reads a matrix from comma-separated numbers, one row per line; spaces around numbers and empty lines at
/// the end are allowed.
/// @param dtype element type of the result, of shape (rows, cols)
/// @throws BadInput, one sentence that names the file and the line, for ragged rows, what is not a number or
/// not in the type's range, and files without a number
HostArray read_csv(const std::filesystem::path& path, DType dtype);

/// Writes a matrix (or a vector, as one row) so that reading gives the same elements. Atomic.
/// @throws BadInput if it has more than two dimensions or the file cannot be written
void write_csv(const std::filesystem::path& path, const HostArray& array);

/// A text as one field of a table of commas (RFC 4180): in quotes where it needs them.
std::string csv_quoted(std::string_view text);

}  // namespace warplab
