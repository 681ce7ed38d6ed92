#include "tests/corpus/corpus.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/common/json_file.hpp"

namespace warplab::corpus {
namespace {

using nlohmann::json;

Outcome outcome_of(const std::string& name) {
  static const std::map<std::string, Outcome> names = {{"verified", Outcome::verified},
                                                       {"ran", Outcome::ran},
                                                       {"stopped", Outcome::stopped},
                                                       {"failed", Outcome::failed},
                                                       {"too slow", Outcome::too_slow}};
  const auto found = names.find(name);
  if (found == names.end()) throw std::runtime_error("unknown outcome '" + name + "'");
  return found->second;
}

/// {"outcome": "failed", "note": "..."}, or the outcome only.
Try try_of(const json& value) {
  if (value.is_string()) return {outcome_of(value), ""};
  return {outcome_of(value.at("outcome")), value.at("note")};
}

Program program_of(const json& entry) {
  Program program{entry.at("repository"),
                  entry.at("path"),
                  entry.at("kind"),
                  entry.value("arguments", ""),
                  entry.value("nvcc", true),
                  {},
                  {}};
  if (!program.nvcc_compiles) return program;
  program.first = try_of(entry.at("first"));
  program.now = entry.contains("now") ? try_of(entry.at("now")) : program.first;
  return program;
}

}  // namespace

bool is_good(Outcome outcome) {
  return outcome == Outcome::verified || outcome == Outcome::ran || outcome == Outcome::stopped;
}

Corpus read_corpus(const std::filesystem::path& folder) {
  Corpus corpus;
  const json programs = read_json(folder / "programs.json");
  for (const auto& [name, entry] : programs.at("repositories").items())
    corpus.repositories[name] = {entry.at("commit"), entry.at("date"), entry.value("chosen", "")};
  for (const json& entry : programs.at("programs")) {
    try {
      corpus.programs.push_back(program_of(entry));
    } catch (const std::exception& error) {
      throw std::runtime_error("programs.json: " + entry.value("path", "a program without a path") + ": " +
                               error.what());
    }
  }
  for (const json& entry : read_json(folder / "bugs.json")) {
    Bug bug{entry.at("repository"), entry.value("commit", ""), entry.at("path"), entry.at("kernel"),
            entry.at("lines"),      entry.at("said"),          entry.at("why"),  entry.value("gpu", "")};
    if (bug.commit.empty()) bug.commit = corpus.repositories.at(bug.repository).commit;
    corpus.bugs.push_back(std::move(bug));
  }
  return corpus;
}

Share share(const std::vector<Program>& programs, Try Program::*which) {
  Share share;
  for (const Program& program : programs) {
    if (!program.nvcc_compiles) continue;
    ++share.all;
    share.good += is_good((program.*which).outcome);
  }
  return share;
}

std::vector<Program> chosen(const Corpus& corpus, const std::string& when) {
  std::vector<Program> programs = corpus.programs;
  std::erase_if(programs,
                [&](const Program& p) { return corpus.repositories.at(p.repository).chosen != when; });
  return programs;
}

std::vector<Program> in_time(std::vector<Program> programs, Try Program::*which) {
  std::erase_if(programs, [&](const Program& p) { return (p.*which).outcome == Outcome::too_slow; });
  return programs;
}

}  // namespace warplab::corpus
