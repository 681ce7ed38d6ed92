#pragma once

#include <filesystem>
#include <vector>

namespace warplab {

/// Whether this kernel can restrict a process to some files: Linux 5.13 or later with Landlock switched on.
bool files_can_be_restricted();

/// Restricts this process and all that it starts to reading what compilers and programs of the system need,
/// to reading what is named, and to writing what is named. Where the kernel cannot, only permissions apply.
/// @pre no_new_privs is set. @throws std::system_error naming the path that is missing
void restrict_files(const std::vector<std::filesystem::path>& readable,
                    const std::vector<std::filesystem::path>& writable);

}  // namespace warplab
