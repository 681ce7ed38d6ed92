#include "grader/intake/intake.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "common/host/bad_input.hpp"
#include "grader/answers/written_part.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/folder.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A file of a task by itself, as platforms hand on what students have not packed.
bool is_single_file(const std::string& name) { return in_lower_case(name).ends_with(".cu"); }

Submission submission_at(const fs::path& path) {
  const std::string name = path.filename().string();
  const bool is_folder = fs::is_directory(fs::symlink_status(path));
  const std::string student = is_folder              ? name
                              : is_single_file(name) ? path.stem().string()
                                                     : without_archive_ending(name);
  return {path, shown_line(name, 150), printable_name(student)};
}

/// Whether a folder is named as a lab's is: "07_transpose".
bool is_named_as_a_lab(const std::string& folder) {
  const auto is_digit = [&](std::size_t i) { return folder[i] >= '0' && folder[i] <= '9'; };
  return folder.size() > 3 && is_digit(0) && is_digit(1) && folder[2] == '_';
}

/// How well a file's place is that of a task's file: 3 labs/07_transpose/name, 2 07_transpose/name, 1 only
/// its name, 0 not at all.
int fit(const std::vector<std::string>& path, const TaskFile& task) {
  const std::size_t n = path.size();
  if (path[n - 1] != task.second) return 0;
  if (n < 2 || path[n - 2] != task.first)
    return n > 1 && task.second == answers_file && is_named_as_a_lab(path[n - 2]) ? 0 : 1;
  return n < 3 || path[n - 3] != "labs" ? 2 : 3;
}

/// Content as a compiler on any system reads it alike; nothing for what is not text in UTF-8.
std::optional<std::string> normalised(std::string_view content) {
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) return {};
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  std::string text;
  text.reserve(content.size());
  for (std::size_t i = 0; i < content.size(); ++i)
    if (content[i] != '\r' || i + 1 == content.size() || content[i + 1] != '\n') text += content[i];
  return text;
}

/// Of the files that fit a task's best, the one to take; or null with a note.
const SubmissionFile* chosen(const std::vector<const SubmissionFile*>& candidates, const TaskFile& task,
                             SubmissionReader& reader) {
  const auto rank = [&](const SubmissionFile* file) {
    const int how_well = fit(file->path, task);
    return std::tuple(file->archives.size(), !file->handed_in_as.empty(), -how_well,
                      how_well > 1 ? file->path.size() : 0);
  };
  const SubmissionFile* best =
      *std::min_element(candidates.begin(), candidates.end(),
                        [&](const SubmissionFile* a, const SubmissionFile* b) { return rank(a) < rank(b); });
  const SubmissionFile* other = nullptr;
  for (const SubmissionFile* file : candidates) {
    if (file->content == best->content) continue;
    if (rank(file) == rank(best) && file->path == best->path && file->archives == best->archives) {
      reader.note(place_text(*file) + " is there twice, with different content; none was taken");
      return nullptr;
    }
    if (rank(file) == rank(best)) {
      reader.note(fmt::format(
          "{} and {} differ, and neither has the better place: hand in one, in labs/{}/; none was taken",
          place_text(*best), place_text(*file), task.first));
      return nullptr;
    }
    other = file;
  }
  if (other)
    reader.note(
        fmt::format("{} was taken, and {}, which differs, was not", place_text(*best), place_text(*other)));
  return best;
}

void choose(SubmissionReader& reader, const std::vector<TaskFile>& wanted, Intake& intake) {
  for (SubmissionFile& file : reader.files) {
    std::optional<std::string> text = normalised(file.content);
    if (!text)
      reader.note(place_text(file) + " was ignored: it is UTF-16; save it as UTF-8");
    else
      file.content = *std::move(text);
    if (!text) file.path.clear();
  }
  std::erase_if(reader.files, [](const SubmissionFile& file) { return file.path.empty(); });

  for (const TaskFile& task : wanted) {
    const auto of_that_name = std::count_if(
        wanted.begin(), wanted.end(), [&](const TaskFile& other) { return other.second == task.second; });
    std::vector<const SubmissionFile*> candidates;
    for (const SubmissionFile& file : reader.files)
      if (fit(file.path, task) > (of_that_name > 1 ? 1 : 0)) candidates.push_back(&file);
    if (candidates.empty()) continue;
    const SubmissionFile* const file = chosen(candidates, task, reader);
    if (!file) continue;
    intake.files[task] = file->content;
    if (fit(file->path, task) == 1)
      reader.note(
          fmt::format("{} lies outside of {}/ and was taken by its name", place_text(*file), task.first));
  }
}

std::string nothing_taken(const std::vector<TaskFile>& wanted) {
  std::string problem = "none of the files that tasks name could be taken from it";
  if (!wanted.empty())
    problem +=
        fmt::format("; they are named as {}, in labs/{}/", wanted.front().second, wanted.front().first);
  return problem;
}

std::string digest_of(const std::map<TaskFile, std::string>& files) {
  std::string all;
  for (const auto& [task, content] : files)
    all += fmt::format("{}/{} {}\n", task.first, task.second, content.size()) + content;
  return sha256(all);
}

