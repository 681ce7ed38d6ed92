#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace warplab {

/// Page-locked host memory with guard zones on both sides, poisoned on allocation.
/// Move-only; a size of 0 is allowed.
class PinnedBuffer {
 public:
  static constexpr std::size_t guard_bytes = 4096;

  PinnedBuffer() = default;
  /// @throws CudaError if no `bytes` can be locked.
  explicit PinnedBuffer(std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        guard_word_(other.guard_word_) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    std::swap(guard_word_, other.guard_word_);
    return *this;
  }

  /// Host address of the first byte, which the device can use too.
  void* data() const { return base_ ? base_ + guard_bytes : nullptr; }
  std::size_t size_bytes() const { return bytes_; }

  /// As DeviceBuffer::poison. @pre no device work uses the buffer.
  void poison();

  /// As DeviceBuffer::check_guards. @pre no device work uses the buffer.
  std::optional<std::string> check_guards() const;

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t guard_word_ = 0;
};

}  // namespace warplab
