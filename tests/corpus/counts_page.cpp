#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include "tests/common/wrapped.hpp"
#include "tests/corpus/corpus.hpp"
#include "tests/corpus/counts.hpp"

namespace warplab::corpus {
namespace {

using Launches = std::vector<LaunchNumbers>;

struct Part {
  long good = 0, all = 0;

  void add(bool is_good) {
    good += is_good;
    ++all;
  }
};

std::string cell(const Part& part) {
  if (part.all == 0) return "none";
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.1f",
                100 * static_cast<double>(part.good) / static_cast<double>(part.all));
  return std::to_string(part.good) + " of " + std::to_string(part.all) + " (" + percent + " %)";
}

Part launches_that_agree(const Launches& launches) {
  Part part;
  for (const LaunchNumbers& launch : launches) part.add(launch.agrees());
  return part;
}

std::string id(const LaunchNumbers& launch) { return launch.program + " " + launch.kernel; }

/// A kernel agrees where all of its launches do.
Part kernels_that_agree(const Launches& launches) {
  std::map<std::string, bool> kernels;
  for (const LaunchNumbers& launch : launches) {
    const auto [kernel, is_new] = kernels.emplace(id(launch), true);
    kernel->second = kernel->second && launch.agrees();
  }
  Part part;
  for (const auto& [name, good] : kernels) part.add(good);
  return part;
}

Part numbers_that_agree(const Launches& launches, const std::string& metric) {
  Part part;
  for (const LaunchNumbers& launch : launches)
    for (const Number& number : launch.numbers)
      if (metric.empty() || number.metric == metric) part.add(number.agrees());
  return part;
}

Launches of_half(Launches launches, Half half) {
  std::erase_if(launches, [&](const LaunchNumbers& launch) { return launch.half != half; });
  return launches;
}

/// Those launches that are also among others.
Launches of_the_same(Launches launches, const Launches& others) {
  std::erase_if(launches, [&](const LaunchNumbers& launch) {
    return std::none_of(others.begin(), others.end(), [&](const LaunchNumbers& other) {
      return other.program == launch.program && other.kernel == launch.kernel &&
             other.number == launch.number;
    });
  });
  return launches;
}

std::string whole(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

void write_shares(std::ostream& out, const Launches& first, const Launches& now) {
  out << "| | half to learn from | half set aside | both |\n|---|---:|---:|---:|\n";
  const auto row = [&](const std::string& name, const Launches& launches, auto share) {
    out << "| " << name << " | " << cell(share(of_half(launches, Half::learning))) << " | "
        << cell(share(of_half(launches, Half::set_aside))) << " | " << cell(share(launches)) << " |\n";
  };
  const auto numbers = [](const Launches& launches) { return numbers_that_agree(launches, ""); };
  row("launches, at first", first, launches_that_agree);
  row("launches, now", now, launches_that_agree);
  row("kernels, at first", first, kernels_that_agree);
  row("kernels, now", now, kernels_that_agree);
  row("numbers, at first", first, numbers);
  row("numbers, now", now, numbers);
}

void write_numbers(std::ostream& out, const Launches& launches) {
  std::vector<std::string> metrics;
  for (const LaunchNumbers& launch : launches)
    for (const Number& number : launch.numbers)
      if (std::find(metrics.begin(), metrics.end(), number.metric) == metrics.end())
        metrics.push_back(number.metric);
  std::sort(metrics.begin(), metrics.end());
  out << "| number | half to learn from | half set aside |\n|---|---:|---:|\n";
  for (const std::string& metric : metrics)
    out << "| " << metric << " | " << cell(numbers_that_agree(of_half(launches, Half::learning), metric))
        << " | " << cell(numbers_that_agree(of_half(launches, Half::set_aside), metric)) << " |\n";
}

void write_causes(std::ostream& out, const Causes& causes) {
  out << "| kernels | cause |\n|---:|---|\n";
  std::vector<std::pair<long, std::string>> kinds;
  for (const auto& [kind, sentence] : causes.kinds) {
    std::set<std::string> kernels;
    for (const Causes::Cause& cause : causes.causes)
      if (cause.kind == kind) kernels.insert(cause.program + " " + cause.kernel);
    kinds.emplace_back(static_cast<long>(kernels.size()), sentence);
  }
  std::sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [count, sentence] : kinds) out << "| " << count << " | " << sentence << " |\n";
}

/// Of the first launch of each kernel that differs.
void write_differences(std::ostream& out, const Launches& launches, const Causes& causes) {
  out << "| program | kernel | number | GPU | lens | cause |\n|---|---|---|---:|---:|---|\n";
  std::set<std::string> seen;
  for (const LaunchNumbers& launch : launches) {
    if (launch.agrees() || !seen.insert(id(launch)).second) continue;
    for (const Number& number : launch.numbers) {
      if (number.agrees()) continue;
      std::string why;
      for (const Causes::Cause& cause : causes.causes)
        if (cause.program == launch.program && cause.kernel == launch.kernel &&
            std::find(cause.metrics.begin(), cause.metrics.end(), number.metric) != cause.metrics.end())
          why = cause.kind;
      out << "| " << launch.program.substr(launch.program.find('/') + 1) << " | `" << launch.kernel << "` | "
          << number.metric << " | " << whole(number.hardware) << " | " << whole(number.lens) << " | " << why
          << " |\n";
    }
  }
}

void write_programs(std::ostream& out, const Counts& now, const Launches& launches) {
  for (const ProgramCounts& program : now.programs) {
    Launches own = launches;
    std::erase_if(own, [&](const LaunchNumbers& launch) { return launch.program != program.program; });
    out << "| " << program.program << " | " << program.arguments << " | "
        << (program.half == Half::learning ? "learn" : "aside") << " | " << kernels_that_agree(own).all
        << " | " << launches_that_agree(own).good << " of " << own.size() << " |\n";
  }
}

/// Branches, lanes and requests of shared atomics, which depend on the machine code as much as on the source.
void write_beside(std::ostream& out, const Counts& hardware, const Counts& now) {
  Part branches, near, nearer, atomics;
  for (const ProgramCounts& program : now.programs)
    for (const ProgramCounts& recorded : hardware.programs) {
      if (recorded.program != program.program) continue;
      for (const LaunchCounts& launch : program.launches)
        for (const LaunchCounts& other : recorded.launches) {
          if (other.kernel != launch.kernel || other.number != launch.number) continue;
          const auto both = [&](const char* metric) {
            const auto of = [&](const LaunchCounts& one) {
              const auto found = one.metrics.find(metric);
              return found == one.metrics.end() ? 0 : found->second;
            };
            return std::pair(of(other), of(launch));
          };
          const auto [divergent, divergent_here] = both("branches.divergent");
          branches.add(divergent == divergent_here);
          const auto [lanes, lanes_here] = both("active_lanes");
          nearer.add(std::abs(lanes - lanes_here) <= 1);
          near.add(std::abs(lanes - lanes_here) <= 4);
          const auto [requests, requests_here] = both("shared_atomics.requests");
          if (requests != 0 || requests_here != 0)
            atomics.add(std::abs(requests - requests_here) <= 0.02 * requests);
        }
    }
  out << "| number | launches |\n|---|---:|\n"
      << "| divergent branches, the same | " << cell(branches) << " |\n"
      << "| active lanes, within 1 | " << cell(nearer) << " |\n"
      << "| active lanes, within 4 | " << cell(near) << " |\n"
      << "| requests of atomics in shared memory, within 2 % | " << cell(atomics) << " |\n";
}

std::string about(const Counts& counts, const std::string& what) {
  const auto found = counts.about.find(what);
  return found == counts.about.end() ? "not recorded" : found->second;
}

/// Which programs, and who counted them.
std::string introduction(const Choice& choice) {
  const Counts &hardware = choice.hardware, &now = choice.now;
  std::string missing;
  for (const ProgramCounts& program : hardware.programs)
    if (std::none_of(now.programs.begin(), now.programs.end(),
                     [&](const ProgramCounts& other) { return other.program == program.program; }))
      missing += (missing.empty() ? "" : ", ") + program.program;
  return about(hardware, "rule") + " An " + about(hardware, "device") + " counted " +
         std::to_string(hardware.programs.size()) + " of them on " + about(hardware, "date") +
         " with Nsight Compute " + about(hardware, "profiler") + " (driver " + about(hardware, "driver") +
         "), compiled by nvcc " + about(hardware, "toolkit") + " with `" + about(hardware, "flags") +
         "`. The lens counted the same launches with `" + about(now, "command") + "`: at first at commit `" +
         about(choice.first, "commit") + "`, " + about(choice.first, "blocks") + ", and now at commit `" +
         about(now, "commit") + "`, " + about(now, "blocks") + "." +
         (missing.empty() ? ""
                          : " The lens did not end in time with these, or no launch ran: " + missing + ".");
}

const char* const what_it_is = R"(
The lens was not made for these kernels. They are launches of public programs, from the list of [public
programs on the emulator](public-programs.md), chosen by rules that do not look at the lens's results. Of the
SHA-256 of a program's name an even first digit is the half to learn from; the other half was compared only
after the last change that a choice led to. Of each kernel of a program its first three launches count, of a
program at most 24. The programs are not part of this project, so both sides are data in
`tests/corpus/counts`. The target `corpus_page` writes this page from them, and a test compares it.)";

