#pragma once

namespace warplab {

/// Multiprocessors of the device that graded code sees, on every machine: kernels choose their grids by them,
/// and what the lens counts depends on the grid.
inline constexpr const char* graded_multiprocessors = "2";
inline constexpr const char* multiprocessors_variable = "WARPLAB_MULTIPROCESSORS";

/// From now on this process sees that device too, whatever WARPLAB_DEVICE says: oracles ask it for its facts.
void see_graded_device();

}  // namespace warplab
