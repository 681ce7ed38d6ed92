#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tma_queues_shape.hpp"

namespace warplab::acta {

/// The six kernels of table I on the GPU of this machine, with any size of their queues. Each result is
/// compared with the reference before its time counts.
class QueueSearch {
 public:
  /// Makes the kernel's vectors, and computes its result on the host. @throws CudaError
  explicit QueueSearch(QueueKernel kernel);

  /// Milliseconds of a launch, the median of 15 with a cold L2.
  /// @param rung ring or ring_cp_async
  /// @return nothing where queues of this size do not fit
  /// @throws std::runtime_error where the result is wrong
  std::optional<double> measure(const std::string& rung, QueueShape shape);

 private:
  using Launch = std::function<void(QueueShape)>;
  struct Arrays;

  std::shared_ptr<Arrays> arrays_;
  Launch ring_, ring_cp_async_;
};

}  // namespace warplab::acta
