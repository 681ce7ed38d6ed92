#include "report/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "common/io/atomic_file.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

struct Options {
  fs::path folder, program_folder;
  std::vector<std::string> labs;
  std::string backend, command, flags, commit, date, host;
};

std::string text_or(const json& object, const char* key, const std::string& fallback) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : fallback;
}

std::optional<double> number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

const json& object_at(const json& object, const char* key) {
  static const json empty = json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : empty;
}

/// The results that a lab's program wrote, or none if it did not get so far.
std::optional<json> read_part(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return std::nullopt;
  json part = json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (part.is_discarded() || !part.contains("measurements")) return std::nullopt;
  return part;
}

/// What stands in for a lab whose program left no results.
json absent(const std::string& lab, const Options& options) {
  std::ifstream in(options.folder / "parts" / (lab + ".status"));
  int status = -1;
  in >> status;
  const bool unavailable = status == 3;
  std::string why = unavailable     ? "not available here"
                    : status == 127 ? "the program did not build"
                    : status > 128  ? fmt::format("the program was ended by signal {}", status - 128)
                                    : fmt::format("the program ended with exit code {}", status);
  std::ifstream words(options.folder / "parts" / (lab + ".why"));
  std::string last;
  if (std::getline(words, last) && !last.empty()) why += ": " + last;
  return {{"lab", lab},
          {"rung", ""},
          {"role", "rung"},
          {"backend", options.backend},
          {"status", unavailable ? "unavailable" : "failed"},
          {"why", why},
          {"verified", false},
          {"time_ms", nullptr}};
}

json merge(const Options& options) {
  json run = {{"command", options.command}, {"backend", options.backend}, {"device", nullptr},
              {"driver", nullptr},          {"toolkit", nullptr},         {"flags", nullptr},
              {"commit", nullptr}};
  json measurements = json::array();
  for (const std::string& lab : options.labs) {
    const auto part = read_part(options.folder / "parts" / (lab + ".json"));
    if (!part) {
      measurements.push_back(absent(lab, options));
      continue;
    }
    for (const char* key : {"device", "driver", "toolkit", "flags", "commit"}) {
      const json& theirs = object_at(*part, "run");
      if (run[key].is_null() && theirs.contains(key)) run[key] = theirs[key];
    }
    for (const json& measurement : part->at("measurements")) measurements.push_back(measurement);
    if (!object_at(*part, "run").value("finished", true)) measurements.push_back(absent(lab, options));
  }
  if (run["flags"].is_null()) run["flags"] = options.flags;
  if (run["commit"].is_null()) run["commit"] = options.commit;
  run["date"] = options.date;
  run["host"] = options.host;
  return {{"schema", 1}, {"run", run}, {"measurements", measurements}};
}

/// The programs' own CSV files one below the other, under one header; a row of its own for a lab that left
/// none.
std::string merge_csv(const Options& options) {
  std::string header, rows;
  std::vector<std::string> without;
  for (const std::string& lab : options.labs) {
    std::ifstream in(options.folder / "parts" / (lab + ".csv"));
    std::string line;
    if (!std::getline(in, line)) {
      without.push_back(lab);
      continue;
    }
    header = line;
    while (std::getline(in, line)) rows += line + "\n";
  }
  if (header.empty()) header = "lab,role,backend,status,verified,why";
  for (const std::string& lab : without) {
    const json row = absent(lab, options);
    std::istringstream columns(header);
    std::string line;
    for (std::string column; std::getline(columns, column, ',');) {
      const auto found = row.find(column);
      const bool known = found != row.end() && !found->is_null();
      std::string field = !known ? "" : found->is_string() ? found->get<std::string>() : found->dump();
      std::replace(field.begin(), field.end(), '"', '\'');
      line += (line.empty() ? "\"" : ",\"") + field + "\"";
    }
    rows += line + "\n";
  }
  return header + "\n" + rows;
}

std::string join(const json& object, const char* separator) {
  std::string joined;
  for (const auto& [key, value] : object.items())
    joined +=
        (joined.empty() ? "" : separator) + (value.is_string() ? value.get<std::string>() : value.dump());
  return joined;
}

std::string rung_text(const json& m) {
  std::string text = text_or(m, "rung", "");
  const json& params = object_at(m, "params");
  if (const std::string block = text_or(params, "block", ""); !block.empty()) text += " " + block;
  return text.empty() ? "-" : text;
}

/// What the lens found in a rung, right or wrong.
std::vector<std::string> findings_of(const json& m) {
  std::vector<std::string> lines;
  const json& lens = object_at(m, "lens");
  for (const json& f : lens.value("findings", json::array()))
    lines.push_back(fmt::format("{}:{}: {}: {}", text_or(f, "file", ""), f.value("line", 0),
                                text_or(f, "kind", ""), text_or(f, "text", "")));
  return lines;
}