/// Opens an archive within a submission. Nothing is kept of one that cannot be read to its end.
/// @return why it cannot; or ""
std::string read_within(const SubmissionFile& archive, SubmissionReader& reader) {
  if (archive.archives.size() >= reader.limits().nesting) {
    reader.note(place_text(archive) + " was not opened: it lies within too many archives");
    return "";
  }
  const auto files = reader.files.size(), archives = reader.archives.size();
  reader.enter(archive);
  try {
    read_archive(archive.content, reader);
    return "";
  } catch (const BadInput& error) {
    reader.files.resize(files);
    reader.archives.resize(archives);
    const std::string why = fmt::format("{}: {}", place_text(archive), error.what());
    reader.note("nothing was taken of " + why);
    return why;
  }
}

void read_single_file(const fs::path& path, const std::string& name, SubmissionReader& reader) {
  std::string content = read_regular_file(path, reader.limits().archive_bytes);
  if (reader.classify(name, SubmissionReader::Kind::file, content.size()) != SubmissionReader::Use::skip)
    reader.keep(std::move(content));
}

/// Goes over a submission and the archives in it. @return why an archive in it cannot be read; or ""
std::string read_entries(const fs::path& path, SubmissionReader& reader) {
  struct stat known = {};
  if (lstat(path.c_str(), &known) != 0) throw BadInput("it is not there any more");
  if (S_ISLNK(known.st_mode)) throw BadInput("it is a symbolic link, which is not followed");
  const std::string name = path.filename().string();
  if (S_ISDIR(known.st_mode))
    read_folder(path, reader);
  else if (is_single_file(name))
    read_single_file(path, name, reader);
  else
    read_archive(read_regular_file(path, reader.limits().archive_bytes), reader);

  std::string problem;
  while (!reader.archives.empty()) {
    const std::vector<SubmissionFile> archives = std::exchange(reader.archives, {});
    for (const SubmissionFile& archive : archives)
      if (std::string why = read_within(archive, reader); problem.empty()) problem = std::move(why);
  }
  return problem;
}

}  // namespace

std::vector<TaskFile> submission_files(const Course& course) {
  std::vector<TaskFile> files = task_files(course);
  for (const Lab& lab : course.labs)
    if (fs::exists(lab.folder / answers_file))
      files.emplace_back(lab.folder.filename().string(), answers_file);
  return files;
}

std::vector<Submission> find_submissions(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (const std::string name = entry->path().filename().string();
        !is_junk(name) && !is_platform_receipt(name))
      paths.push_back(entry->path());
  if (error) throw BadInput(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  if (paths.empty()) throw BadInput(folder.string() + " holds no submission");
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });

  std::vector<Submission> submissions;
  std::set<std::string> names;  // in lower case: some file systems know no other
  for (const fs::path& path : paths) {
    Submission submission = submission_at(path);
    const std::string name = submission.student;
    for (std::string mark = path.filename().string(); !names.insert(in_lower_case(submission.student)).second;
         mark += '/') {
      submission.student = marked_name(name, mark);
      submission.is_namesake = true;
    }
    submissions.push_back(std::move(submission));
  }
  return submissions;
}

Submission single_submission(const fs::path& path) {
  const fs::path named = path.has_filename() ? path : path.parent_path();
  if (std::error_code error; !fs::exists(fs::symlink_status(named, error)))
    throw BadInput(path.string() + ": there is no such file or folder");
  return submission_at(named);
}

Intake read_submission(const Submission& submission, const std::vector<TaskFile>& wanted,
                       const IntakeLimits& limits) {
  Intake intake;
  intake.student = submission.student;
  intake.source = submission.source;
  std::set<std::string> names;
  for (const TaskFile& file : wanted) names.insert(file.second);
  SubmissionReader reader(std::move(names), limits);
  try {
    const std::string problem = read_entries(submission.path, reader);
    choose(reader, wanted, intake);
    if (intake.files.empty()) intake.problem = problem.empty() ? nothing_taken(wanted) : shown_line(problem);
  } catch (const NotAvailable&) {
    throw;  // no fault of the submission's
  } catch (const std::exception& error) {
    intake.problem = shown_line(error.what());
    intake.files.clear();
  }
  intake.notes = reader.notes();
  intake.digest = digest_of(intake.files);
  return intake;
}

FoundFiles read_files(const Submission& submission, const std::string& ending, const IntakeLimits& limits) {
  SubmissionReader reader({"*" + ending}, limits);
  FoundFiles found;
  const std::string name = submission.path.filename().string();
  std::error_code none;
  try {
    if (fs::is_regular_file(fs::symlink_status(submission.path, none)) &&
        in_lower_case(name).ends_with(ending))
      reader.files.push_back({{name}, read_regular_file(submission.path, limits.file_bytes)});
    else
      read_entries(submission.path, reader);
    found.files = std::move(reader.files);
  } catch (const NotAvailable&) {
    throw;  // no fault of the submission's
  } catch (const std::exception& error) {
    found.problem = shown_line(error.what());
  }
  found.notes = reader.notes();
  return found;
}

}  // namespace warplab
