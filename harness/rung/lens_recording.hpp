#pragma once

#include <cstdint>
#include <vector>

#include "lens/report.hpp"

namespace warplab {

/// From now on this process's launches are recorded, `blocks` of each (0: all); with `only`, no other blocks
/// run, and without `details` nothing is told of lines, nor of the least work.
/// @pre the backend is the emulator
/// @throws NotAvailable on another one
void start_lens(std::uint64_t blocks, bool only, bool details);

/// Ends the recording once the device is idle, also one that has failed. @return the launches, in their order
std::vector<lens::Launch> take_lens();

}  // namespace warplab
