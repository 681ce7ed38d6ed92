#include "common/pinned_buffer.hpp"

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/host/poison.hpp"

namespace warplab {

PinnedBuffer::PinnedBuffer(std::size_t bytes) : bytes_(bytes), guard_word_(next_guard_word()) {
  std::byte* memory = nullptr;
  CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&memory), bytes + 2 * guard_bytes));
  base_.reset(memory);
  poison();
}

void PinnedBuffer::poison() {
  if (!base_) return;
  fill_poison({base_.get(), guard_bytes}, guard_word_);
  fill_poison({base_.get() + guard_bytes, bytes_});
  fill_poison({base_.get() + guard_bytes + bytes_, guard_bytes}, guard_word_);
}

std::optional<std::string> PinnedBuffer::check_guards() const {
  if (!base_) return std::nullopt;
  return describe_guards({base_.get(), guard_bytes}, {base_.get() + guard_bytes + bytes_, guard_bytes},
                         bytes_, guard_word_);
}

}  // namespace warplab
