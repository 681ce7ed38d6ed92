#pragma once

#include "lens/launch_recorder.hpp"
#include "warplab_emulator/launch.hpp"

namespace warplab::emulator::lens {

/// Starts to record a launch, if launches are recorded and its kernel has a twin. The recorder is kept for
/// the report;
/// @return null if this launch is not recorded.
LaunchRecorder* begin_launch(const Launch& launch);

/// Makes a device variable known to twins, by its declaration.
void register_variable(void* address, const char* name, const char* file, int line);

}  // namespace warplab::emulator::lens
