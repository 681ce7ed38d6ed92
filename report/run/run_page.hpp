#pragma once

#include <string>

#include "report/results/run_file.hpp"

namespace warplab::report {

/// The page of one run: what ran where, a table of all labs, and a section for each.
std::string run_page(const Run& run);

/// The conditions of a run as a list: device, driver, toolkit, flags, commit, date, host, command.
std::string conditions_html(const Run& run);

}  // namespace warplab::report
