#pragma once

#include <vector>

#include "lens/report.hpp"

namespace warplab::emulator::lens {

/// The device is reset: what is allocated now has never been freed.
void remember_leaks();

/// What a program has allocated and not freed, at its end or when it reset the device.
std::vector<warplab::lens::Finding> find_leaks();

}  // namespace warplab::emulator::lens
