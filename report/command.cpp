#include "report/command.hpp"

#include <fmt/format.h>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "report/comparison/comparison_page.hpp"
#include "report/published/published_page.hpp"
#include "report/run/run_page.hpp"

namespace warplab::report {

std::string write_report(const ReportOptions& options) {
  if (options.runs.empty()) throw BadInput("report takes a run's folder, or several to compare");
  if (options.out.empty()) throw BadInput("report needs --out FILE, the page to write");
  if (!options.out.ends_with(".html"))
    throw BadInput(fmt::format("--out {} is not a page; it takes FILE.html", options.out));
  check_writable(options.out);
  std::vector<Run> runs;
  for (const std::string& path : options.runs) runs.push_back(read_run(path));
  if (runs.size() == 1 && !options.name.empty()) runs.front().name = options.name;
  if (options.published) {
    write_file_atomically(options.out,
                          published_page(runs, std::filesystem::path(WARPLAB_SOURCE_DIR) / "labs"));
    return fmt::format("published and measured: {}", options.out);
  }
  if (runs.size() == 1) {
    write_file_atomically(options.out, run_page(runs.front()));
    return fmt::format("report: {}", options.out);
  }
  const Comparison comparison = compare(runs);
  write_file_atomically(options.out, comparison_page(runs, comparison));
  return fmt::format("{}: {}", summary_of(comparison), options.out);
}

}  // namespace warplab::report
