#include "grader/course/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/host/close_match.hpp"
#include "grader/course/limits.hpp"
#include "grader/text/sha256.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A JSON object that knows where it is, so that whatever is wrong with it can be said.
class Entry {
 public:
  Entry(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json_.is_object()) fail("is not an object");
  }

  template <class T>
  T get(const char* key) const {
    if (!json_.contains(key)) fail(fmt::format("has no \"{}\"", key));
    return as<T>(key);
  }
  template <class T>
  T get(const char* key, T fallback) const {
    return json_.contains(key) ? as<T>(key) : fallback;
  }
  bool contains(const char* key) const { return json_.contains(key); }
  const Json& at(const char* key) const { return json_.at(key); }
  const Json& json() const { return json_; }

  void allow(std::initializer_list<const char*> keys) const {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::none_of(keys, [&, &k = key](const char* known) { return k == known; }))
        fail(fmt::format("has a \"{}\", which means nothing here", key));
  }
  [[noreturn]] void fail(const std::string& what) const { throw BadInput(place_ + " " + what); }
  const std::string& place() const { return place_; }

 private:
  template <class T>
  T as(const char* key) const {
    try {
      return json_.at(key).get<T>();
    } catch (const Json::exception&) {
      fail(fmt::format("has a \"{}\" of the wrong type: {}", key, json_.at(key).dump()));
    }
  }

  const Json& json_;
  std::string place_;
};

Json read_json(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw BadInput("cannot read " + path.string());
  try {
    return Json::parse(in);
  } catch (const Json::parse_error& error) {
    const std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error at ..."
    const std::size_t words = what.find("] ");
    throw BadInput(fmt::format("{} is not JSON: {}", path.string(),
                               words == std::string_view::npos ? what : what.substr(words + 2)));
  } catch (const Json::out_of_range&) {
    throw BadInput(path.string() + " has a number that is too large");
  }
}

template <class T>
std::vector<std::pair<std::string, T>> named_numbers(const Entry& entry, const char* key) {
  std::vector<std::pair<std::string, T>> numbers;
  if (!entry.contains(key)) return numbers;
  for (const auto& [name, value] : entry.at(key).items()) {
    if (!value.is_number()) entry.fail(fmt::format("has in \"{}\" no number for \"{}\"", key, name));
    numbers.emplace_back(name, value.template get<T>());
  }
  return numbers;
}

double busiest_of(const Entry& entry) {
  const double most = entry.get<double>("busiest");
  if (!(most > 0)) entry.fail("has a \"busiest\" that is not above 0");
  return most;
}

std::vector<Limit> limits_of(const Entry& task) {
  std::vector<Limit> limits;
  if (!task.contains("limits")) return limits;
  if (!task.at("limits").is_array()) task.fail("has \"limits\" that are not a list");
  for (const Json& json : task.at("limits")) {
    const Entry entry(json, fmt::format("{}, limit {}", task.place(), limits.size() + 1));
    entry.allow({"measure", "figure", "most", "why", "weight", "size", "step", "params", "dtype", "busiest"});
    Limit limit;
    limit.figure = entry.get<std::string>("figure", "");
    if (limit.figure.empty()) limit.measure = entry.get<std::string>("measure");
    if (entry.contains("figure") && entry.contains("measure"))
      entry.fail("has a \"measure\" and a \"figure\"; it takes one of them");
    if (limit.figure.empty() && !find_measure(limit.measure)) {
      std::vector<std::string> names;
      for (const LimitMeasure& known : limit_measures()) names.emplace_back(known.name);
      entry.fail(fmt::format("names the measure \"{}\", which does not exist{}; known measures: {}",
                             limit.measure, did_you_mean(limit.measure, names), fmt::join(names, ", ")));
    }
    limit.most = entry.get<double>("most");
    if (!(limit.most >= 0)) entry.fail("has a \"most\" below 0");
    limit.why = entry.get<std::string>("why");
    limit.weight = entry.get<double>("weight", limit.weight);
    if (!(limit.weight > 0 && limit.weight <= 100))
      entry.fail("has a \"weight\" that is not above 0, up to 100");
    limit.size = named_numbers<std::int64_t>(entry, "size");
    limit.step = entry.get<std::int64_t>("step", limit.step);
    if (!(limit.step > 0 && limit.step <= 1024)) entry.fail("has a \"step\" that is not from 1 to 1024");
    limit.params = named_numbers<double>(entry, "params");
    if (entry.contains("busiest")) limit.busiest = busiest_of(entry);
    if (entry.contains("dtype")) {
      limit.dtype = parse_dtype(entry.get<std::string>("dtype"));
      if (!limit.dtype) entry.fail("names an unknown element type: " + entry.at("dtype").dump());
    }
    limits.push_back(std::move(limit));
  }
  return limits;
}

