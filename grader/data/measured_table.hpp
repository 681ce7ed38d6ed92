#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplab {

/// One measurement on a GPU. What was not measured is absent.
struct MeasuredRow {
  std::string run, device, rung, role, size, dtype;
  std::vector<std::pair<std::string, std::string>>
      params;  ///< "block" and "grid" among them, where they were set
  double median_ms = 0;
  std::optional<double> mad_ms, gb_per_s, gflop_per_s, fraction;  ///< fraction: of the speed of light
  std::optional<double> h2d_ms, d2h_ms;
  std::optional<double> registers, shared_bytes, occupancy;  ///< of the kernel that has most registers

  bool operator==(const MeasuredRow&) const = default;
  /// "block 256, grid 10"
  std::string params_text() const;
};

/// All measurements of a lab on GPUs, in the runs of a folder: by run, then in the order in which they ran.
/// @throws BadInput if a run cannot be read
std::vector<MeasuredRow> measured_rows(const std::filesystem::path& results, const std::string& lab);

/// With a line of names first. Texts that hold a comma are in quotation marks.
std::string to_csv(const std::vector<MeasuredRow>& rows);

/// What to_csv() wrote. @throws BadInput for anything else
std::vector<MeasuredRow> from_csv(const std::string& csv);

}  // namespace warplab
