#pragma once

#include <cstddef>
#include <string>

#include "common/benchmark.hpp"
#include "common/host/dtype.hpp"
#include "common/host/statistics.hpp"

namespace warplab {

/// The fastest that the current device was seen to do something which bounds kernels.
struct Ceiling {
  std::string what;   ///< how it was done: "cudaMemcpyAsync"
  double amount = 0;  ///< bytes read plus written, or floating-point operations, each time
  Summary time_ms;
  /// Amount per second, in 10^9.
  double rate() const { return amount / (time_ms.median * 1e6); }
};

/// Copies with the runtime and with our vectorised kernel; the faster of the two is what kernels bound by
/// memory are measured against.
/// @param moved_bytes read plus written: half of it is copied (at least 16 bytes)
/// @param options the same cache state and sampling as the kernels that are compared with it
/// @pre a device that has times, that is, not the emulator. @throws CudaError
Ceiling measure_copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options);

/// What kernels bound by arithmetic are measured against: for f32 and f64 multiply-adds in registers by all
/// the device's threads, for f16 a product of matrices by cuBLAS, on Tensor Cores where there are any. A
/// multiply-add counts as two operations.
/// @pre as above. @throws CudaError, NotAvailable for f16 without cuBLAS,
/// std::invalid_argument for another type
Ceiling measure_arithmetic_ceiling(DType dtype, const BenchmarkOptions& options);

}  // namespace warplab
