// Makes one JSON file of the pages that ncu printed: parity_record FOLDER FILE key=value...
// Where the folder has pages of only some labs' cases, they are added to those that the file has.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/parity/ncu_pages.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<warplab::parity::Recorded> recorded(const fs::path& folder, const std::string& name) {
  const fs::path raw = folder / (name + ".raw.csv");
  if (!fs::exists(raw)) return {};
  return warplab::parity::read_pages(contents(raw), contents(folder / (name + ".source.csv")));
}

json launches_json(const std::vector<warplab::parity::Recorded>& launches) {
  json list = json::array();
  std::set<std::string> seen;
  for (const auto& launch : launches) {
    json one{{"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block}};
    if (!seen.insert(one.dump()).second) continue;  // the same launch again, to be timed
    one["metrics"] = launch.metrics;
    list.push_back(one);
  }
  return list;
}

void run(const fs::path& folder, const fs::path& file, const std::vector<std::string>& facts) {
  const bool adds = !fs::exists(folder / "kernels.raw.csv");
  json document = adds ? json::parse(contents(file)) : json{{"cases", json::object()}};
  json about = json::object();
  for (const std::string& fact : facts) {
    const std::size_t equals = fact.find('=');
    if (equals == std::string::npos) throw std::runtime_error("'" + fact + "' is not a key=value");
    about[fact.substr(0, equals)] = fact.substr(equals + 1);
  }
  if (adds)
    document["additions"].push_back(about);
  else
    document.update(about);
  json& cases = document["cases"];
  for (const auto& launch : recorded(folder, "kernels")) cases[launch.kernel] = launches_json({launch});
  for (int number = 1; fs::exists(folder / ("lab-" + std::to_string(number) + ".name")); ++number) {
    const std::string stem = "lab-" + std::to_string(number);
    std::string name = contents(folder / (stem + ".name"));
    name.erase(std::find(name.begin(), name.end(), '\n'), name.end());
    cases[name] = launches_json(recorded(folder, stem));
  }
  fs::create_directories(file.parent_path());
  std::ofstream out(file);
  out << document.dump(1) << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
  std::printf("%s: %zu cases\n", file.c_str(), cases.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: parity_record FOLDER FILE key=value...\n");
    return 2;
  }
  try {
    run(argv[1], argv[2], std::vector<std::string>(argv + 3, argv + argc));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parity_record: %s\n", error.what());
    return 4;
  }
}
