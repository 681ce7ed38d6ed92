#pragma once

#include <string>
#include <vector>

#include "report/published/published.hpp"

namespace warplab::report {

/// What the document says, and whether the runs bear it out: sentences with the measured figures. "" where
/// the table claims nothing.
std::string claims_html(const PublishedTable& table, const std::vector<Run>& runs, const std::string& lab);

/// The verdict on one claim as a sentence: "Here it holds: 1.2 ms against 3 ms, 2.5 times as fast."
std::string claim_verdict(const PublishedClaim& claim, const std::vector<Run>& runs, const std::string& lab);

}  // namespace warplab::report
