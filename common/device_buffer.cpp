#include "common/device_buffer.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "common/cuda_check.hpp"
#include "common/poison.hpp"

namespace warplab {

DeviceBuffer::DeviceBuffer(std::size_t bytes, Guards guards)
    : bytes_(bytes), guard_(guards == Guards::none ? 0 : guard_bytes) {
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&base_), std::max<std::size_t>(bytes + 2 * guard_, 1)));
  try {
    poison();
  } catch (...) {
    CUDA_WARN(cudaFree(base_));
    throw;
  }
}

DeviceBuffer::~DeviceBuffer() {
  if (!base_) return;
  const cudaError_t freed = cudaFree(base_);
  if (!detail::is_sticky(freed)) CUDA_WARN(freed);  // a lost context was reported by whoever lost it
}

void DeviceBuffer::poison() {
  if (base_ && guard_) poison_device(base_, bytes_ + 2 * guard_bytes);
}

std::optional<std::string> DeviceBuffer::check_guards() const {
  if (!base_ || !guard_) return std::nullopt;
  std::vector<std::byte> zones(2 * guard_bytes);
  CUDA_CHECK(cudaMemcpy(zones.data(), base_, guard_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(zones.data() + guard_bytes, base_ + guard_bytes + bytes_, guard_bytes,
                        cudaMemcpyDeviceToHost));
  return describe_guards(zones.data(), zones.data() + guard_bytes, bytes_, guard_bytes);
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

std::optional<std::string> describe_guards(const std::byte* before, const std::byte* after, std::size_t bytes,
                                           std::size_t guard_bytes) {
  if (std::size_t i = first_not_poison({before, guard_bytes}); i < guard_bytes) {
    std::size_t last = guard_bytes - 1;  // the touched byte that is nearest to the data
    while (before[last] == poison_byte(last)) --last;
    return "something was written " + std::to_string(guard_bytes - last) +
           " bytes before the start of the buffer (" + std::to_string(bytes) + " bytes)";
  }
  for (std::size_t i = 0; i < guard_bytes; ++i)
    if (after[i] != poison_byte(guard_bytes + bytes + i))
      return "something was written " + std::to_string(i) + " bytes past the end of the buffer (" +
             std::to_string(bytes) + " bytes)";
  return std::nullopt;
}

}  // namespace warplab
