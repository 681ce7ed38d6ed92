#include "emulator/src/tensor_cores/wgmma_operands.hpp"

#include "emulator/src/block/worker.hpp"
#include "warplab_emulator/block/warp.hpp"
#include "warplab_emulator/ptx/ptx_memory.hpp"

namespace warplab::emulator {
namespace {

constexpr unsigned field(unsigned long long descriptor, unsigned bit) {
  return static_cast<unsigned>(descriptor >> bit & 0x3fffu) << 4;
}
constexpr unsigned chunk_bytes = 16;

}  // namespace

WgmmaMatrix::WgmmaMatrix(unsigned long long descriptor, bool along_k, unsigned lines)
    : start_(field(descriptor, 0)),
      leading_(field(descriptor, 16)),
      stride_(field(descriptor, 32)),
      base_(static_cast<unsigned>(descriptor >> 49 & 7u)),
      lines_(lines),
      along_k_(along_k) {
  static constexpr unsigned mixed_bits[] = {0, 7, 3, 1};  // none, 128, 64 and 32 bytes
  swizzle_ = mixed_bits[descriptor >> 62];
  pitch_ = (swizzle_ + 1) * chunk_bytes;
  next_chunk_ = swizzle_ == 0 ? leading_ : chunk_bytes;
  dynamic_window_ = current_block.dynamic_window;
  static_ = reinterpret_cast<std::uintptr_t>(current_block.shared_begin) - shared_window;
  dynamic_ = reinterpret_cast<std::uintptr_t>(current_block.dynamic_shared) - dynamic_window_;
}

void WgmmaMatrix::require_inside(unsigned depth, const char* which, const Site& site) const {
  const SharedMemory& shared = running_worker()->shared;
  const std::byte *const first = shared.begin(), *const dynamic = shared.dynamic_begin();
  const std::size_t static_bytes = shared.static_end(), dynamic_bytes = shared.dynamic_bytes();
  for_each_chunk(depth, [&](const std::byte* chunk) {
    const auto fits = [&](const std::byte* begin, std::size_t bytes) {
      return chunk >= begin && chunk + chunk_bytes <= begin + bytes;
    };
    if (fits(first, static_bytes) || fits(dynamic, dynamic_bytes)) return;
    if (begins_at_generic_address())
      device_fault(
          cudaErrorInvalidAddressSpace,
          "%s at %s:%d: the descriptor of %s begins at 0x%x, the low bits of a generic pointer; it takes a "
          "shared address, which __cvta_generic_to_shared() makes of the pointer",
          site.what, site.file, site.line, which, start_);
    device_fault(cudaErrorInvalidAddressSpace,
                 "%s at %s:%d: the descriptor of %s leads outside the block's shared memory: start 0x%x, "
                 "leading offset %u, stride offset %u bytes",
                 site.what, site.file, site.line, which, start_, leading_, stride_);
  });
}

// Whether the low bits of a pointer to the block's shared memory were taken for a shared address.
bool WgmmaMatrix::begins_at_generic_address() const {
  const SharedMemory& shared = running_worker()->shared;
  const auto lies_in = [&](const std::byte* begin, std::size_t bytes) {
    const auto distance = start_ - (reinterpret_cast<std::uintptr_t>(begin) & 0x3fff0u);
    return (distance & 0x3fff0u) < bytes;
  };
  return lies_in(shared.begin(), shared.static_end()) ||
         lies_in(shared.dynamic_begin(), shared.dynamic_bytes());
}

}  // namespace warplab::emulator