std::string verdict_text(const json& m) {
  const std::string status = text_or(m, "status", "failed");
  if (status == "ok") {
    const std::size_t findings = findings_of(m).size();
    const std::string right = m.value("verified", false) ? "yes" : "not checked";
    return findings == 0 ? right : fmt::format("{}, {} finding{}", right, findings, findings == 1 ? "" : "s");
  }
  return status == "todo" ? "to do" : status == "failed" ? "NO" : status;
}

/// 1234567 as "1.23 M".
std::string quantity(double n) {
  if (n >= 1e9) return fmt::format("{:.3g} G", n / 1e9);
  if (n >= 1e6) return fmt::format("{:.3g} M", n / 1e6);
  if (n >= 1e4) return fmt::format("{:.3g} k", n / 1e3);
  return fmt::format("{:.0f}", n);
}

/// GB/s where time means something, else what was counted: sectors a request of loads and of stores, bank
/// conflicts.
std::string rate_text(const json& m) {
  if (text_or(object_at(m, "speed_of_light"), "unit", "") == "GFLOP/s")
    if (const auto rate = number(m, "gflop_per_s")) return fmt::format("{:.0f} GFLOP/s", *rate);
  if (const auto rate = number(m, "gb_per_s")) return fmt::format("{:.1f} GB/s", *rate);
  const json &lens = object_at(m, "lens"), &counts = object_at(m, "counts");
  const auto loads = number(object_at(lens, "global_load"), "sectors_per_request"),
             stores = number(object_at(lens, "global_store"), "sectors_per_request");
  if (loads || stores) {
    std::string text = fmt::format("{} + {} sectors", loads ? fmt::format("{:.1f}", *loads) : "-",
                                   stores ? fmt::format("{:.1f}", *stores) : "-");
    const double conflicts = number(object_at(lens, "shared_load"), "bank_conflicts").value_or(0) +
                             number(object_at(lens, "shared_store"), "bank_conflicts").value_or(0);
    if (conflicts > 0) text += fmt::format(", {} conflicts", quantity(conflicts));
    return text;
  }
  if (const auto threads = number(counts, "threads"); threads && *threads > 0)
    return fmt::format("{} threads, {} barriers", quantity(*threads),
                       quantity(number(counts, "barriers").value_or(0)));
  return "-";
}

/// The published figures and where they stand: "004 table 2, row 5: titan_x_ms 0.06".
std::string published_text(const json& m) {
  const json& published = object_at(m, "published");
  std::string figures;
  for (const auto& [name, value] : published.items())
    if (value.is_number()) figures += fmt::format(" {} {}", name, value.dump());
  if (figures.empty()) return "";
  return fmt::format("{}, row {}:{}", text_or(published, "table", "-"), text_or(published, "row", "-"),
                     figures);
}

std::string time_text(const json& m) {
  const auto median = number(object_at(m, "time_ms"), "median");
  return median ? fmt::format("{:.4g}", *median) : "-";
}

std::string light_text(const json& m) {
  const auto fraction = number(object_at(m, "speed_of_light"), "fraction");
  return fraction ? fmt::format("{:.3f}", *fraction) : "-";
}

std::string speed_up_text(const json& m) {
  if (const auto speed_up = number(m, "cpu_speed_up")) return fmt::format("{:.1f}x", *speed_up);
  if (const auto speed_up = number(object_at(m, "cpu_speed_up"), "value"))
    return fmt::format("{:.1f}x", *speed_up);
  return "-";
}

