// From what the runtime says to what one wants to know.
//
// The runtime gives multiprocessors, but not the cores in each: that follows from the architecture, and so
// from the compute capability. It gives a memory clock and a bus width, but not a bandwidth. The bandwidth is
// two transfers per reported clock, each as wide as the bus. For GDDR5X to GDDR7 the reported clock is a
// convention of NVIDIA's: it is chosen such that this product is right, so a data sheet may have another one.
// Sizes are in bytes, and 65536 bytes are 64 KiB (2^10), not 64 MiB (2^20). What cannot be known stays
// unknown: a figure made from a missing field would look like any other. These are ceilings that no kernel
// reaches. A copy kernel comes to about nine tenths of the bandwidth.
// Source: CUDA C++ Programming Guide, compute capabilities; NVIDIA's architecture white papers for the cores.
#include "common/todo.hpp"
#include "device_query.hpp"

struct Architecture {
  int capability;         // 10 * major + minor
  int cores;              // fp32 units per multiprocessor
  int tensor_generation;  // 0: none
};

/// By compute capability. Volta's is the first generation of Tensor Cores, Blackwell's the fifth.
static constexpr Architecture architectures[] = {
    {30, 192, 0},  {32, 192, 0},  {35, 192, 0},  {37, 192, 0},  {50, 128, 0},  {52, 128, 0},
    {53, 128, 0},  {60, 64, 0},   {61, 128, 0},  {62, 128, 0},  {70, 64, 1},   {72, 64, 1},
    {75, 64, 2},   {80, 64, 3},   {86, 128, 3},  {87, 128, 3},  {89, 128, 4},  {90, 128, 4},
    {100, 128, 5}, {103, 128, 5}, {110, 128, 5}, {120, 128, 5}, {121, 128, 5},
};

/// The architecture of this compute capability, or null if the table does not have it.
[[maybe_unused]] static const Architecture* find_architecture(std::int64_t major, std::int64_t minor) {
  for (const Architecture& a : architectures)
    if (minor >= 0 && minor < 10 && a.capability == 10 * major + minor) return &a;
  return nullptr;
}

/// `figure`, if all that it was made from is known.
template <class... Fields>
[[maybe_unused]] static double known(double figure, Fields... fields) {
  return ((fields > 0) && ...) ? figure : static_cast<double>(unknown);
}

void device_query_derive(const std::int64_t* fields, int count, double* figures) {
  for (int i = 0; i < count; ++i) {
    [[maybe_unused]] const std::int64_t* f = fields + std::int64_t{i} * field_count;  // (field_count)
    [[maybe_unused]] double* out = figures + std::int64_t{i} * figure_count;          // (figure_count)
    // BEGIN SOLUTION
    const Architecture* a = find_architecture(f[compute_major], f[compute_minor]);
    const auto scaled = [f](DeviceField field, double unit) {
      return known(static_cast<double>(f[field]) / unit, f[field]);
    };
    out[cores_per_multiprocessor] = a ? a->cores : static_cast<double>(unknown);
    out[tensor_core_generation] = a ? a->tensor_generation : static_cast<double>(unknown);
    out[cores] = known(out[cores_per_multiprocessor] * static_cast<double>(f[multiprocessors]),
                       out[cores_per_multiprocessor], f[multiprocessors]);
    out[global_memory_gib] = scaled(global_memory_bytes, 1 << 30);
    out[constant_memory_kib] = scaled(constant_memory_bytes, 1 << 10);
    out[shared_memory_per_block_kib] = scaled(shared_memory_per_block_bytes, 1 << 10);
    out[shared_memory_per_multiprocessor_kib] = scaled(shared_memory_per_multiprocessor_bytes, 1 << 10);
    out[l2_cache_mib] = scaled(l2_cache_bytes, 1 << 20);
    out[clock_mhz] = scaled(clock_khz, 1e3);
    out[memory_clock_mhz] = scaled(memory_clock_khz, 1e3);
    out[bandwidth_gb_per_s] = known(2.0 * static_cast<double>(f[memory_clock_khz]) * 1e3 *
                                        static_cast<double>(f[memory_bus_bits]) / 8 / 1e9,
                                    f[memory_clock_khz], f[memory_bus_bits]);
    out[fp32_gflop_per_s] =
        known(2.0 * out[cores] * static_cast<double>(f[clock_khz]) * 1e3 / 1e9, out[cores], f[clock_khz]);
    out[resident_threads] = known(
        static_cast<double>(f[multiprocessors]) * static_cast<double>(f[max_threads_per_multiprocessor]),
        f[multiprocessors], f[max_threads_per_multiprocessor]);
    // STUB warplab::todo(
    // STUB     "device_query_derive: cores, units, bandwidth and peak from the fields; mind what is unknown");
    // END SOLUTION
  }
}
