#include "warplab_emulator/launch/launch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "emulator/src/base/devices.hpp"
#include "emulator/src/base/errors.hpp"
#include "emulator/src/block/child_launches.hpp"
#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/launch/cluster_launches.hpp"
#include "emulator/src/launch/launch_rules.hpp"
#include "emulator/src/launch/shared_memory.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/session.hpp"
#include "emulator/src/streams/stream_queue.hpp"
#include "warplab_emulator/block/thread.hpp"

namespace warplab::emulator {

PointerArguments::PointerArguments(const KernelArguments& arguments, const void* bound) {
  const Parameter* const parameters = arguments.parameters;
  if (std::none_of(parameters, parameters + arguments.count,
                   [](const Parameter& parameter) { return parameter.points_to_memory; }))
    return;
  data_ = new PointerArgument[arguments.count];
  for (std::size_t i = 0; i < arguments.count; ++i) {
    const Parameter& parameter = parameters[i];
    if (!parameter.points_to_memory) continue;
    PointerArgument& pointer = data_[size_++];
    pointer.index = static_cast<int>(i) + 1;
    std::memcpy(&pointer.value, static_cast<const std::byte*>(bound) + parameter.offset,
                sizeof pointer.value);
  }
}

cudaError_t enqueue_launch(Launch&& given) {
  Launch launch = isolation::taken_over(given);
  launch.pointers = PointerArguments(launch.arguments, launch.run_block.bound());
  if (launch.limits != nullptr) inherit_dynamic_limit(launch.address, launch.limits);
  if (isolation::active()) launch.arguments = {};  // which guarded code may write to; only graphs need them
  const cudaError_t cluster_error = take_cluster_shape(launch);
  isolation::refuse_blocks_that_wait(launch);
  if (cluster_error != cudaSuccess) return record(cluster_error);
  if (in_kernel()) return launch_from_kernel(std::move(launch));
  if (const cudaError_t error = sticky(); error != cudaSuccess) return record(error);
  if (const cudaError_t error = validate(launch); error != cudaSuccess) return record(error);
  const cudaStream_t stream = launch.stream;
  auto kept = std::make_shared<const Launch>(std::move(launch));
  auto work = [kept, device = current_device()] {
    const WorkingDevice scope(device);
    return execute(*kept, lens::launch_watcher());
  };
  return record(enqueue(stream, std::move(work), std::move(kept)));
}

}  // namespace warplab::emulator
