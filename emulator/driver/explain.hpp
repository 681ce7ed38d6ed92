#pragma once

#include "emulator/driver/arguments.hpp"

namespace warplab::driver {

/// Prints what the sources, and what they include by "...", use that the emulator does not have: the first
/// line of each. Nothing is compiled. @return whether there is nothing of the kind
bool explain(const Arguments& arguments);

}  // namespace warplab::driver
