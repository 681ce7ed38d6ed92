#pragma once

#include <string>
#include <vector>

#include "harness/results/results.hpp"
#include "report/results/run_file.hpp"
#include "runner/lab_outcome.hpp"

namespace warplab::runner {

/// The results.json of a run: what its labs measured, one after the other, with a measurement of its own for
/// a lab that did not come to its end.
/// @param info of this run; device, driver and toolkit are the labs' to say
report::Json merged_results(const RunInfo& info, const std::string& backend,
                            const std::vector<LabOutcome>& outcomes);

/// The same as CSV.
std::string merged_csv(const std::string& backend, const std::vector<LabOutcome>& outcomes);

}  // namespace warplab::runner
