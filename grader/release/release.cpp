#include "grader/release/release.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "common/host/bad_input.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/course/handout_points.hpp"
#include "grader/data/data_pack.hpp"
#include "grader/predict/questions.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "grader/release/published_tables.hpp"
#include "grader/release/solution_regions.hpp"
#include "grader/release/withheld_parts.hpp"
#include "grader/text/source_tree.hpp"
#include "grader/text/text_lines.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* release_file = "RELEASE.json";

bool is_release(const fs::path& folder) {
  if (!fs::exists(folder / release_file)) return false;
  const auto json = ordered_json::parse(bytes_of_file(folder / release_file), nullptr, false);
  return json.is_object() && json.value("release", "") == "warplab";
}

/// Whether `inner` is `outer` or lies in it. Both without links.
bool lies_in(const fs::path& inner, const fs::path& outer) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// Where the tree goes, without links and a slash at the end. @throws BadInput if it may not go there
fs::path checked_destination(const fs::path& out, const fs::path& root) {
  const auto refuse = [&](const std::string& why) { return BadInput("--out " + out.string() + " " + why); };
  if (out.empty()) throw BadInput("--out is empty; it takes a folder");
  fs::path place = fs::weakly_canonical(fs::absolute(out));
  if (!place.has_filename()) place = place.parent_path();
  if (lies_in(fs::canonical(root), place))
    throw refuse("holds the tree that is released; it takes a folder of its own");
  if (!fs::exists(place)) return place;
  if (!fs::is_directory(place)) throw refuse("is a file; it takes a folder");
  if (!fs::is_empty(place) && !is_release(place))
    throw refuse(
        "holds something that is not a release of warplab; it takes a new folder, an empty one, or that of "
        "an earlier release");
  return place;
}

/// A folder beside the destination, which becomes it, or goes.
class Staging {
 public:
  explicit Staging(const fs::path& destination)
      : destination_(destination), folder_(beginning_of(destination)), path_(folder_.path()) {
    fs::permissions(path_, fs::perms(0755));
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& path() const { return path_; }

  /// @return whether there was a release before
  bool deliver() {
    folder_.leave_when_interrupted();
    const bool replaces = fs::exists(destination_) && !fs::is_empty(destination_);
    if (!replaces) {
      fs::rename(path_, destination_);
      return false;
    }
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, destination_.c_str(), RENAME_EXCHANGE) != 0)
      exchange_in_steps();
    if (fs::exists(path_ / ".git")) fs::rename(path_ / ".git", destination_ / ".git");
    return true;
  }

 private:
  static fs::path beginning_of(const fs::path& destination) {
    fs::create_directories(destination.parent_path());
    return destination.parent_path() / ("." + destination.filename().string() + ".partial-");
  }

  /// Where a file system cannot exchange two folders at once.
  void exchange_in_steps() {
    const fs::path aside = path_.string() + ".before";
    fs::rename(destination_, aside);
    std::error_code error;
    fs::rename(path_, destination_, error);
    if (error) {
      fs::rename(aside, destination_);
      throw fs::filesystem_error("cannot rename", path_, destination_, error);
    }
    fs::rename(aside, path_);
  }

  fs::path destination_;
  TemporaryFolder folder_;
  const fs::path& path_;
};

/// Members of tasks.json and course.json that tell what is not public.
void drop_secrets(ordered_json& json) {
  if (json.is_object())
    for (const char* secret : {"hidden", "mutants"}) json.erase(secret);
  if (json.is_structured())
    for (ordered_json& part : json) drop_secrets(part);
}

std::string without_secrets(std::string text, const std::string& file) {
  ordered_json json = ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) throw BadInput(file + " is not JSON");
  const ordered_json before = json;
  drop_secrets(json);
  return json == before ? text : json.dump(2) + "\n";
}

/// A document with GitHub's badge below its first line, the heading.
std::string with_badge(const std::string& text, const std::string& repository) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return fmt::format(
      "{}\n\n[![Open in GitHub Codespaces](https://github.com/codespaces/badge.svg)]"
      "(https://codespaces.new/{})\n{}",
      text.substr(0, end), repository, text.substr(std::min(end + 1, text.size())));
}

