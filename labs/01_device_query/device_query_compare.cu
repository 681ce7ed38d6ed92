// A table that compares devices, one column each, as text of a fixed width.
//
// Rows 1 to 7 are what such a table usually has, with units that are right: constant and shared memory
// are KiB. The rest is what readers of such a table ask for next. Everything that
// differs between devices shows side by side, and what is not known reads "not known"
// instead of 0. A row is label_bytes for the label and cell_bytes for every device, filled up with
// spaces; a cell that is too long is cut so that one space always parts it from the next. Memory in
// GiB and MiB has two decimals, all else none.
// Cost: nothing that matters. Text is for people; programs read the JSON.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "common/todo.hpp"
#include "device_query.hpp"

static const char* const labels[table_rows] = {"Device",
                                               "Multiprocessors",
                                               "Global memory",
                                               "Constant memory",
                                               "Shared memory per block",
                                               "Threads per block",
                                               "Block dimensions",
                                               "Grid dimensions",
                                               "Compute capability",
                                               "CUDA cores",
                                               "Tensor Cores",
                                               "Core clock",
                                               "Memory clock",
                                               "Memory bus",
                                               "Memory bandwidth",
                                               "L2 cache",
                                               "Shared memory per mp"};

/// `value` to so many decimals with its unit, or "not known" if it is not above 0.
[[maybe_unused]] static std::string number(double value, int decimals = 0, const char* unit = "") {
  if (value <= 0) return "not known";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f%s%s", decimals, value, *unit ? " " : "", unit);
  return text;
}

/// "(1024, 1024, 64)" of three fields in a row.
[[maybe_unused]] static std::string triple(const std::int64_t* f) {
  if (f[0] <= 0 || f[1] <= 0 || f[2] <= 0) return "not known";
  return "(" + std::to_string(f[0]) + ", " + std::to_string(f[1]) + ", " + std::to_string(f[2]) + ")";
}

void device_query_compare(const std::int64_t* fields, const double* figures, const std::uint8_t* names,
                          int count, std::uint8_t* text) {
  const int line = line_bytes(count);
  std::memset(text, ' ', static_cast<std::size_t>(table_rows) * static_cast<std::size_t>(line));
  for (int row = 0; row < table_rows; ++row) {
    std::memcpy(text + row * line, labels[row], std::strlen(labels[row]));
    text[row * line + line - 1] = '\n';
  }
  for (int i = 0; i < count; ++i) {
    [[maybe_unused]] const std::int64_t* f = fields + std::int64_t{i} * field_count;  // (field_count)
    [[maybe_unused]] const double* d = figures + std::int64_t{i} * figure_count;      // (figure_count)
    const std::string name = reinterpret_cast<const char*>(names) + std::int64_t{i} * name_bytes;
    // BEGIN SOLUTION
    const auto whole = [f](DeviceField field) { return number(static_cast<double>(f[field])); };
    const std::string tensor = d[tensor_core_generation] == 0 ? "none"
                               : d[tensor_core_generation] > 0
                                   ? "generation " + number(d[tensor_core_generation])
                                   : "not known";
    const std::string capability =
        f[compute_major] > 0 ? std::to_string(f[compute_major]) + "." + std::to_string(f[compute_minor])
                             : "not known";
    const std::string cells[table_rows] = {name,
                                           whole(multiprocessors),
                                           number(d[global_memory_gib], 2, "GiB"),
                                           number(d[constant_memory_kib], 0, "KiB"),
                                           number(d[shared_memory_per_block_kib], 0, "KiB"),
                                           whole(max_threads_per_block),
                                           triple(f + max_block_x),
                                           triple(f + max_grid_x),
                                           capability,
                                           number(d[cores]),
                                           tensor,
                                           number(d[clock_mhz], 0, "MHz"),
                                           number(d[memory_clock_mhz], 0, "MHz"),
                                           number(static_cast<double>(f[memory_bus_bits]), 0, "bit"),
                                           number(d[bandwidth_gb_per_s], 0, "GB/s"),
                                           number(d[l2_cache_mib], 2, "MiB"),
                                           number(d[shared_memory_per_multiprocessor_kib], 0, "KiB")};
    for (int row = 0; row < table_rows; ++row)
      std::memcpy(text + row * line + label_bytes + i * cell_bytes, cells[row].data(),
                  std::min<std::size_t>(cells[row].size(), cell_bytes - 1));
    // STUB warplab::todo("device_query_compare: for each row of `labels` a cell, put in its place in the row");
    // END SOLUTION
  }
}
