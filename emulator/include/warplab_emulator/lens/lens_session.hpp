#pragma once

#include <vector>

#include "../../../../lens/report.hpp"

namespace warplab::emulator::lens {

/// What of each launch is recorded.
struct Options {
  unsigned long long blocks = 64;  ///< of each launch, to record; 0 for all
  bool only = false;               ///< the other blocks do not run: for sizes that would take too long
  bool details = true;             ///< also what each line did, and the least work: both take their time
};

/// From now on launches are recorded, whatever WARPLAB_LENS says. Waits for what runs on the device before it
/// begins. Recording that is already on starts over.
void start(const Options& options);

/// Ends the recording as soon as the device is idle. @return the launches since start(), in launch order:
/// also those of a device that has failed, with what was found until then.
std::vector<warplab::lens::Launch> take();

}  // namespace warplab::emulator::lens