double limits_share_of(const Entry& task) {
  const double share = task.get<double>("limits_share");
  if (!(share > 0 && share < 1)) task.fail("has a \"limits_share\" that is not between 0 and 1");
  return share;
}

ClockLimit clock_of(const Entry& task) {
  ClockLimit clock;
  if (!task.contains("clock")) return clock;
  const Entry entry(task.at("clock"), task.place() + ", clock");
  entry.allow({"most", "size"});
  clock.most = entry.get<double>("most", clock.most);
  if (!(clock.most > 0)) entry.fail("has a \"most\" that is not above 0");
  clock.size = named_numbers<std::int64_t>(entry, "size");
  return clock;
}

double points_of(const Entry& entry) {
  const double points = entry.get<double>("points");
  if (!(points >= 0 && points <= 1000)) entry.fail("has points that are not 0 to 1000");
  return points;
}

/// "2027-03-01", with or without "18:00" after it. @throws BadInput for what is no such day
std::string deadline_of(const Entry& entry) {
  const std::string text = entry.get<std::string>("deadline");
  static const std::regex form(R"((\d{4})-(\d\d)-(\d\d)(?: ([01]\d|2[0-3]):[0-5]\d)?)");
  std::smatch part;
  if (!std::regex_match(text, part, form) ||
      !std::chrono::year_month_day(std::chrono::year(std::stoi(part[1])),
                                   std::chrono::month(static_cast<unsigned>(std::stoi(part[2]))),
                                   std::chrono::day(static_cast<unsigned>(std::stoi(part[3]))))
           .ok())
    entry.fail(fmt::format("has the deadline \"{}\"; it takes 2027-03-01, or 2027-03-01 18:00", text));
  return text;
}

std::vector<std::pair<std::string, std::int64_t>> fits_of(const Entry& entry) {
  auto fits = named_numbers<std::int64_t>(entry, "fits");
  for (const auto& [name, multiple] : fits)
    if (multiple < 0) entry.fail(fmt::format("has in \"fits\" a multiple below 0 for \"{}\"", name));
  return fits;
}

Task task_of(const Entry& entry, const std::string& lab) {
  entry.allow({"id", "title", "points", "file", "headers", "rung", "launcher", "hint", "tests", "only",
               "fits", "limits", "busiest", "limits_share", "clock"});
  Task task;
  task.lab = lab;
  task.id = entry.get<std::string>("id");
  task.title = entry.get<std::string>("title");
  task.file = entry.get<std::string>("file");
  task.rung = entry.get<std::string>("rung");
  task.launcher = entry.get<std::string>("launcher", lab + "_" + task.rung);
  task.hint = entry.get<std::string>("hint");
  task.tests = entry.get<std::vector<std::string>>("tests");
  task.only = named_numbers<double>(entry, "only");
  task.fits = fits_of(entry);
  task.limits = limits_of(entry);
  if (entry.contains("busiest")) task.busiest = busiest_of(entry);
  if (entry.contains("limits_share")) task.limits_share = limits_share_of(entry);
  task.clock = clock_of(entry);
  task.usual_points = task.points = points_of(entry);
  if (task.file.empty() || task.file.find('/') != std::string::npos)
    entry.fail(fmt::format("names the file \"{}\", which must lie in the lab's folder", task.file));
  task.headers = entry.get<std::vector<std::string>>("headers", {});
  for (const std::string& header : task.headers)
    if (!header.ends_with(".hpp") || header.find('/') != std::string::npos)
      entry.fail(fmt::format("names the header \"{}\", which must be an .hpp in the lab's folder", header));
  return task;
}

/// Takes a task out of a lab, and its points.
void drop(Lab& lab, const std::string& id) {
  const auto task = std::ranges::find(lab.tasks, id, &Task::id);
  lab.points -= task->usual_points;
  lab.dropped.push_back(std::move(*task));
  lab.tasks.erase(task);
}

