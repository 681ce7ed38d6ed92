#include "report/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "common/bad_input.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

PublishedTable table_of(const Json& json) {
  PublishedTable table;
  json.at("table").get_to(table.table);
  json.at("title").get_to(table.title);
  json.at("lesson").get_to(table.lesson);
  for (const Json& figure : json.value("figures", Json::array()))
    table.figures.push_back({figure.at("name"), figure.at("label"), figure.at("of")});
  if (json.contains("elements")) table.elements = json.at("elements").get<double>();
  if (json.contains("columns")) json.at("columns").get_to(table.columns);
  for (const Json& property : json.value("properties", Json::array()))
    table.properties.push_back({property.at("name"), property.at("printed"), property.at("published")});
  return table;
}

fs::path file_of(const fs::path& labs, const std::string& lab) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(labs, none))
    if (const std::string name = entry.path().filename(); name.size() > 3 && name.substr(3) == lab)
      return entry.path() / "published.json";
  return {};
}

}  // namespace

std::vector<std::string> labs_in_order(const fs::path& labs, const std::vector<Run>& runs) {
  std::vector<std::string> folders, names;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(labs, none))
    if (entry.is_directory() && entry.path().filename().string().size() > 3)
      folders.push_back(entry.path().filename());
  std::ranges::sort(folders);
  for (const std::string& folder : folders) names.push_back(folder.substr(3));
  for (const Run& run : runs)
    for (const std::string& lab : run.labs())
      if (std::ranges::find(names, lab) == names.end()) names.push_back(lab);
  return names;
}

std::vector<PublishedTable> published_tables(const fs::path& labs, const std::string& lab) {
  const fs::path file = file_of(labs, lab);
  std::ifstream in(file);
  std::vector<PublishedTable> tables;
  if (file.empty() || !in) return tables;
  try {
    const Json json = Json::parse(in);
    for (const Json& table : json.at("tables")) tables.push_back(table_of(table));
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(fmt::format("{} is broken: {}", file.string(), error.what()));
  }
  return tables;
}

std::optional<double> published_ms(const Row& row, const std::string& name) {
  if (!row.published.is_object() || !row.published.contains(name) || !row.published[name].is_number())
    return std::nullopt;
  const double value = row.published[name].get<double>();
  // "_ms" before "_s", which it ends with too.
  static constexpr std::array<std::pair<const char*, double>, 4> units = {
      {{"_ms", 1}, {"_us", 1e-3}, {"_ns", 1e-6}, {"_s", 1e3}}};
  for (const auto& [end, ms] : units)
    if (name.ends_with(end)) return value >= 0 ? std::optional(value * ms) : std::nullopt;
  return std::nullopt;
}

std::optional<double> measured_ms(const Row& row, const std::string& of) {
  if (of == "kernel") return row.time_ms ? std::optional(row.time_ms->median) : std::nullopt;
  if (of == "cpu") return row.cpu_ms;
  if (of == "transfers" && row.h2d_ms && row.d2h_ms) return *row.h2d_ms + *row.d2h_ms;
  return std::nullopt;
}

std::string printed_property(const Run& run, const std::string& lab, const std::string& name) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(run.folder, none)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(lab + "-") || !file.ends_with(".out")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
  }
  return "";
}

}  // namespace warplab::report
