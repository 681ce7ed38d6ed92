#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emulator/driver/commands.hpp"

namespace warplab::driver {

/// An object that -c makes holds the lens's build of the same source in a section that no linker takes over.
/// @return the command that makes `object` of the two
Command attach_lens(const std::filesystem::path& plain, const std::filesystem::path& lens,
                    const std::string& object);

/// Takes the lens's build out of an object, or out of each member of an archive.
/// @return what to link in the place of `file`: itself, if there is none in it
std::vector<std::string> lens_objects_of(const std::string& file, const std::filesystem::path& scratch);

/// The archive that a linker takes for `-lNAME`, in the -L folders among `words`. Any other word itself, and
/// -lNAME where a shared library comes first or nothing is found.
std::string library_of(const std::string& word, const std::vector<std::string>& words);

}  // namespace warplab::driver
