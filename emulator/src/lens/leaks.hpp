#pragma once

#include <vector>

#include "emulator/lens/report.hpp"

namespace warplab::emulator::lens {

/// What a program has allocated and not freed, at its end.
std::vector<warplab::lens::Finding> find_leaks();

}  // namespace warplab::emulator::lens
