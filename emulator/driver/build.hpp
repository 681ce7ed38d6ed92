#pragma once

#include "emulator/driver/arguments.hpp"

namespace warplab::driver {

/// The compiler, which has said why by now.
struct Failed {};

/// Does what the arguments say: compiles, and links. @throws Failed
void build(const Arguments& arguments);

}  // namespace warplab::driver
