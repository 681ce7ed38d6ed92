#pragma once

#include <string>

#include "report/charts/chart.hpp"
#include "report/run/lab_view.hpp"

namespace warplab::report {

// Charts of what was timed, each with its caption; "" where too little was measured for it.

/// The case's rungs as bars of their rates, against the speed of light.
std::string rate_chart(const LabView& view, const CaseGroup& group);

/// How rates change with the input's size, and times with its parameters.
std::string scaling_charts(const LabView& view);

/// How far each rung's result is from the truth, over how often it evaluates its integrand: a chart for each
/// type. For labs whose measurements have the figures "error" and "evaluations".
std::string error_charts(const LabView& view);

/// Each rung under the roofs that this run measured: a copy's and, where there is one, that of multiply-adds.
std::string roofline(const Run& run, const LabView& view, const CaseGroup& group);

/// The kernel's share of the time with both transfers.
std::string transfer_chart(const LabView& view);

}  // namespace warplab::report