/// The students' tree, file by file.
class Release {
 public:
  Release(const Course& course, const RungTables& rungs, const fs::path& destination,
          const std::string& repository)
      : course_(course),
        rungs_(rungs),
        repository_(repository),
        root_(fs::canonical(course.root)),
        files_(files_of_tree_with(root_, course.files())),
        released_(course, rungs, files_) {
    std::erase_if(files_, [&](const fs::path& file) { return lies_in(root_ / file, destination); });
    for (const Lab& lab : course.labs) report_.labs.push_back(lab.folder.filename().string());
    std::ranges::sort(report_.labs);
  }

  ReleaseReport write(const fs::path& to, ReleaseFor whom) {
    for (const fs::path& file : files_) {
      if (!fs::is_regular_file(fs::symlink_status(root_ / file)))
        throw BadInput((root_ / file).string() + " is not a regular file, and cannot be released");
      if (!released_.has(file) || !write(file, to)) report_.absent.push_back(file.generic_string());
    }
    for (const Lab& lab : course_.labs) write_data_pack(lab, to);
    if (whom == ReleaseFor::github) write_workflow(to);
    const ordered_json json{
        {"release", "warplab"}, {"schema", 1}, {"commit", commit_of_tree(root_)}, {"labs", report_.labs}};
    write(to / release_file, json.dump(2) + "\n", fs::perms(0644));
    return report_;
  }