const char* const legend = R"(
A launch agrees if every number that is not 0 on both sides is within 2 % of the GPU's: requests, sectors and
ideal sectors of global loads and stores, wavefronts of shared memory and their ideals, asynchronous copies,
local memory, global atomics and constant memory. A kernel agrees if all of its launches do.)";

void append(Launches& all, const Launches& more) { all.insert(all.end(), more.begin(), more.end()); }

void write_choice(std::ostream& out, const Choice& choice) {
  const Launches now = both_sides(choice.hardware, choice.now);
  const bool has_name = choice.hardware.about.contains("name");
  out << "\n## The choice of " << about(choice.hardware, has_name ? "name" : "date") << "\n\n"
      << wrapped(introduction(choice)) << "\n";
  write_shares(out, of_the_same(both_sides(choice.hardware, choice.first), now), now);
  out << "\n";
  write_numbers(out, now);
  out << "\n" << wrapped(about(choice.now, "set_aside")) << "\n";
  write_beside(out, choice.hardware, choice.now);
}

}  // namespace

std::string counts_page(const std::vector<Choice>& choices, const Causes& causes) {
  Launches first, now;
  for (const Choice& choice : choices) {
    const Launches own = both_sides(choice.hardware, choice.now);
    append(first, of_the_same(both_sides(choice.hardware, choice.first), own));
    append(now, own);
  }
  std::ostringstream out;
  out << "# The lens on public kernels\n\n" << wrapped(what_it_is) << "\n" << wrapped(legend) << "\n";
  write_shares(out, first, now);
  for (const Choice& choice : choices) write_choice(out, choice);
  out << "\n## Why they differ\n\nOf the kernels of the halves to learn from, now.\n\n";
  write_causes(out, causes);
  out << "\n## Differences\n\nOf the first launch of each kernel that differs, now; the causes are of the "
         "halves to learn from.\n\n";
  write_differences(out, now, causes);
  out << "\n## Programs\n\n| program | arguments | half | kernels | launches within 2 % "
         "|\n|---|---|---|---:|---:|\n";
  for (const Choice& choice : choices) write_programs(out, choice.now, now);
  return out.str();
}

}  // namespace warplab::corpus
