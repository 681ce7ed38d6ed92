#include "grader/intake/intake.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "common/bad_input.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/folder.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr std::array endings = {".zip", ".tar",     ".tar.gz", ".tgz",    ".tar.xz",
                                ".txz", ".tar.zst", ".tzst",   ".tar.bz2"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lower(std::string text) {
  for (char& c : text) c = lower(c);
  return text;
}

std::string without_ending(const std::string& name) {
  const std::string small = lower(name);
  for (const char* ending : endings)
    if (small.ends_with(ending) && small.size() > std::string_view(ending).size())
      return name.substr(0, name.size() - std::string_view(ending).size());
  return name;
}

Submission submission_at(const fs::path& path) {
  const std::string name = path.filename().string();
  const bool is_folder = fs::is_directory(fs::symlink_status(path));
  return {path, shown_line(name, 150), printable_name(is_folder ? name : without_ending(name))};
}

/// How well a file's place is that of a task's file: 3 labs/07_transpose/name, 2 07_transpose/name, 1 only
/// its name, 0 not at all.
int fit(const std::vector<std::string>& path, const TaskFile& task) {
  const std::size_t n = path.size();
  if (path[n - 1] != task.second) return 0;
  if (n < 2 || path[n - 2] != task.first) return 1;
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
const HeldFile* chosen(const std::vector<const HeldFile*>& candidates, const TaskFile& task,
                       Gathering& gathering) {
  const auto rank = [&](const HeldFile* file) {
    const int how_well = fit(file->path, task);
    return std::pair(-how_well, how_well > 1 ? file->path.size() : 0);
  };
  const HeldFile* best =
      *std::min_element(candidates.begin(), candidates.end(),
                        [&](const HeldFile* a, const HeldFile* b) { return rank(a) < rank(b); });
  const HeldFile* other = nullptr;
  for (const HeldFile* file : candidates) {
    if (file->content == best->content) continue;
    if (rank(file) == rank(best)) {
      gathering.note(
          fmt::format("{} and {} differ and neither lies where it belongs, in labs/{}/; none was taken",
                      path_text(best->path), path_text(file->path), task.first));
      return nullptr;
    }
    other = file;
  }
  if (other)
    gathering.note(fmt::format("{} was taken, and {}, which differs, was not", path_text(best->path),
                               path_text(other->path)));
  return best;
}

void choose(Gathering& gathering, const std::vector<TaskFile>& wanted, Intake& intake) {
  for (HeldFile& file : gathering.files) {
    std::optional<std::string> text = normalised(file.content);
    if (!text)
      gathering.note(path_text(file.path) + " was ignored: it is UTF-16; save it as UTF-8");
    else
      file.content = *std::move(text);
    if (!text) file.path.clear();
  }
  std::erase_if(gathering.files, [](const HeldFile& file) { return file.path.empty(); });

  for (const TaskFile& task : wanted) {
    const auto of_that_name = std::count_if(
        wanted.begin(), wanted.end(), [&](const TaskFile& other) { return other.second == task.second; });
    std::vector<const HeldFile*> candidates;
    for (const HeldFile& file : gathering.files)
      if (fit(file.path, task) > (of_that_name > 1 ? 1 : 0)) candidates.push_back(&file);
    if (candidates.empty()) continue;
    const HeldFile* const file = chosen(candidates, task, gathering);
    if (!file) continue;
    intake.files[task] = file->content;
    if (fit(file->path, task) == 1)
      gathering.note(
          fmt::format("{} lies outside of {}/ and was taken by its name", path_text(file->path), task.first));
  }
}

std::string digest_of(const std::map<TaskFile, std::string>& files) {
  std::string all;
  for (const auto& [task, content] : files)
    all += fmt::format("{}/{} {}\n", task.first, task.second, content.size()) + content;
  return sha256(all);
}

void gather_submission(const fs::path& path, Gathering& gathering) {
  struct stat known = {};
  if (lstat(path.c_str(), &known) != 0) throw BadInput("it is not there any more");
  if (S_ISLNK(known.st_mode)) throw BadInput("it is a symbolic link, which is not followed");
  if (S_ISDIR(known.st_mode))
    gather_folder(path, gathering);
  else
    gather_archive(read_regular_file(path, gathering.limits().archive_bytes), gathering);

  for (std::size_t level = 1; gathering.files.empty() && !gathering.archives.empty(); ++level) {
    const std::vector<HeldFile> archives = std::move(gathering.archives);
    gathering.archives.clear();
    for (const HeldFile& archive : archives) {
      if (level > gathering.limits().nesting) {
        gathering.note(path_text(archive.path) + " was not opened: it lies within too many archives");
        continue;
      }
      try {
        gather_archive(archive.content, gathering);
      } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: {}", path_text(archive.path), error.what()));
      }
    }
  }
}

}  // namespace

std::vector<TaskFile> task_files(const Course& course) {
  std::set<TaskFile> files;
  for (const Lab& lab : course.labs)
    for (const Task& task : lab.tasks)
      for (const std::string& file : task.files()) files.emplace(lab.folder.filename().string(), file);
  return {files.begin(), files.end()};
}

std::vector<Submission> find_submissions(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!is_junk(entry->path().filename().string())) paths.push_back(entry->path());
  if (error) throw BadInput(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  if (paths.empty()) throw BadInput(folder.string() + " holds no submission");
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });

  std::vector<Submission> submissions;
  std::set<std::string> names;  // in lower case: some file systems know no other
  for (const fs::path& path : paths) {
    Submission submission = submission_at(path);
    const std::string name = submission.student;
    for (std::string mark = path.filename().string(); !names.insert(lower(submission.student)).second;
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
    throw BadInput("there is no " + path.string());
  return submission_at(named);
}

Intake take_in(const Submission& submission, const std::vector<TaskFile>& wanted,
               const IntakeLimits& limits) {
  Intake intake;
  intake.student = submission.student;
  intake.source = submission.source;
  std::set<std::string> names;
  for (const TaskFile& file : wanted) names.insert(file.second);
  Gathering gathering(std::move(names), limits);
  try {
    gather_submission(submission.path, gathering);
    choose(gathering, wanted, intake);
    if (intake.files.empty()) intake.problem = "none of the files that tasks name could be taken from it";
  } catch (const NotAvailable&) {
    throw;  // no fault of the submission's
  } catch (const std::exception& error) {
    intake.problem = shown_line(error.what());
    intake.files.clear();
  }
  intake.notes = gathering.notes();
  intake.digest = digest_of(intake.files);
  return intake;
}

}  // namespace warplab
