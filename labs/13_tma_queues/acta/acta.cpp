#include "acta.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace warplab::acta {
namespace {

constexpr std::size_t longest_queue = std::size_t{1} << 40;  // 2^40 elements: beyond any GPU's memory
constexpr std::size_t widest_element = 16;                   // bytes: a double2

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("ACTA: " + what); }

void check_launch(const GpuSpecification& specification, const Workload& workload) {
  if (workload.consumer_warps < 1 || workload.consumer_warps > 31)
    refuse(fmt::format("a kernel of {} consumer warps; it must be from 1 to 31, beside the producer's",
                       workload.consumer_warps));
  const auto most = static_cast<int>(specification.multiprocessors);
  if (workload.multiprocessors < 1 || workload.multiprocessors > most)
    refuse(fmt::format("a kernel on {} multiprocessors; {} has from 1 to {}", workload.multiprocessors,
                       specification.name, most));
}

void check_queue(const Queue& queue) {
  if (queue.length == 0 || queue.length > longest_queue)
    refuse(fmt::format("a queue of {} elements; its length must be from 1 to 2^40", queue.length));
  if (queue.element_bytes == 0 || queue.element_bytes > widest_element)
    refuse(fmt::format("a queue of elements of {} bytes; an element must have from 1 to {}",
                       queue.element_bytes, widest_element));
}

/// What an algorithm returned must be what a kernel can run with.
void check_sizes(const GpuSpecification& specification, const Workload& workload,
                 const std::vector<QueueSize>& sizes) {
  if (sizes.size() != workload.queues.size())
    refuse(fmt::format("the algorithm sized {} of {} queues", sizes.size(), workload.queues.size()));
  for (const QueueSize& size : sizes)
    if (size.tile == 0 || size.slots < 1 || size.tile_bytes() % tile_alignment_bytes != 0)
      refuse(fmt::format(
          "the algorithm chose {} slots of {} elements of {} bytes; a tile must be a multiple of {} bytes",
          size.slots, size.tile, size.element_bytes, tile_alignment_bytes));
  if (static_cast<double>(shared_bytes(sizes)) > specification.shared_bytes)
    refuse(fmt::format("the algorithm chose queues of {} bytes of shared memory; a block has {:g}",
                       shared_bytes(sizes), specification.shared_bytes.value));
}

}  // namespace

Acta::Acta(GpuSpecification specification, Algorithm algorithm)
    : specification_(std::move(specification)), algorithm_(std::move(algorithm)) {
  check(specification_);
  if (!algorithm_) refuse("no algorithm was given");
}

void Acta::init(Intensity intensity, int consumer_warps, int multiprocessors) {
  Workload workload;
  workload.intensity = intensity;
  workload.consumer_warps = consumer_warps;
  workload.multiprocessors = multiprocessors;
  init(workload);
}

void Acta::init(const Workload& workload) {
  check_launch(specification_, workload);
  for (const Queue& queue : workload.queues) check_queue(queue);
  workload_ = workload;
  sizes_.clear();
  next_ = 0;
}

void Acta::register_queue(std::size_t length, std::size_t element_bytes, QueueKind kind) {
  if (workload_.multiprocessors == 0) refuse("register_queue came before init");
  const Queue queue{length, element_bytes, kind};
  check_queue(queue);
  workload_.queues.push_back(queue);
  sizes_.clear();
  next_ = 0;
}

QueueSize Acta::size_queue() {
  if (workload_.queues.empty()) refuse("size_queue came before any queue was registered");
  if (sizes_.empty()) {
    check(specification_, workload_);
    std::vector<QueueSize> sizes = algorithm_(specification_, workload_);
    check_sizes(specification_, workload_, sizes);
    sizes_ = std::move(sizes);
  }
  const QueueSize size = sizes_.at(next_);
  next_ = (next_ + 1) % sizes_.size();
  return size;
}

void check(const GpuSpecification& specification, const Workload& workload) {
  check_launch(specification, workload);
  if (workload.queues.empty()) refuse("a kernel without queues");
  std::size_t min_bytes = 0;
  for (const Queue& queue : workload.queues) {
    check_queue(queue);
    min_bytes += min_tile * queue.element_bytes;
  }
  if (static_cast<double>(min_bytes) > specification.shared_bytes)
    refuse(fmt::format(
        "{} queues take {} bytes of shared memory with one slot of {} elements each; a block has {:g}",
        workload.queues.size(), min_bytes, min_tile, specification.shared_bytes.value));
}

}  // namespace warplab::acta
