#include "workload.hpp"

#include <algorithm>
#include <bit>

namespace warplab::acta {
namespace {

std::size_t divided_up(std::size_t count, std::size_t parts) { return (count + parts - 1) / parts; }

}  // namespace

std::size_t shared_bytes(const std::vector<QueueSize>& sizes) {
  std::size_t bytes = 0;
  for (const QueueSize& size : sizes) bytes += size.bytes();
  return bytes;
}

QueueSize sized(const Queue& queue, std::size_t tile, int slots) {
  return {tile, slots, queue.element_bytes, divided_up(queue.length, tile)};
}

std::size_t greatest_useful_tile(const Workload& workload, const Queue& queue) {
  const std::size_t parts = workload.passes == 0 ? static_cast<std::size_t>(workload.multiprocessors) : 1;
  return std::clamp(std::bit_ceil(divided_up(queue.length, parts)), min_tile, greatest_tile);
}

}  // namespace warplab::acta
