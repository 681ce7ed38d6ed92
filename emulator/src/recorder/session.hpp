#pragma once

#include "emulator/src/block/observer.hpp"

namespace warplab::emulator::lens {

/// Records the launches that a program, or its environment, asks for.
LaunchWatcher& launch_watcher();

/// The device has filled memory, or copied from its own.
void note_transfer(bool copies);

/// Makes a device variable known to instrumented builds, by its declaration.
void register_variable(void* address, const char* name, const char* file, int line);

}  // namespace warplab::emulator::lens
