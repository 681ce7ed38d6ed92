#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "common/host/compare.hpp"
#include "common/host/host_array.hpp"

namespace warplab {

/// How a choice of tile and slots is judged: by its regret, the time that it takes over the best
/// of all configurations, minus 1. Times are measured where devices/ has them for the GPU and the kernel's
/// size, else those of the simulator of acta/, for a GPU of devices/, perhaps with other figures.
class SizingCheck {
 public:
  /// @param c its parameters: kernel, device, and latency and bandwidth in percent of the device's; its size
  /// is the kernel's
  /// @throws std::invalid_argument for a kernel or a device that does not exist
  explicit SizingCheck(const Case& c);

  /// The QueueDemand that tma_queues_choose() gets, as numbers in its order.
  std::vector<double> demand() const;
  /// The fastest configuration: tile and slots.
  std::vector<std::int64_t> best() const;
  /// @param chosen tile and slots, int64
  Comparison judge(const HostArray& chosen) const;
  /// The regret of a configuration. @return infinity where it does not fit
  double regret(std::int64_t tile, std::int64_t slots) const;

  /// The fastest tile and slots of a rung on a GPU of this name, as a search measured them; where it was not
  /// searched, those of the first device.
  static std::vector<std::int64_t> fine_tuned(Case c, const std::string& rung, const std::string& gpu);

  static std::vector<std::string> devices();  ///< by their numbers: "h100"

 private:
  std::vector<double> demand_;
  std::vector<double> times_;  ///< of all configurations, tile by tile
};

/// Regret that is accepted. The paper's, in the geometric mean, is 2.78 %; the best of 64 measured times is
/// about 1 % too short by chance.
inline constexpr double max_regret = 0.04;

}  // namespace warplab
