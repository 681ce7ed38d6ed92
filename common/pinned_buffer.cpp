#include "common/pinned_buffer.hpp"

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/poison.hpp"

namespace warplab {

PinnedBuffer::PinnedBuffer(std::size_t bytes) : bytes_(bytes), guard_word_(next_guard_word()) {
  CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&base_), bytes + 2 * guard_bytes));
  poison();
}

PinnedBuffer::~PinnedBuffer() {
  if (!base_) return;
  const cudaError_t freed = cudaFreeHost(base_);
  if (!detail::is_sticky(freed)) CUDA_WARN(freed);  // a lost context was reported by whoever lost it
}

void PinnedBuffer::poison() {
  if (!base_) return;
  fill_poison({base_, guard_bytes}, guard_word_);
  fill_poison({base_ + guard_bytes, bytes_});
  fill_poison({base_ + guard_bytes + bytes_, guard_bytes}, guard_word_);
}

std::optional<std::string> PinnedBuffer::check_guards() const {
  if (!base_) return std::nullopt;
  return describe_guards({base_, guard_bytes}, {base_ + guard_bytes + bytes_, guard_bytes}, bytes_,
                         guard_word_);
}

}  // namespace warplab
