#pragma once

#include <filesystem>
#include <string>

#include "grader/intake/submission_reader.hpp"

namespace warplab {

/// Goes over all files below a folder, in the order of their names. Links are not followed; what is neither a
/// file nor a folder is not opened.
/// @throws BadInput, a sentence about the folder, if it cannot be read or for a limit
void read_folder(const std::filesystem::path& folder, SubmissionReader& reader);

/// The content of a regular file. @throws BadInput if it is a link or no file, or larger than `most` bytes
std::string read_regular_file(const std::filesystem::path& file, std::uint64_t most);

}  // namespace warplab
