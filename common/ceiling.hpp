#pragma once

#include <cstddef>
#include <string>

#include "common/benchmark.hpp"
#include "common/statistics.hpp"

namespace warplab {

/// The fastest copy on the current device: what kernels bound by memory bandwidth are measured against.
struct CopyCeiling {
  std::string what;  ///< "cudaMemcpyAsync" or "vectorised copy kernel", whichever was faster
  double bytes = 0;  ///< read plus written by one copy
  Summary time_ms;
  double gb_per_s() const { return bytes / (time_ms.median * 1e6); }
};

/// Measures both copies and returns the faster.
/// @param moved_bytes read plus written: half of it is copied (at least 16 bytes)
/// @param options the same cache state and sampling as the kernels that are compared with it
/// @pre a device that has times, that is, not the emulator. @throws CudaError
CopyCeiling measure_copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options);

}  // namespace warplab
