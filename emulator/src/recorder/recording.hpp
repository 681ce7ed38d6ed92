#pragma once

#include "recorder/launch_recorder.hpp"
#include "warplab_emulator/launch.hpp"

namespace warplab::emulator::lens {

/// Starts to record a launch, if launches are recorded and its kernel has a twin. The recorder is kept for
/// the report;
/// @param lineage of this launch: its number is set
/// @return null if this launch is not recorded.
LaunchRecorder* begin_launch(const Launch& launch, Lineage& lineage);

/// How many launches from kernels waited to begin at most, of those that follow from a launch by the host.
void note_pending(const Lineage& lineage, std::uint64_t most);

/// Makes a device variable known to twins, by its declaration.
void register_variable(void* address, const char* name, const char* file, int line);

}  // namespace warplab::emulator::lens
