#include "grader/term/class_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/host/bad_input.hpp"

namespace warplab {

ClassFiles ClassFiles::read(const std::filesystem::path& roster, const Course& course) {
  const std::filesystem::path folder = std::filesystem::absolute(roster).parent_path();
  ClassFiles files;
  // The place in a message is as short as what was typed.
  const auto beside = [&](const char* name) { return roster.parent_path() / name; };
  if (std::filesystem::exists(folder / "term.json")) files.term = Term::read(beside("term.json"), course);
  files.roster = Roster::read(roster, files.term.sections);
  const ChangeContext context{course, files.roster, files.term};
  files.extensions = read_extensions(beside("extensions.csv"), context);
  files.written = read_written_points(beside("written.csv"), context);
  files.overrides = read_overrides(beside("overrides.csv"), context, files.written);
  files.requests = read_requests(beside("requests.csv"), context);
  files.notes = read_submission_notes(beside("submissions.csv"), context);
  for (const RegradeRequest& request : files.requests) {
    const bool has_override = std::ranges::any_of(files.overrides, [&](const Override& one) {
      return one.login == request.login && one.lab == request.lab &&
             (one.task == request.task || one.task.empty() || request.task.empty());
    });
    if (request.status == RegradeRequest::Status::accepted && !has_override)
      throw BadInput(
          fmt::format("{}: the request is accepted, and overrides.csv has no points for it", request.place));
  }
  return files;
}

std::map<std::string, std::string> ClassFiles::written_students() const {
  std::map<std::string, std::string> students;
  for (const auto& [entry, note] : notes)
    if (!note.login.empty()) students[entry] = note.login;
  return students;
}

std::optional<Instant> ClassFiles::deadline(const Student& student, const std::string& lab) const {
  for (const Extension& extension : extensions)
    if (extension.login == student.login && extension.lab == lab) return extension.until;
  return term.deadline(lab, student.section);
}

}  // namespace warplab
