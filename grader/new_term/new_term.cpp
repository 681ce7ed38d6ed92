#include "grader/new_term/new_term.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/course/secret.hpp"
#include "grader/intake/archive.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/new_term/mistakes.hpp"
#include "grader/new_term/test_log.hpp"
#include "grader/term/class_files.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

/// What may lie beside a roster.
constexpr const char* class_tables[] = {"term.json",    "extensions.csv", "overrides.csv",
                                        "requests.csv", "written.csv",    "submissions.csv"};

/// term.json of the next term. @pre it was read by Term::read
std::string next_rules(const fs::path& file, const NewTermOptions& options, NewTermReport& report) {
  if (!fs::exists(file)) return "{}\n";
  OrderedJson json = OrderedJson::parse(bytes_of_file(file));
  if (!options.name.empty()) json["term"] = options.name;
  const auto move = [&](OrderedJson& deadline) {
    deadline = weeks_later(deadline.get<std::string>(), options.weeks);
    ++report.deadlines;
  };
  if (json.contains("labs"))
    for (auto& [stem, lab] : json["labs"].items()) {
      if (!lab.contains("deadline")) continue;
      if (lab["deadline"].is_string())
        move(lab["deadline"]);
      else
        for (auto& [section, deadline] : lab["deadline"].items()) move(deadline);
    }
  return json.dump(2) + "\n";
}

/// course.json of the next term. @pre it was read by Course::read
std::string next_course(const std::string& text, const NewTermOptions& options, NewTermReport& report) {
  OrderedJson json = OrderedJson::parse(text);
  if (json.contains("labs"))
    for (auto& [stem, lab] : json["labs"].items())
      for (auto& [id, task] : lab.items()) {
        if (!task.is_object() || !task.contains("deadline")) continue;  // "points" is a number
        task["deadline"] = weeks_later(task["deadline"].get<std::string>(), options.weeks);
        ++report.deadlines;
      }
  return json.dump(2) + "\n";
}

/// Adds the files of a folder to an archive, under a name.
void add_folder(const fs::path& folder, const std::string& name, std::map<std::string, std::string>& files) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && !entry.is_symlink())
      files[name + "/" + entry.path().lexically_relative(folder).string()] = bytes_of_file(entry.path());
}

}  // namespace

std::string weeks_later(const std::string& text, int weeks) {
  using namespace std::chrono;
  const year_month_day day(year(std::stoi(text.substr(0, 4))),
                           month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
                           std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2)))));
  const year_month_day later(sys_days(day) + days(7 * weeks));
  return fmt::format("{:04}-{:02}-{:02}{}", static_cast<int>(later.year()),
                     static_cast<unsigned>(later.month()), static_cast<unsigned>(later.day()),
                     text.substr(10));
}

NewTermReport make_new_term(const Course& course, const NewTermOptions& options) {
  if (fs::exists(fs::symlink_status(options.out)))
    throw BadInput(options.out.string() + " is there already; the next term takes a new folder");
  const ClassFiles files = ClassFiles::read(options.roster, course);
  const fs::path old = fs::absolute(options.roster).parent_path();
  NewTermReport report;
  std::map<std::string, std::string> kept;
  std::vector<SubmissionRecord> records;
  for (const char* name : class_tables)
    if (fs::exists(old / name)) kept[std::string("class/") + name] = bytes_of_file(old / name);
  if (const fs::path file = course.root / "course.json"; fs::exists(file))
    kept["course.json"] = bytes_of_file(file);
  kept["class/roster.csv"] = bytes_of_file(options.roster);
  for (std::size_t i = 0; i < options.batches.size(); ++i) {
    const fs::path& batch = options.batches[i];
    const RecordStore::Contents contents = RecordStore::read_batch(batch);
    records.insert(records.end(), contents.records.begin(), contents.records.end());
    const std::string name = fmt::format("batch_{:02}", i + 1);
    for (const char* part : {"records", "marks", "judge"}) add_folder(batch / part, name + "/" + part, kept);
  }
  fs::path out = fs::absolute(options.out).lexically_normal();
  if (!out.has_filename()) out = out.parent_path();
  if (!fs::is_directory(out.parent_path()))
    throw BadInput(out.parent_path().string() + " is not a folder, so the next term cannot be made in it");
  const TemporaryFolder made(out.parent_path() / ("." + out.filename().string() + "-"));
  const auto write = [&](const char* name, const std::string& content, mode_t mode) {
    write_file_atomically(made.path() / name, content);
    chmod((made.path() / name).c_str(), mode);
  };
  write("term.json", next_rules(old / "term.json", options, report), 0644);
  if (const auto old_course = kept.find("course.json"); old_course != kept.end()) {
    write("course.json", next_course(old_course->second, options, report), 0644);
    report.has_course = true;
  }
  write("roster.csv", "id,login,name,section,group,extra_days,email,github\n", 0644);
  write("seed", Secret::fresh().digits() + "\n", 0600);
  write("last_term.tar.gz", archive_of(kept), 0600);
  const Page page = mistakes_page(files.term.name, records, minutes_of_class(course, options.submissions));
  write("mistakes.md", to_markdown(page), 0644);
  write("mistakes.html", to_html(page), 0644);
  chmod(made.path().c_str(), 0755);
  fs::rename(made.path(), out);
  report.archived = kept.size();
  return report;
}

}  // namespace warplab