/// What course.json says in place of a lab's own tasks.json.
void override_tasks(Lab& lab, const Entry& course) {
  for (const auto& [id, json] : course.json().items()) {
    if (id == "points") continue;  // last, since it is what the other tasks sum to
    const auto task = std::ranges::find(lab.tasks, id, &Task::id);
    if (task == lab.tasks.end()) {
      std::vector<std::string> ids;
      for (const Task& known : lab.tasks) ids.push_back(known.id);
      course.fail(fmt::format("names the task \"{}\", which does not exist{}", id, did_you_mean(id, ids)));
    }
    const Entry entry(json, fmt::format("{}, task {}", course.place(), id));
    entry.allow({"points", "limits", "busiest", "limits_share", "clock", "deadline", "dropped"});
    if (entry.get<bool>("dropped", false)) {
      if (json.size() > 1) entry.fail("is \"dropped\", so nothing else can be said of it");
      drop(lab, id);
      continue;
    }
    if (entry.contains("points")) task->points = points_of(entry);
    if (entry.contains("limits")) task->limits = limits_of(entry);
    if (entry.contains("busiest")) task->busiest = busiest_of(entry);
    if (entry.contains("limits_share")) task->limits_share = limits_share_of(entry);
    if (entry.contains("clock")) task->clock = clock_of(entry);
    if (entry.contains("deadline")) task->deadline = deadline_of(entry);
  }
  if (course.contains("points")) lab.points = points_of(course);
  if (lab.tasks.empty()) course.fail("drops all tasks; leave the lab out with --labs instead");
}

Lab read_lab(const fs::path& folder) {
  const fs::path file = folder / "tasks.json";
  const Json json = read_json(file);
  const Entry entry(json, file.string());
  entry.allow({"lab", "points", "fits", "tasks"});
  Lab lab{entry.get<std::string>("lab"), folder, {}};
  if (entry.contains("points")) lab.points = points_of(entry);
  const std::string name = folder.filename().string();
  if (name.size() <= 3 || name.substr(3) != lab.stem)
    entry.fail(fmt::format("is of the lab \"{}\" and lies in {}", lab.stem, name));
  std::set<std::string> seen;
  for (const Json& task : entry.get<Json>("tasks")) {
    const std::string place = fmt::format("{}, task {}", file.string(), lab.tasks.size() + 1);
    lab.tasks.push_back(task_of(Entry(task, place), lab.stem));
    lab.tasks.back().number = lab.tasks.size();
    if (!task.contains("fits")) lab.tasks.back().fits = fits_of(entry);
    if (!seen.insert(lab.tasks.back().id).second)
      entry.fail(fmt::format("has two tasks called \"{}\"", lab.tasks.back().id));
  }
  return lab;
}

std::vector<std::string> stems_of(const std::vector<Lab>& labs) {
  std::vector<std::string> stems;
  for (const Lab& lab : labs) stems.push_back(lab.stem);
  return stems;
}

/// What judges a lab's tasks: its contract, problem and adapter, and the oracle; no file that students write.
std::vector<fs::path> judging_files(const Course& course, const Lab& lab) {
  std::set<std::string> handed_in;
  for (const Task& task : tasks_of_handout(lab))
    for (std::string& file : task.files()) handed_in.insert(std::move(file));
  const auto is_source = [](const fs::path& file) {
    return file.extension() == ".hpp" || file.extension() == ".cpp";
  };
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(lab.folder, none))
    if (is_source(entry.path()) && !handed_in.contains(entry.path().lexically_relative(lab.folder)))
      files.push_back(entry.path());
  for (const char* extension : {".hpp", ".cpp"}) {
    const fs::path oracle = course.root / "reference" / (lab.stem + extension);
    if (fs::exists(oracle)) files.push_back(oracle);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<std::string> Task::files() const {
  std::vector<std::string> all{file};
  all.insert(all.end(), headers.begin(), headers.end());
  return all;
}

std::vector<Task> tasks_of_handout(const Lab& lab) {
  std::vector<Task> all = lab.tasks;
  all.insert(all.end(), lab.dropped.begin(), lab.dropped.end());
  std::ranges::sort(all, {}, &Task::number);
  return all;
}

Course Course::read(const fs::path& root) {
  Course course;
  course.root = fs::absolute(root).lexically_normal();
  const fs::path labs = course.root / "labs";
  if (!fs::is_directory(labs))
    throw BadInput(root.string() + " is not a tree of warplab: it has no folder labs");
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(labs))
    if (fs::exists(entry.path() / "tasks.json")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) course.labs.push_back(read_lab(folder));

  if (const fs::path file = course.root / "course.json"; fs::exists(file)) {
    const Json json = read_json(file);
    const Entry entry(json, file.string());
    entry.allow({"labs"});
    const Json of_labs = entry.get<Json>("labs", Json::object());
    for (const auto& [stem, tasks] : of_labs.items()) {
      const auto lab = std::ranges::find(course.labs, stem, &Lab::stem);
      if (lab == course.labs.end()) {
        // "02_vector_add" is its folder.
        const bool is_folder = stem.size() > 3 && stem[2] == '_';
        entry.fail(fmt::format("names the lab \"{}\", which does not exist{}", stem,
                               did_you_mean(is_folder ? stem.substr(3) : stem, stems_of(course.labs))));
      }
      override_tasks(*lab, Entry(tasks, fmt::format("{}, lab {}", file.string(), stem)));
    }
  }
  for (const Lab& lab : course.labs) {
    double points = 0;
    for (const Task& task : lab.tasks) points += task.points;
    if (std::abs(points - lab.points) > 1e-9)
      throw BadInput(
          fmt::format("the points of the lab {} sum to {:g}, not to {:g}", lab.stem, points, lab.points));
  }
  return course;
}

