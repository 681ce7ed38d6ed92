#pragma once

#include <filesystem>
#include <string_view>

namespace warplab {

/// Writes a file so that others see all of it or none: to a temporary beside it,
/// flushed to the disk, then renamed.
/// @throws BadInput naming the path if it cannot be written (no such folder, no permission, disk full)
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Finds out before a long run whether a file can be written there, and leaves nothing behind.
/// @throws BadInput naming the path if not
void check_writable(const std::filesystem::path& path);

/// Makes a folder and those above it, if they are not there. @return it
/// @throws BadInput naming it and the reason if it cannot be made
std::filesystem::path made_folder(const std::filesystem::path& folder);

}  // namespace warplab
