#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "tests/common/wrapped.hpp"
#include "tests/corpus/corpus.hpp"

namespace warplab::corpus {
namespace {

const char* const about_programs = R"(
CUDA programs of public repositories that the emulator had never seen, each compiled by `warplab-cc` and run
on a CPU. They were chosen before any was tried: they use no library which needs a GPU. The first choice was
of single files of many kinds. The second is a rule. Of seven other repositories: every single file with a
kernel and a `main` whose repository and path have a SHA-1 with an even first digit. And of an eighth, whose
projects have several files, sample data and the output that is expected: every project whose SHA-1 begins
with 0, 4, 8 or c. A program counts if nvcc 13.0 compiles it. Arguments make it small enough for a CPU. The
programs themselves are not part of this project. Made by the target `corpus_page` from
`tests/corpus/programs.json`, which has the list, the arguments and the outcomes; a test compares it. What was
not good at first was tried again after changes to the emulator; the rest was not, nor what was too slow in
the later choice.)";

const char* const about_bugs = R"(
The others were confirmed by reading the code, as the last column explains. Some are harmless with the sizes
that the program uses, and some are left in on purpose, as exercises. Made by the target `corpus_page` from
`tests/corpus/bugs.json`.)";

std::string name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::verified:
      return "verified";
    case Outcome::ran:
      return "ran";
    case Outcome::stopped:
      return "a mistake of its own";
    case Outcome::failed:
      return "failed";
    case Outcome::too_slow:
      return "too slow";
  }
  return "";
}

std::string cell(const Share& share) {
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.1f", 100 * share.value());
  return std::to_string(share.good) + " of " + std::to_string(share.all) + " (" + percent + " %)";
}

long count(const std::vector<Program>& programs, Try Program::*which, Outcome outcome) {
  return std::count_if(programs.begin(), programs.end(), [&](const Program& program) {
    return program.nvcc_compiles && (program.*which).outcome == outcome;
  });
}

std::string linked(const std::string& repository, const std::string& commit, const std::string& path) {
  std::string address = "https://github.com/" + repository + "/blob/" + commit + "/";
  for (const char c : path) address += c == ' ' ? "%20" : std::string(1, c);
  return "[" + path + "](" + address + ")";
}

void write_repositories(std::ostream& out, const Corpus& corpus) {
  out << "| repository | commit | programs | good at first try | good now |\n|---|---|---:|---:|---:|\n";
  for (const auto& [name, repository] : corpus.repositories) {
    std::vector<Program> programs = corpus.programs;
    std::erase_if(programs, [&](const Program& p) { return p.repository != name; });
    out << "| " << name << " | `" << repository.commit.substr(0, 12) << "` of " << repository.date << " | "
        << share(programs, &Program::first).all << " | " << share(programs, &Program::first).good << " | "
        << share(programs, &Program::now).good << " |\n";
  }
}

std::string figures(const std::vector<Program>& programs) {
  return cell(share(programs, &Program::first)) + " were good at first try, " +
         cell(share(programs, &Program::now)) + " are now. Without those that are too slow: " +
         cell(share(in_time(programs, &Program::first), &Program::first)) + " and " +
         cell(share(in_time(programs, &Program::now), &Program::now)) + ".";
}

void write_outcomes(std::ostream& out, const Corpus& corpus) {
  out << "| outcome | first try | now | what it means |\n|---|---:|---:|---|\n";
  for (const auto& [outcome, meaning] : std::initializer_list<std::pair<Outcome, const char*>>{
           {Outcome::verified, "its own check agreed"},
           {Outcome::ran, "it ended as its authors mean, and has no check of its own"},
           {Outcome::stopped,
            "its result is undefined, or the emulator stopped it: [its mistake](published-bugs.md)"},
           {Outcome::failed, "refused when compiled, a wrong result, or another end"},
           {Outcome::too_slow,
            "it did not end within 90 seconds on two cores that other work shared, or, tried again, within "
            "three minutes of processor time"}})
    out << "| " << name_of(outcome) << " | " << count(corpus.programs, &Program::first, outcome) << " | "
        << count(corpus.programs, &Program::now, outcome) << " | " << meaning << " |\n";
}

void write_notes(std::ostream& out, const Corpus& corpus) {
  out << "| program | first try | now |\n|---|---|---|\n";
  const auto text = [](const Try& one) {
    return name_of(one.outcome) + (one.note.empty() ? "" : ": " + one.note);
  };
  for (const Program& program : corpus.programs)
    if (program.nvcc_compiles && (!is_good(program.first.outcome) || !is_good(program.now.outcome)))
      out << "| "
          << linked(program.repository, corpus.repositories.at(program.repository).commit, program.path)
          << " | " << text(program.first) << " | " << text(program.now) << " |\n";
}

}  // namespace

std::string programs_page(const Corpus& corpus) {
  std::ostringstream out;
  out << "# Public programs on the emulator\n\n"
      << wrapped(about_programs) << "\n"
      << "Good means: verified, ran, or a mistake of its own was shown.\n\n";
  std::set<std::string> choices;
  for (const auto& [name, repository] : corpus.repositories) choices.insert(repository.chosen);
  for (const std::string& when : choices)
    out << wrapped("**" + (when.empty() ? "The first choice" : "The choice of " + when) + ":** " +
                   figures(chosen(corpus, when)))
        << "\n";
  write_outcomes(out, corpus);
  out << "\n## Repositories\n\n";
  write_repositories(out, corpus);
  out << "\n## What was not good\n\n";
  write_notes(out, corpus);
  out << "\n## All programs\n\n| program | kind | arguments | first try | now |\n|---|---|---|---|---|\n";
  for (const Program& p : corpus.programs) {
    out << "| " << linked(p.repository, corpus.repositories.at(p.repository).commit, p.path) << " | "
        << p.kind << " | " << p.arguments << " | ";
    if (p.nvcc_compiles)
      out << name_of(p.first.outcome) << " | " << name_of(p.now.outcome) << " |\n";
    else
      out << "refused by nvcc | |\n";
  }
  return out.str();
}

std::string bugs_page(const Corpus& corpus) {
  const auto on_a_gpu =
      std::count_if(corpus.bugs.begin(), corpus.bugs.end(), [](const Bug& bug) { return !bug.gpu.empty(); });
  std::ostringstream out, intro;
  intro << "Mistakes in published CUDA code that the emulator's checks and the lens found: "
        << corpus.bugs.size() << ", of which " << on_a_gpu << " were confirmed on a GPU as well. "
        << about_bugs;
  out << "# Bugs found in published code\n\n"
      << wrapped(intro.str()) << "\n"
      << "[Public programs on the emulator](public-programs.md) has the programs that were tried.\n\n"
      << "| program | kernel, line | what was reported | confirmed by | why it is wrong "
         "|\n|---|---|---|---|---|\n";
  for (const Bug& bug : corpus.bugs)
    out << "| " << bug.repository << ": " << linked(bug.repository, bug.commit, bug.path) << " | `"
        << bug.kernel << "`, " << bug.lines << " | " << bug.said << " | "
        << (bug.gpu.empty() ? "the code's text" : bug.gpu) << " | " << bug.why << " |\n";
  return out.str();
}

}  // namespace warplab::corpus