 private:
  /// @return false for a file of which nothing is left
  bool write(const fs::path& file, const fs::path& to) {
    const std::string before = bytes_of_file(root_ / file);
    std::string after = for_students(file, before);
    if (is_blank(after) && !is_blank(before)) return false;
    const bool runs = (fs::status(root_ / file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    const std::string ladder = take_ladder(file, after);
    write(to / file, after, fs::perms(runs ? 0755 : 0644));
    if (!ladder.empty())
      write(to / file.parent_path() / sealed_ladder_file, hidden_text(ladder), fs::perms(0644));
    return true;
  }

  void write_workflow(const fs::path& to) {
    const fs::path from = root_ / "grader/classroom";
    write(to / ".github/workflows/feedback.yml", bytes_of_file(from / "feedback.yml"), fs::perms(0644));
    write(to / ".github/feedback.sh", bytes_of_file(from / "feedback.sh"), fs::perms(0755));
  }

  /// What GPUs measured of a lab's rungs, but for those that students do not get.
  void write_data_pack(const Lab& lab, const fs::path& to) {
    std::vector<std::string> withheld;
    if (const auto table = rungs_.find(lab.stem); table != rungs_.end())
      for (const Rung& rung : table->second)
        if (rung.access == Rung::Access::withheld) withheld.push_back(rung.name);
    const std::string pack = data_pack(root_ / "results", lab.stem, withheld);
    if (!pack.empty()) write(to / "labs" / lab.folder.filename() / data_pack_file, pack, fs::perms(0644));
  }

  /// Takes the figures of the ladder out of the handout of a lab that is predicted first.
  std::string take_ladder(const fs::path& file, std::string& text) const {
    if (file.filename() != "README.md") return "";
    for (const Lab& lab : course_.labs)
      if (file.parent_path().filename() == lab.folder.filename() && has_questions(lab)) {
        SealedLadder sealed = seal_ladder(text, lab.stem);
        text = std::move(sealed.handout);
        return std::move(sealed.ladder);
      }
    return "";
  }

  void write(const fs::path& file, const std::string& bytes, fs::perms mode) {
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << bytes;
    out.close();
    if (!out) throw fs::filesystem_error("cannot write", file, std::make_error_code(std::errc::io_error));
    fs::permissions(file, mode);
    ++report_.files;
  }

  std::string for_students(const fs::path& file, const std::string& before) {
    if (before.find('\0') != std::string::npos) return before;  // no text
    const std::string name = file.generic_string();
    std::string text = without_withheld_parts(before, name);
    if (*file.begin() == "labs") {
      report_.solutions += solution_regions(text, name).size();
      if (text.find("SOLUTION") != std::string::npos) text = without_solutions(text, name);
    }
    if (file.extension() == ".md") text = without_dead_links(file, without_rows(file, text));
    if (file == "README.md" && !repository_.empty()) text = with_badge(text, repository_);
    if (file.filename() == "README.md") text = with_points_of_course(file, text);
    if (const auto& rungs = released_.withheld_rungs(file); !rungs.empty())
      text = without_rungs(text, rungs, name);
    if (file == "course.json") text = of_these_labs(text, course_);
    if (file.filename() == "tasks.json" || file == "course.json")
      text = without_secrets(std::move(text), name);
    return text;
  }

  /// A lab's handout, with the points that course.json gives, and a note on tasks that it drops.
  std::string with_points_of_course(const fs::path& file, const std::string& text) const {
    for (const Lab& lab : course_.labs) {
      if (file.parent_path().filename() != lab.folder.filename()) continue;
      std::vector<std::optional<double>> points;
      for (const Task& task : tasks_of_handout(lab))
        points.push_back(std::ranges::find(lab.tasks, task.id, &Task::id) == lab.tasks.end()
                             ? std::nullopt
                             : std::optional(task.points));
      return with_points(text, points);
    }
    return text;
  }

  std::string without_rows(const fs::path& file, const std::string& text) const {
    std::string left;
    bool dropped = false;
    for (const std::string_view line : lines_of(text)) {
      if (released_.drops_line(file, line))
        dropped = true;
      else
        left.append(line) += '\n';
    }
    return dropped ? left : text;
  }

  /// Where a link leads to a file or a folder that students do not get, only its words. They may lie on two
  /// lines, but have no empty line between them.
  std::string without_dead_links(const fs::path& document, const std::string& text) const {
    static const std::regex link(R"(\[((?:[^\[\]\n]|\n(?!\n))*)\]\(([^)#:\n]+)[^)\n]*\))");
    std::string left;
    auto rest = text.cbegin();
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found) {
      if (!is_lost((document.parent_path() / (*found)[2].str()).lexically_normal().generic_string()))
        continue;
      left.append(rest, (*found)[0].first).append((*found)[1]);
      rest = (*found)[0].second;
    }
    return left.append(rest, text.cend());
  }

  /// Whether our tree has a file or folder of that name, and the students' has not.
  bool is_lost(std::string name) const {
    if (name.ends_with('/')) name.pop_back();
    bool ours = false;
    for (const fs::path& file : files_) {
      if (file != name && !file.generic_string().starts_with(name + "/")) continue;
      if (released_.has(file)) return false;
      ours = true;
    }
    return ours;
  }

  const Course& course_;
  const RungTables& rungs_;
  const std::string& repository_;
  fs::path root_;
  std::vector<fs::path> files_;
  ReleasedFiles released_;
  ReleaseReport report_;
};

}  // namespace

void check_repository_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  const auto is_part = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    });
  };
  if (slash == std::string::npos || !is_part(std::string_view(name).substr(0, slash)) ||
      !is_part(std::string_view(name).substr(slash + 1)))
    throw BadInput(fmt::format("--github takes OWNER/REPOSITORY, such as our-course/labs, not '{}'", name));
}

ReleaseReport release(const Course& course, const RungTables& rungs, const fs::path& out, ReleaseFor whom,
                      const std::string& repository) try {
  if (!repository.empty()) check_repository_name(repository);
  const fs::path destination = checked_destination(out, course.root);
  Staging staging(destination);
  Release students(course, rungs, destination, repository);
  ReleaseReport report = students.write(staging.path(), whom);
  report.leaks = leaks(course.root, staging.path(), rungs);
  if (!report.leaks.empty()) return report;
  report.replaced = staging.deliver();
  report.delivered = true;
  return report;
} catch (const fs::filesystem_error& error) {
  throw BadInput(fmt::format("--out {} cannot be written: {}: {}", out.string(), error.path1().string(),
                             error.code().message()));
}

}  // namespace warplab
