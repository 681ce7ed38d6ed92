#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "common/cuda_memory.hpp"

namespace warplab {

/// Page-locked host memory with guard zones on both sides, poisoned on allocation.
/// Move-only; a size of 0 is allowed.
class PinnedBuffer {
 public:
  static constexpr std::size_t guard_bytes = 4096;

  PinnedBuffer() = default;
  /// @throws CudaError if no `bytes` can be locked.
  explicit PinnedBuffer(std::size_t bytes);

  /// Host address of the first byte, which the device can use too.
  void* data() const { return base_ ? base_.get() + guard_bytes : nullptr; }
  std::size_t size_bytes() const { return base_ ? bytes_ : 0; }

  /// As DeviceBuffer::poison. @pre no device work uses the buffer.
  void poison();

  /// As DeviceBuffer::check_guards. @pre no device work uses the buffer.
  std::optional<std::string> check_guards() const;

 private:
  CudaMemory<cudaFreeHost> base_;
  std::size_t bytes_ = 0;
  std::uint32_t guard_word_ = 0;
};

}  // namespace warplab
