#include <cstdio>
#include <map>
#include <sstream>

#include "tests/bounds/validation.hpp"

namespace warplab::bounds {
namespace {

std::string percent(std::size_t part, std::size_t whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", whole == 0 ? 0 : 100. * double(part) / double(whole));
  return text;
}

std::string digits(double value) {
  char text[24];
  std::snprintf(text, sizeof text, value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

std::string lab_of(const TimedCase& one) { return one.name.substr(0, one.name.find(' ')); }

std::string goal(bool reached) { return reached ? "reached" : "**not reached**"; }

void summary(std::ostream& out, const Figures& f) {
  out << "| goal | figure | |\n|---|---:|---|\n"
      << "| no bound more than 3 % above the time | " << f.too_high << " above; the highest is "
      << digits(100 * f.highest) << " % of the time | " << goal(f.too_high == 0) << " |\n"
      << "| at least half of the time, for 70 % of the rungs | " << percent(f.within_two, f.cases) << " | "
      << goal(10 * f.within_two >= 7 * f.cases) << " |\n"
      << "| rungs of a ladder in the right order, for 90 % of the pairs | " << percent(f.in_order, f.pairs)
      << " of " << f.pairs << " | " << goal(10 * f.in_order >= 9 * f.pairs) << " |\n";
}

void by_lab(std::ostream& out, const std::vector<TimedCase>& cases) {
  std::vector<std::string> labs;
  std::map<std::string, std::vector<TimedCase>> of;
  for (const TimedCase& one : cases) {
    if (!of.contains(lab_of(one))) labs.push_back(lab_of(one));
    of[lab_of(one)].push_back(one);
  }
  out << "| lab | rungs | above the time | at least half of it | pairs in order "
         "|\n|---|---:|---:|---:|---:|\n";
  for (const std::string& lab : labs) {
    const Figures f = figures_of(of[lab]);
    if (f.cases == 0) continue;  // all its rungs are left out
    out << "| " << lab << " | " << f.cases << " | " << f.too_high << " | " << percent(f.within_two, f.cases)
        << " | " << percent(f.in_order, f.pairs) << " of " << f.pairs << " |\n";
  }
}

void left_out(std::ostream& out, const std::vector<TimedCase>& cases) {
  std::map<std::string, std::size_t> reasons;
  for (const TimedCase& one : cases)
    if (!one.bounds) ++reasons[one.why];
  out << "| rungs left out | why |\n|---:|---|\n";
  for (const auto& [why, count] : reasons) out << "| " << count << " | " << why << " |\n";
}

void rows(std::ostream& out, const std::vector<TimedCase>& cases) {
  out << "| run | case | measured | bound | share | by |\n|---|---|---:|---:|---:|---|\n";
  for (const TimedCase& one : cases)
    if (one.bounds)
      out << "| " << one.run << " | `" << one.name << "` | " << digits(one.measured_us) << " | "
          << digits(one.bounds->us()) << " | " << digits(100 * one.share()) << " % | " << one.bounds->limit()
          << " |\n";
}

}  // namespace

std::string page(const std::vector<TimedCase>& cases) {
  const Figures figures = figures_of(cases);
  std::ostringstream out;
  out << R"(# The lens's bounds against measured times

For each launch the lens gives a time that no GPU of a kind can go below, and what sets it: see
[the lens](lens.md#what-limits-it). Here these bounds are compared with the times of committed
[results](../results/README.md), on an H100 and an H200. Made by the target `bounds_page`; a test compares it.

)";
  summary(out, figures);
  out << "\nOf " << figures.cases + figures.left_out << " timed rungs " << figures.cases << R"( are compared.
Pairs are judged where the times differ by a fifth or more. Times and bounds are in microseconds. Counts are
those of a sample of each launch's blocks, at the size and with the grid of the measurement (`--lens-only`),
scaled to all blocks.

The rates come from documents and from a program that measured them, not from these rungs. What a launch makes
L2 write back was fitted: to lab 08, and again when a new run on an H100 had put five small rungs up to 5 %
below their bounds. Stores to several sectors of a line were found to take no longer for parts of sectors than
for whole ones when lab 05 first ran with rows of 5999 bytes, at half of the bound that it had until then. How
much faster an H200 stores to L2 than an H100 was taken from lab 07.

Arithmetic of floats and doubles is counted, that of integers is not: a compiler saves much of it, and how
much depends on the loop. So the bounds are weak where rungs compute indices and borders for each element: in
image filters, and in Gaussian filters without tensor cores. Small sums of a costly function take longer than
their launch for latencies that nobody counts. Rungs that ask for the same work have the same bound, as those
of lab 13 do; such a pair counts as wrong.

## By lab

)";
  by_lab(out, cases);
  out << "\n## What is left out\n\n";
  left_out(out, cases);
  out << "\n## All rungs\n\n";
  rows(out, cases);
  return out.str();
}

}  // namespace warplab::bounds
