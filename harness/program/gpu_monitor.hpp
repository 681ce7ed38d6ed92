#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/results/measurement.hpp"

namespace warplab {

/// NVIDIA's management library, which comes with the driver.
inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

/// Asks a GPU's driver for clock, power and temperature while something runs.
class GpuMonitor {
 public:
  /// Loads the library. Where it is missing, or does not know the device, there are no figures.
  /// @param pci_bus_id as CUDA has it, "0000:0f:00.0" @param library a file of NVML's functions
  explicit GpuMonitor(const std::string& pci_bus_id, const char* library = nvml_library);
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  /// Calls `work`, and asks every 20 ms until it ends, and once at its end. What `work` throws comes out.
  /// @return nothing without an answer on the clock
  std::optional<GpuState> watch(const std::function<void()>& work);

 private:
  struct Nvml;
  std::unique_ptr<Nvml> nvml_;  ///< null without figures
};

}  // namespace warplab
