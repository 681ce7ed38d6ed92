#include <cmath>
#include <sstream>

#include "device_facts.hpp"

namespace warplab {
namespace {

/// A figure, or "not known" where there is none.
std::string shown(double value, const char* unit = "") {
  if (!(value > 0)) return "not known";
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(value == std::floor(value) ? 0 : 1);
  text << value << unit;
  return text.str();
}

std::string shown(std::int64_t value) { return value > 0 ? std::to_string(value) : "not known"; }

std::string shown(std::int64_t x, std::int64_t y, std::int64_t z) {
  if (x <= 0 || y <= 0 || z <= 0) return "not known";
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

}  // namespace

std::string device_text(const Device& device, int number) {
  const reference::DeviceFacts& d = device.facts;
  const reference::DeviceFigures f = figures_of(device);
  const std::string tensor = f.tensor_core_generation == 0  ? "none"
                             : f.tensor_core_generation > 0 ? "generation " + shown(f.tensor_core_generation)
                                                            : "not known";
  const std::string compute = d.compute_major > 0
                                  ? std::to_string(d.compute_major) + "." + std::to_string(d.compute_minor)
                                  : "not known";
  std::ostringstream text;
  const auto heading = [&](const char* what) {
    text << "--- " << what << " Information for device " << number << " ---\n";
  };
  heading("General");
  text << "Name: " << d.name << "\nCompute capability: " << compute << "\nClock rate: " << shown(d.clock_khz)
       << '\n';
  heading("Memory");
  text << "Total global mem: " << shown(d.global_memory_bytes)
       << "\nTotal constant Mem: " << shown(d.constant_memory_bytes) << '\n';
  heading("MP");
  text << "Multiprocessor count: " << shown(d.multiprocessors)
       << "\nShared mem per mp: " << shown(d.shared_memory_per_multiprocessor_bytes)
       << "\nRegisters per mp: " << shown(d.registers_per_multiprocessor)
       << "\nThreads in warp: " << shown(d.warp_size)
       << "\nMax threads per block: " << shown(d.max_threads_per_block)
       << "\nMax thread dimensions: " << shown(d.max_block_x, d.max_block_y, d.max_block_z)
       << "\nMax grid dimensions: " << shown(d.max_grid_x, d.max_grid_y, d.max_grid_z) << '\n';
  heading("Further");
  text << "Shared mem per block: " << shown(d.shared_memory_per_block_bytes)
       << "\nShared mem per block, opt-in: " << shown(d.shared_memory_per_block_optin_bytes)
       << "\nRegisters per block: " << shown(d.registers_per_block)
       << "\nMax threads per mp: " << shown(d.max_threads_per_multiprocessor)
       << "\nThreads resident on the device: " << shown(f.resident_threads)
       << "\nL2 cache: " << shown(d.l2_cache_bytes)
       << "\nCUDA cores per mp: " << shown(f.cores_per_multiprocessor) << "\nCUDA cores: " << shown(f.cores)
       << "\nTensor Cores: " << tensor << "\nCore clock: " << shown(f.clock_mhz, " MHz")
       << "\nMemory clock: " << shown(f.memory_clock_mhz, " MHz")
       << "\nMemory bus width: " << shown(static_cast<double>(d.memory_bus_bits), " bit")
       << "\nTheoretical bandwidth: " << shown(f.bandwidth_gb_per_s, " GB/s")
       << "\nTheoretical fp32 peak: " << shown(f.fp32_gflop_per_s, " GFLOP/s") << '\n';
  if (device.emulated)
    text << "This is warplab's emulator: it has the limits of the compute capability above, but a CPU's "
            "cores and clocks.\n";
  return text.str();
}

}  // namespace warplab
