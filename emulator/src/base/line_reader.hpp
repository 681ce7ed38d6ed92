#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warplab::emulator {

/// What binutils' addr2line says of places in a module, with the functions that were inlined there: for each
/// its address, then a line with a function and one with file and line for each. "" if it cannot be asked.
std::string addr2line(const std::string& module, const std::vector<std::size_t>& offsets);

}  // namespace warplab::emulator
