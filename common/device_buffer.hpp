#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/cuda_memory.hpp"

namespace warplab {

/// Device memory with guard zones on both sides, poisoned on allocation. Move-only; a size of 0 is allowed.
/// Without guards it is neither guarded nor poisoned: who watches each access, as the lens does, sees for
/// itself what lies outside and what nobody wrote.
class DeviceBuffer {
 public:
  static constexpr std::size_t guard_bytes = 4096;  ///< before and after; keeps data() aligned to 256 bytes

  enum class Guards { poisoned, none };

  DeviceBuffer() = default;
  /// @throws CudaError if the device has no `bytes` left.
  explicit DeviceBuffer(std::size_t bytes, Guards guards = Guards::poisoned);

  /// Device address of the first byte; never null for a buffer that was allocated, even of size 0.
  void* data() const { return base_ ? base_.get() + guard_ : nullptr; }
  std::size_t size_bytes() const { return base_ ? bytes_ : 0; }

  /// Fills the data with poison and the guard zones with their own again. Synchronous. Does nothing without
  /// guards. @throws CudaError
  void poison();

  /// Looks at the guard zones. @return one sentence that says which side was written and at what offset from
  /// the data; nothing if they are whole. @throws CudaError
  std::optional<std::string> check_guards() const;

 private:
  CudaMemory<cudaFree> base_;
  std::size_t bytes_ = 0;
  std::size_t guard_ = guard_bytes;  ///< bytes on each side
  std::uint32_t guard_word_ = 0;     ///< in them
};

/// Fills device memory with the poison pattern. Synchronous. @pre `device` is aligned
/// to 4 bytes. @throws CudaError
void poison_device(void* device, std::size_t bytes);

/// The sentence for a touched guard zone: `before` and `after` are copies of the zones around `bytes` of
/// data, which held `word`.
std::optional<std::string> describe_guards(std::span<const std::byte> before,
                                           std::span<const std::byte> after, std::size_t bytes,
                                           std::uint32_t word);

}  // namespace warplab
