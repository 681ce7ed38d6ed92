#pragma once

#include "emulator/src/block/observer.hpp"

namespace warplab::emulator::lens {

/// Records the launches that a program, or its environment, asks for.
LaunchWatcher& launch_watcher();

/// Makes a device variable known to instrumented builds, by its declaration.
void register_variable(void* address, const char* name, const char* file, int line);

}  // namespace warplab::emulator::lens
