#pragma once

#include <string>

#include "report/charts/chart.hpp"
#include "report/html/html.hpp"
#include "report/run/lab_view.hpp"

namespace warplab::report {

/// A lab's section of a run's page: ladder, curves, roofline, transfers, the lens and pictures, as far as
/// they were measured. @param id the section's anchor
std::string lab_section(const Run& run, const LabView& view, const std::string& id);

/// "yes", "to do", "refused": a cell that says whether a row's output was right.
Cell verdict_cell(const Row& row);

/// "54 %" with a bar, or a dash.
Cell light_cell(const Row& row);

/// The fastest row of a group in its unit, or null.
const Row* fastest(const CaseGroup& group);

}  // namespace warplab::report
