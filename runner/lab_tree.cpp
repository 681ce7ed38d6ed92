#include "runner/lab_tree.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace warplab::runner {
namespace {

namespace fs = std::filesystem;

/// The folders "labs/NN_<lab>", sorted.
std::vector<fs::path> lab_folders() {
  std::vector<fs::path> folders;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("labs", none)) {
    const std::string name = entry.path().filename();
    if (name.size() > 3 && name[2] == '_' && fs::exists(entry.path() / "CMakeLists.txt"))
      folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

std::string stem_of(const fs::path& folder) { return folder.filename().string().substr(3); }

fs::path folder_of(const std::string& lab) {
  for (const fs::path& folder : lab_folders())
    if (stem_of(folder) == lab) return folder;
  return {};
}

std::string text(const nlohmann::ordered_json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::vector<std::string> labs_of_tree() {
  std::vector<std::string> labs;
  for (const fs::path& folder : lab_folders()) labs.push_back(stem_of(folder));
  return labs;
}

fs::path handout_of(const std::string& lab) {
  const fs::path folder = folder_of(lab);
  return folder.empty() ? folder : folder / "README.md";
}

std::optional<Exercise> exercise_of(const std::string& lab, const std::string& rung) {
  const fs::path folder = folder_of(lab);
  std::ifstream in(folder / "tasks.json");
  const nlohmann::ordered_json tasks =
      in ? nlohmann::ordered_json::parse(in, nullptr, /*allow_exceptions=*/false) : nlohmann::ordered_json();
  const auto list = tasks.find("tasks");
  if (list == tasks.end() || !list->is_array()) return std::nullopt;
  for (const nlohmann::ordered_json& task : *list)
    if (rung.empty() || text(task, "rung") == rung)
      return Exercise{text(task, "id"), folder / text(task, "file")};
  return std::nullopt;
}

}  // namespace warplab::runner