BadInput unknown_lab(const std::string& name, const std::vector<std::string>& labs) {
  const std::string meant = did_you_mean(name, labs);
  return BadInput(fmt::format("there is no lab called '{}'{}", name,
                              meant.empty() ? "; `warplab list` shows those that there are" : meant));
}

Course Course::only(const std::vector<std::string>& wanted) const {
  if (wanted.empty()) return *this;
  Course some{root, {}};
  for (const std::string& name : wanted)
    if (std::ranges::none_of(labs,
                             [&](const Lab& l) { return name == l.stem || name == l.folder.filename(); }))
      throw unknown_lab(name, stems_of(labs));
  for (const Lab& lab : labs)
    if (std::ranges::any_of(wanted,
                            [&](const auto& n) { return n == lab.stem || n == lab.folder.filename(); }))
      some.labs.push_back(lab);
  return some;
}

std::vector<fs::path> Course::files() const {
  std::vector<fs::path> files;
  for (const Lab& lab : labs) {
    const fs::path folder = fs::path("labs") / lab.folder.filename();
    files.insert(files.end(), {folder / "tasks.json", folder / (lab.stem + "_problem.cpp"),
                               fs::path("reference") / (lab.stem + ".cpp")});
  }
  if (fs::exists(root / "course.json")) files.emplace_back("course.json");
  return files;
}

const Lab* Course::find(const std::string& stem) const {
  const auto found = std::ranges::find(labs, stem, &Lab::stem);
  return found == labs.end() ? nullptr : &*found;
}

std::string of_these_labs(const std::string& course_json, const Course& course) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(course_json),
                         kept = nlohmann::ordered_json::object();
  if (!json.contains("labs")) return course_json;
  for (const auto& [lab, tasks] : json.at("labs").items())
    if (course.find(lab)) kept[lab] = tasks;
  json["labs"] = kept;
  return json.dump(2) + "\n";
}

std::string digest_of_tasks(const Course& course, const fs::path& hidden) {
  std::string text;
  for (const Lab& lab : course.labs) {
    if (const fs::path file = hidden / (lab.stem + ".json"); fs::exists(file))
      text += fmt::format("hidden {}\n", sha256(bytes_of_file(file)));
    for (const fs::path& file : judging_files(course, lab))
      text +=
          fmt::format("{} {}\n", file.lexically_relative(course.root).string(), sha256(bytes_of_file(file)));
    for (const Task& task : lab.tasks) {
      text += fmt::format("{} {} {} {} {}\n", task.name(), task.points, task.limits_share, task.rung,
                          fmt::join(task.files(), " "));
      if (task.busiest) text += fmt::format("busiest {}\n", *task.busiest);
      for (const auto& [name, value] : task.only) text += fmt::format("only {} {}\n", name, value);
      for (const auto& [name, value] : task.fits) text += fmt::format("fits {} {}\n", name, value);
      for (const Limit& limit : task.limits) {
        text += fmt::format("limit {}{} {} {} {}\n", limit.measure, limit.figure, limit.most, limit.weight,
                            limit.dtype ? name_of(*limit.dtype) : "");
        if (limit.busiest) text += fmt::format("busiest {}\n", *limit.busiest);
        for (const auto& [name, value] : limit.size) text += fmt::format("size {} {}\n", name, value);
        for (const auto& [name, value] : limit.params) text += fmt::format("param {} {}\n", name, value);
      }
    }
  }
  return sha256(text);
}

}  // namespace warplab
