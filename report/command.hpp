#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab::report {

/// What `warplab-results report` was asked for.
struct ReportOptions {
  std::vector<std::string> runs;  ///< folders of runs, or their results.json
  std::string out;                ///< the page
  std::string name;               ///< of a single run, where its folder is to be renamed; or ""
  bool published = false;         ///< beside the published tables, rather than by itself or compared
};

/// Writes a page: of one run, of a comparison of several, or of what was published beside what was measured.
/// @return the sentence to print
/// @throws BadInput for runs that are none, or a page that cannot be written
std::string write_report(const ReportOptions& options);

}  // namespace warplab::report
