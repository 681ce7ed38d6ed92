#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lens/text/table_rows.hpp"
#include "tests/common/wrapped.hpp"
#include "tests/parity/comparison.hpp"

namespace warplab::parity {
namespace {

std::string grouped(double value) { return lens::grouped(static_cast<std::uint64_t>(value)); }

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

}  // namespace

std::string page(const nlohmann::json& hardware, const std::vector<CaseResult>& results,
                 const std::vector<Exception>& exceptions, const BranchReasons& reasons,
                 const std::vector<std::string>& missing) {
  const auto exact =
      std::count_if(results.begin(), results.end(), [](const CaseResult& r) { return r.exact(); });
  std::vector<CaseResult> kernels = results;
  std::erase_if(kernels, [](const CaseResult& r) { return r.name.find(' ') != std::string::npos; });
  const auto fact = [&](const char* name) { return hardware.at(name).get<std::string>(); };
  std::ostringstream out;
  std::ostringstream cases, small;
  cases << "What the lens counts for " << results.size() << " cases, beside what Nsight Compute "
        << fact("profiler") << " counted on an " << fact("device") << " (driver " << fact("driver")
        << ", CUDA " << fact("toolkit") << ", " << fact("date") << ", by `" << fact("command")
        << "`). Made by the target `parity_page`; a test compares it.";
  small << "**" << exact << " of " << results.size() << " cases (" << percent(exact_share(results))
        << ") are exact in every number:** requests, sectors, wavefronts and their ideals. Of the "
        << kernels.size() << " small kernels among them, which have only a name, "
        << percent(exact_share(kernels)) << "; the others are the labs' rungs.";
  out << "# The lens against the hardware\n\n"
      << wrapped(cases.str()) << "\n"
      << wrapped(small.str()) << "\n"
      << wrapped(
             "Requests and sectors of global and local memory are the L1 cache's counters; ideals, "
             "wavefronts and the sectors of atomics are those of Nsight Compute's source page. Numbers that "
             "are 0 on both sides are left out.")
      << "\n"
      << "## Exceptions\n\n"
      << "Here the compiler changes what the source says. The lens counts the source.\n\n"
      << "| case | differs in | at most | why |\n|---|---|---|---|\n";
  for (const Exception& e : exceptions) {
    out << "| `" << e.name << "` | ";
    for (std::size_t i = 0; i < e.metrics.size(); ++i) out << (i ? ", " : "") << e.metrics[i];
    out << " | " << e.bound << " times | " << e.reason << " |\n";
  }
  if (!missing.empty()) {
    out << "\n## Not compared yet\n\n"
        << "The hardware has not counted these cases; `tests/parity/record.sh --new` does, on a GPU.\n\n";
    for (const std::string& name : missing) out << "- `" << name << "`\n";
  }
  out << "\n" << beside_the_counts(results, reasons);
  out << "\n## All cases\n\n| case | metric | hardware | lens | exact |\n|---|---|---:|---:|---|\n";
  for (const CaseResult& result : results) {
    bool first = true;
    const auto begin = [&]() -> std::ostream& {
      out << "| " << (first ? "`" + result.name + "`" : "") << " | ";
      first = false;
      return out;
    };
    if (!result.failure.empty()) begin() << result.failure << " | | | no |\n";
    for (const Row& row : result.rows)
      if (row.hardware != 0 || row.lens != 0)
        begin() << row.metric << " | " << grouped(row.hardware) << " | " << grouped(row.lens) << " | "
                << (row.exact() ? "yes" : "no") << " |\n";
  }
  return out.str();
}

}  // namespace warplab::parity
