#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace warplab::emulator {

/// One copy or fill of `depth` layers of `height` rows of `width` bytes; a plain one has one row. Pitches,
/// and what lies from layer to layer, in bytes.
struct Transfer {
  const char* function = "";  ///< for reports: "cudaMemcpy2D"
  void* to = nullptr;
  const void* from = nullptr;  ///< null for a fill
  std::size_t to_pitch = 0, from_pitch = 0, width = 0, height = 1;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  unsigned value = 0;             ///< of a fill
  std::size_t element_bytes = 1;  ///< of a fill: the low 1, 2 or 4 bytes of the value
  bool names_symbol = false;      ///< one end is a variable of the device, which the call names
  std::size_t depth = 1, to_layer = 0, from_layer = 0;
};

/// Whether a transfer can be right: both ends against the direction and the bounds of their allocations.
/// @return cudaErrorInvalidValue or the like, explained, where it can't
cudaError_t check(const Transfer& t);

/// Whether memory is that device's, as a copy between devices says.
/// @param role of the memory in the call, for a report: "source"
/// @return cudaErrorInvalidValue, explained, if it is another one's
cudaError_t check_owner(const char* function, const char* role, const void* address, int device);

/// Copies or fills, now. @return cudaErrorIllegalAddress, explained, where memory is gone by now
cudaError_t perform(const Transfer& t);

/// Checks both ends against the direction and the bounds of their allocations, and then does or queues the
/// transfer as CUDA does: what only the device needs is queued, a blocking one with the host waits, an
/// asynchronous one with pageable host memory waits for the stream.
/// @return cudaErrorInvalidValue, explained, where the transfer cannot be right.
cudaError_t transfer(const Transfer& t, cudaStream_t stream, bool async);

}  // namespace warplab::emulator
