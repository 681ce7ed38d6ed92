#include "grader/sealed/sealed_hand_ins.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "common/host/bad_input.hpp"
#include "grader/intake/intake.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

const char* name_of(SealedKind kind) { return kind == SealedKind::hunt ? "hunts" : "predictions"; }

SealedHandIn hand_in_of(const Submission& submission, const SubmissionFile& file, SealedKind kind) {
  const bool is_entry = file.path == std::vector{submission.path.filename().string()};
  SealedHandIn one{submission.source, submission.source, {}, ""};
  if (!is_entry) one.place += "/" + place_text(file);
  try {
    one.answers = sealed_in(file.content, one.place, kind);
  } catch (const BadInput& error) {
    one.problem = shown_line(error.what());
  }
  return one;
}

/// Whether a file belongs to an editor or another tool: "labs/.vscode/settings.json".
bool is_of_a_tool(const SubmissionFile& file) {
  return std::ranges::any_of(file.path, [](const std::string& name) { return name.starts_with('.'); });
}

/// The sealed answers of one entry; where it has none, why.
std::vector<SealedHandIn> hand_ins_of(const Submission& submission, SealedKind kind,
                                      std::vector<std::string>& remarks) {
  const FoundFiles found = read_files(submission, ".json");
  std::vector<SealedHandIn> all;
  for (const SubmissionFile& file : found.files) {
    if (is_of_a_tool(file) || !may_hold_sealed(file.content, kind)) continue;
    SealedHandIn one = hand_in_of(submission, file, kind);
    const bool is_known = one.answers && std::ranges::any_of(all, [&](const SealedHandIn& other) {
                            return other.answers && other.answers->seal() == one.answers->seal();
                          });
    if (!one.problem.empty()) remarks.push_back(one.problem);
    if (!is_known) all.push_back(std::move(one));
  }
  if (all.empty()) {
    std::string why = found.problem.empty() ? fmt::format("it has no {}", name_of(kind)) : found.problem;
    for (const std::string& note : found.notes) why += "; " + note;
    return {{submission.source, submission.source, {}, std::move(why)}};
  }
  for (const std::string& note : found.notes) remarks.push_back(submission.source + ": " + note);
  return all;
}

}  // namespace

SealedHandIns sealed_hand_ins(const std::filesystem::path& folder, SealedKind kind) {
  SealedHandIns found;
  bool has_any = false;
  for (const Submission& submission : find_submissions(folder)) {
    std::vector<SealedHandIn> of_entry = hand_ins_of(submission, kind, found.remarks);
    has_any |= std::ranges::any_of(of_entry, [](const SealedHandIn& one) { return one.answers.has_value(); });
    std::ranges::move(of_entry, std::back_inserter(found.all));
  }
  if (!has_any) throw BadInput(fmt::format("{} holds no {}", folder.string(), name_of(kind)));
  return found;
}

}  // namespace warplab
