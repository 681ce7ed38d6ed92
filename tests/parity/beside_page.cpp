#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "tests/common/wrapped.hpp"
#include "tests/parity/comparison.hpp"

namespace warplab::parity {
namespace {

const char* const about_branches = R"(
These numbers depend on the machine code as much as on the source, so a case may be exact without them. On the
GPU the compiler replaces a short condition, or one that only returns, by predicates: its instructions run for
all lanes, and are switched off for some. The lens counts the conditions of the source.)";

std::string decimals(double value, int count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", count, value);
  return text;
}

std::string whole(double value) { return decimals(value, 0); }

bool same_occupancy(const CaseResult& result) { return occupancy_agrees(result.beside.occupancy_percent); }

/// A row of the summary: how many cases agree, and why others do not.
struct Summary {
  std::string number, agree, others;
};

template <typename Predicate>
long count(const std::vector<CaseResult>& results, Predicate predicate) {
  return std::count_if(results.begin(), results.end(), predicate);
}

std::vector<Summary> summary(const std::vector<CaseResult>& results) {
  const auto of = [&](long agree, std::size_t all) {
    return std::to_string(agree) + " of " + std::to_string(all);
  };
  const auto lanes_within = [&](double distance) {
    return count(results, [&](const CaseResult& r) {
      return std::abs(r.beside.active_lanes.hardware - r.beside.active_lanes.lens) <= distance;
    });
  };
  const long with_atomics =
      count(results, [](const CaseResult& r) { return r.beside.shared_atomics.has_value(); });
  const auto equal = [](const Pair& pair) { return pair.hardware == pair.lens; };
  return {
      {"divergent branches",
       of(count(results, [&](const CaseResult& r) { return equal(r.beside.divergent_branches); }),
          results.size()),
       "the letters of the table below"},
      {"active lanes, within 1", of(lanes_within(1), results.size()),
       "The GPU averages over all instructions, also over those that a predicate switches off for some "
       "lanes; the lens averages over requests and branches."},
      {"active lanes, within 4", of(lanes_within(4), results.size()), "as above"},
      {"occupancy", of(count(results, same_occupancy), results.size()),
       "Lower on the GPU: registers limit it, which the lens does not know."},
      {"requests of atomics in shared memory",
       of(count(results,
                [&](const CaseResult& r) {
                  return r.beside.shared_atomics && equal(*r.beside.shared_atomics);
                }),
          static_cast<std::size_t>(with_atomics)),
       "An atomic addition of floats is a loop of compare-and-swaps."},
  };
}

}  // namespace

bool occupancy_agrees(const Pair& percent) {  // Nsight Compute prints two decimals
  return std::abs(percent.hardware - percent.lens) < 0.01;
}

std::string beside_the_counts(const std::vector<CaseResult>& results, const BranchReasons& reasons) {
  std::ostringstream out;
  out << "## Branches, lanes and occupancy\n\n"
      << wrapped(about_branches) << "\n| number | the same in | the others |\n|---|---:|---|\n";
  for (const Summary& row : summary(results))
    out << "| " << row.number << " | " << row.agree << " | " << row.others << " |\n";
  out << "\nWhy divergent branches differ:\n\n| | cases | why |\n|---|---:|---|\n";
  std::map<std::string, char> letters;
  for (const auto& [kind, why] : reasons.kinds) {
    letters[kind] = static_cast<char>('a' + letters.size());
    const long cases = count(results, [&](const CaseResult& r) {
      const Pair& divergent = r.beside.divergent_branches;
      return divergent.hardware != divergent.lens && branch_kind(reasons, r) == kind;
    });
    out << "| " << letters[kind] << " | " << cases << " | " << why << " |\n";
  }
  out << "\nOf each pair the first number is the H100's, the second the lens's; \"same\" is both.\n\n"
      << "| case | divergent branches | why | active lanes | occupancy in % |\n|---|---:|---|---:|---:|\n";
  for (const CaseResult& result : results) {
    if (!result.failure.empty()) continue;
    const BesideTheCounts& b = result.beside;
    const bool same = b.divergent_branches.hardware == b.divergent_branches.lens;
    out << "| `" << result.name << "` | " << whole(b.divergent_branches.hardware);
    if (!same) out << ", " << whole(b.divergent_branches.lens);
    out << " | " << (same ? std::string("same") : std::string(1, letters[branch_kind(reasons, result)]))
        << " | " << decimals(b.active_lanes.hardware, 1) << ", " << decimals(b.active_lanes.lens, 1) << " | "
        << decimals(b.occupancy_percent.hardware, 1);
    if (!occupancy_agrees(b.occupancy_percent)) out << ", " << decimals(b.occupancy_percent.lens, 1);
    out << " |\n";
  }
  return out.str();
}

}  // namespace warplab::parity
