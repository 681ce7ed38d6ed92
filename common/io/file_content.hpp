#pragma once

#include <filesystem>
#include <string>

namespace warplab {

/// The bytes of a file; empty if it cannot be read.
std::string file_content(const std::filesystem::path& file);

}  // namespace warplab