void print_table(const json& results) {
  using Row = std::vector<std::string>;
  std::vector<Row> rows = {
      {"lab", "rung", "size", "type", "verified", "rate or count", "of limit", "CPU speed-up"}};
  std::vector<std::string> reasons;
  const json& measurements = results.at("measurements");
  const bool replay = std::any_of(measurements.begin(), measurements.end(),
                                  [](const json& m) { return !published_text(m).empty(); });
  if (replay) rows.front().insert(rows.front().end(), {"median ms", "published"});
  for (const json& m : measurements) {
    const std::string role = text_or(m, "role", "rung");
    if (role == "ceiling" || role == "reference") continue;
    rows.push_back({text_or(m, "lab", "-"), rung_text(m), join(object_at(m, "size"), "x"),
                    text_or(m, "dtype", ""), verdict_text(m), rate_text(m), light_text(m), speed_up_text(m)});
    if (replay) rows.back().insert(rows.back().end(), {time_text(m), published_text(m)});
    std::string why = text_or(m, "why", "");
    why.resize(std::min(why.size(), why.find('\n')));
    if (text_or(m, "status", "failed") != "ok" && !why.empty())
      reasons.push_back(fmt::format("{} {}: {}", text_or(m, "lab", "-"), rung_text(m), why));
    if (text_or(m, "status", "failed") == "ok")
      for (const std::string& finding : findings_of(m))
        reasons.push_back(fmt::format("{} {}: {}", text_or(m, "lab", "-"), rung_text(m), finding));
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i < 5 || i == 9 ? fmt::format("{:<{}}  ", row[i], widths[i])
                              : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  if (text_or(object_at(results, "run"), "backend", "") == "emulator")
    fmt::print("counts, no times: what runs here is this CPU, not a GPU\n");
  for (const std::string& reason : reasons) fmt::print("  {}\n", reason);
}

/// The folder labs/NN_<lab>, or "".
fs::path lab_folder(const std::string& lab) {
  for (const fs::directory_entry& entry : fs::directory_iterator("labs"))
    if (const std::string name = entry.path().filename(); name.size() > 3 && name.substr(3) == lab)
      return entry.path();
  return {};
}

std::optional<json> first_task(const std::string& lab, const std::string& rung) {
  std::ifstream in(lab_folder(lab) / "tasks.json");
  if (!in) return std::nullopt;
  const json tasks = json::parse(in, nullptr, false);
  if (tasks.is_discarded()) return std::nullopt;
  for (const json& task : tasks.value("tasks", json::array()))
    if (rung.empty() || text_or(task, "rung", "") == rung) return task;
  return std::nullopt;
}

/// What to do next: repair what failed, then what the lens found, else write the first exercise that is to
/// do, else look closer at a rung that ran.
std::string next_command(const json& results, const Options& options) {
  const auto program = [&](const json& m) {
    return fmt::format("{} --rung {}", (options.program_folder / text_or(m, "lab", "")).string(),
                       text_or(m, "rung", ""));
  };
  const auto first_with = [&](const std::string& status) -> std::optional<std::string> {
    for (const json& m : results.at("measurements")) {
      const std::string lab = text_or(m, "lab", ""), rung = text_or(m, "rung", "");
      if (text_or(m, "status", "failed") != status) continue;
      if (rung.empty() || text_or(m, "why", "").rfind("did not build", 0) == 0)
        return fmt::format("cmake --build --preset {} --target {}", options.backend, lab);
      const auto task = first_task(lab, rung);
      if (!task || status == "failed") return program(m);
      return fmt::format("./run_all.sh --labs {}  # once you have written {} (task {} of {})", lab,
                         (lab_folder(lab) / text_or(*task, "file", "")).string(), text_or(*task, "id", ""),
                         (lab_folder(lab) / "README.md").string());
    }
    return std::nullopt;
  };
  if (const auto command = first_with("failed")) return *command;
  for (const json& m : results.at("measurements"))
    if (text_or(m, "status", "failed") == "ok" && !findings_of(m).empty()) return program(m) + " --lens";
  if (const auto command = first_with("todo")) return *command;
  for (const json& m : results.at("measurements"))
    if (const auto task = first_task(text_or(m, "lab", ""), ""); task && !text_or(m, "rung", "").empty())
      return fmt::format("{} --list  # its rungs; the tasks stand in {}",
                         (options.program_folder / text_or(m, "lab", "")).string(),
                         (lab_folder(text_or(m, "lab", "")) / "README.md").string());
  return "./run_all.sh --tests";
}

/// Reads "merge --flag value ...". @throws std::invalid_argument naming what is wrong
Options parse(const std::vector<std::string>& arguments) {
  Options options;
  std::string folder, program_folder, labs;
  const std::map<std::string, std::string*> flags = {{"--folder", &folder},
                                                     {"--program-folder", &program_folder},
                                                     {"--labs", &labs},
                                                     {"--backend", &options.backend},
                                                     {"--command", &options.command},
                                                     {"--flags", &options.flags},
                                                     {"--commit", &options.commit},
                                                     {"--date", &options.date},
                                                     {"--host", &options.host}};
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    const auto flag = flags.find(arguments[i]);
    if (flag == flags.end()) throw std::invalid_argument("unknown flag " + arguments[i]);
    if (i + 1 == arguments.size()) throw std::invalid_argument(arguments[i] + " needs a value");
    *flag->second = arguments[i + 1];
  }
  options.folder = folder;
  options.program_folder = program_folder;
  std::istringstream stems(labs);
  for (std::string lab; std::getline(stems, lab, ',');) options.labs.push_back(lab);
  if (!fs::is_directory(options.folder))
    throw std::invalid_argument("--folder '" + folder + "' is no folder");
  return options;
}

}  // namespace

void merge_run(const std::vector<std::string>& arguments) {
  const Options options = parse(arguments);
  const json results = merge(options);
  write_file_atomically(options.folder / "results.json", results.dump(2) + "\n");
  write_file_atomically(options.folder / "results.csv", merge_csv(options));
  print_table(results);
  fmt::print("{}\n", next_command(results, options));
}

}  // namespace warplab
