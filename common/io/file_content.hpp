#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warplab {

/// The bytes of a file; nothing if it cannot be read.
std::optional<std::string> readable_content(const std::filesystem::path& file);

/// The bytes of a file; empty if it cannot be read.
std::string file_content(const std::filesystem::path& file);

}  // namespace warplab
