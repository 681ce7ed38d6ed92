#include "common/device_buffer.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "common/cuda_check.hpp"
#include "common/host/poison.hpp"

namespace warplab {

DeviceBuffer::DeviceBuffer(std::size_t bytes, Guards guards)
    : bytes_(bytes), guard_(guards == Guards::none ? 0 : guard_bytes), guard_word_(next_guard_word()) {
  std::byte* memory = nullptr;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&memory), std::max<std::size_t>(bytes + 2 * guard_, 1)));
  base_.reset(memory);
  poison();
}

void DeviceBuffer::poison() {
  if (!base_ || !guard_) return;
  std::vector<std::byte> zone(guard_bytes);
  fill_poison(zone, guard_word_);
  CUDA_CHECK(cudaMemcpy(base_.get(), zone.data(), guard_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(
      cudaMemcpy(base_.get() + guard_bytes + bytes_, zone.data(), guard_bytes, cudaMemcpyHostToDevice));
  poison_device(data(), bytes_);
}

std::optional<std::string> DeviceBuffer::check_guards() const {
  if (!base_ || !guard_) return std::nullopt;
  std::vector<std::byte> before(guard_bytes), after(guard_bytes);
  CUDA_CHECK(cudaMemcpy(before.data(), base_.get(), guard_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(
      cudaMemcpy(after.data(), base_.get() + guard_bytes + bytes_, guard_bytes, cudaMemcpyDeviceToHost));
  return describe_guards(before, after, bytes_, guard_word_);
}

void poison_device(void* device, std::size_t bytes) {
  // cudaMemset writes single bytes only: upload one chunk of the pattern, then double it on the device.
  auto* begin = static_cast<std::byte*>(device);
  std::vector<std::byte> pattern(std::min<std::size_t>(bytes, 256 * 1024));
  fill_poison(pattern);
  if (pattern.empty()) return;
  CUDA_CHECK(cudaMemcpy(begin, pattern.data(), pattern.size(), cudaMemcpyHostToDevice));
  for (std::size_t done = pattern.size(); done < bytes;) {
    const std::size_t now = std::min(done, bytes - done);
    CUDA_CHECK(cudaMemcpy(begin + done, begin, now, cudaMemcpyDeviceToDevice));
    done += now;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

std::optional<std::string> describe_guards(std::span<const std::byte> before,
                                           std::span<const std::byte> after, std::size_t bytes,
                                           std::uint32_t word) {
  const auto sentence = [&](std::size_t distance, const char* where) {
    const std::string by = distance == 0 ? "just" : std::to_string(distance) + " bytes";
    return "something was written " + by + " " + where + " of the buffer (" + std::to_string(bytes) +
           " bytes)";
  };
  for (std::size_t i = before.size(); i-- > 0;)  // the touched byte that is nearest to the data
    if (before[i] != poison_byte(i, word)) return sentence(before.size() - i, "before the start");
  const std::size_t i = first_not_poison(after, word);
  return i < after.size() ? std::optional(sentence(i, "past the end")) : std::nullopt;
}

}  // namespace warplab
