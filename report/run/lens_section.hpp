#pragma once

#include <optional>
#include <string>

#include "report/charts/chart.hpp"
#include "report/run/lab_view.hpp"

namespace warplab::report {

/// What the lens counted of a kind of access: "global_load", "shared_store".
struct AccessCounts {
  double requests = 0;
  double cost = 0;              ///< sectors, or wavefronts
  std::optional<double> ideal;  ///< as few as could be

  double per_request() const { return cost / requests; }
};

/// Nothing where there was no request, or it was not counted.
std::optional<AccessCounts> access_counts(const Row& row, const char* kind);

/// Wavefronts of shared memory beyond the ideal; nothing where they were not counted.
std::optional<double> bank_conflicts(const Row& row);

/// "4 + 32": sectors per request of loads and of stores; "" without counts.
std::string sectors_text(const Row& row);

/// Charts of sectors and wavefronts per request against the ideal, of the case's rungs; "" without counts.
std::string count_charts(const LabView& view, const CaseGroup& group);

/// Lines of source with their counts and advice, and maps of what warps touched, for each rung to unfold; ""
/// where the lens recorded nothing. @param id the heading's anchor
std::string lens_section(const LabView& view, const CaseGroup& group, const std::string& id);

}  // namespace warplab::report
