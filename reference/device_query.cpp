#include "reference/device_query.hpp"

#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>
#include <utility>

namespace warplab::reference {
namespace {

/// fp32 units per multiprocessor; -1 for a compute capability that was not known when this was written.
double cores_of(std::int64_t major, std::int64_t minor) {
  switch (major) {
    case 3:
      return minor == 0 || minor == 2 || minor == 5 || minor == 7 ? 192 : -1;
    case 5:
      return minor == 0 || minor == 2 || minor == 3 ? 128 : -1;
    case 6:
      return minor == 0 ? 64 : minor == 1 || minor == 2 ? 128 : -1;
    case 7:
      return minor == 0 || minor == 2 || minor == 5 ? 64 : -1;
    case 8:
      return minor == 0 ? 64 : minor == 6 || minor == 7 || minor == 9 ? 128 : -1;
    case 9:
    case 11:
      return minor == 0 ? 128 : -1;
    case 10:
      return minor == 0 || minor == 3 ? 128 : -1;
    case 12:
      return minor == 0 || minor == 1 ? 128 : -1;
    default:
      return -1;
  }
}

/// Volta 1, Turing 2, Ampere 3, Ada and Hopper 4, Blackwell 5.
double tensor_generation_of(std::int64_t major, std::int64_t minor) {
  if (cores_of(major, minor) < 0) return -1;
  if (major < 7) return 0;
  if (major == 7) return minor == 5 ? 2 : 1;
  if (major == 8) return minor == 9 ? 4 : 3;
  return major == 9 ? 4 : 5;
}

double per(std::int64_t amount, double unit) { return amount > 0 ? static_cast<double>(amount) / unit : -1; }

std::string number(double value, int decimals, const std::string& unit) {
  if (!(value > 0)) return "not known";
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value;
  if (!unit.empty()) text << ' ' << unit;
  return text.str();
}

std::string triple(std::int64_t x, std::int64_t y, std::int64_t z) {
  if (x <= 0 || y <= 0 || z <= 0) return "not known";
  std::ostringstream text;
  text << '(' << x << ", " << y << ", " << z << ')';
  return text.str();
}

std::string tensor_text(double generation) {
  if (generation < 0) return "not known";
  return generation > 0 ? number(generation, 0, "").insert(0, "generation ") : "none";
}

}  // namespace

DeviceFigures device_figures(const DeviceFacts& facts) {
  DeviceFigures f;
  f.cores_per_multiprocessor = cores_of(facts.compute_major, facts.compute_minor);
  f.tensor_core_generation = tensor_generation_of(facts.compute_major, facts.compute_minor);
  if (f.cores_per_multiprocessor > 0 && facts.multiprocessors > 0)
    f.cores = f.cores_per_multiprocessor * static_cast<double>(facts.multiprocessors);
  f.global_memory_gib = per(facts.global_memory_bytes, std::exp2(30));
  f.constant_memory_kib = per(facts.constant_memory_bytes, std::exp2(10));
  f.shared_memory_per_block_kib = per(facts.shared_memory_per_block_bytes, std::exp2(10));
  f.shared_memory_per_multiprocessor_kib = per(facts.shared_memory_per_multiprocessor_bytes, std::exp2(10));
  f.l2_cache_mib = per(facts.l2_cache_bytes, std::exp2(20));
  f.clock_mhz = per(facts.clock_khz, 1000);
  f.memory_clock_mhz = per(facts.memory_clock_khz, 1000);
  // MHz * 2 transfers * bytes per transfer = 10^6 bytes per second.
  if (f.memory_clock_mhz > 0 && facts.memory_bus_bits > 0)
    f.bandwidth_gb_per_s = f.memory_clock_mhz * 2 * (static_cast<double>(facts.memory_bus_bits) / 8) / 1000;
  if (f.cores > 0 && f.clock_mhz > 0) f.fp32_gflop_per_s = f.cores * 2 * f.clock_mhz / 1000;
  if (facts.multiprocessors > 0 && facts.max_threads_per_multiprocessor > 0)
    f.resident_threads = static_cast<double>(facts.multiprocessors * facts.max_threads_per_multiprocessor);
  return f;
}

std::string device_table(const std::vector<DeviceFacts>& devices, const std::vector<DeviceFigures>& figures,
                         std::size_t label_width, std::size_t cell_width) {
  using Cell = std::function<std::string(const DeviceFacts&, const DeviceFigures&)>;
  using Facts = const DeviceFacts&;
  using Figures = const DeviceFigures&;
  const auto count = [](std::int64_t DeviceFacts::*member) {
    return [member](Facts d, Figures) { return number(static_cast<double>(d.*member), 0, ""); };
  };
  const auto figure = [](double DeviceFigures::*member, int decimals, const char* unit) {
    return [member, decimals, unit](Facts, Figures f) { return number(f.*member, decimals, unit); };
  };
  const std::pair<const char*, Cell> rows[] = {
      {"Device", [](Facts d, Figures) { return d.name; }},
      {"Multiprocessors", count(&DeviceFacts::multiprocessors)},
      {"Global memory", figure(&DeviceFigures::global_memory_gib, 2, "GiB")},
      {"Constant memory", figure(&DeviceFigures::constant_memory_kib, 0, "KiB")},
      {"Shared memory per block", figure(&DeviceFigures::shared_memory_per_block_kib, 0, "KiB")},
      {"Threads per block", count(&DeviceFacts::max_threads_per_block)},
      {"Block dimensions",
       [](Facts d, Figures) { return triple(d.max_block_x, d.max_block_y, d.max_block_z); }},
      {"Grid dimensions", [](Facts d, Figures) { return triple(d.max_grid_x, d.max_grid_y, d.max_grid_z); }},
      {"Compute capability",
       [](Facts d, Figures) {
         return d.compute_major > 0 ? std::to_string(d.compute_major) + "." + std::to_string(d.compute_minor)
                                    : std::string("not known");
       }},
      {"CUDA cores", figure(&DeviceFigures::cores, 0, "")},
      {"Tensor Cores", [](Facts, Figures f) { return tensor_text(f.tensor_core_generation); }},
      {"Core clock", figure(&DeviceFigures::clock_mhz, 0, "MHz")},
      {"Memory clock", figure(&DeviceFigures::memory_clock_mhz, 0, "MHz")},
      {"Memory bus",
       [](Facts d, Figures) { return number(static_cast<double>(d.memory_bus_bits), 0, "bit"); }},
      {"Memory bandwidth", figure(&DeviceFigures::bandwidth_gb_per_s, 0, "GB/s")},
      {"L2 cache", figure(&DeviceFigures::l2_cache_mib, 2, "MiB")},
      {"Shared memory per mp", figure(&DeviceFigures::shared_memory_per_multiprocessor_kib, 0, "KiB")},
  };
  std::ostringstream table;
  table << std::left;
  for (const auto& [label, cell] : rows) {
    table << std::setw(static_cast<int>(label_width)) << label;
    for (std::size_t i = 0; i < devices.size(); ++i)
      table << std::setw(static_cast<int>(cell_width))
            << cell(devices[i], figures.at(i)).substr(0, cell_width - 1);
    table << '\n';
  }
  return table.str();
}

}  // namespace warplab::reference
