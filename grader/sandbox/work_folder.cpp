#include "grader/sandbox/work_folder.hpp"

#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace warplab {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const std::string& use)
    : folder_(fs::temp_directory_path() / fmt::format("warplab-{}-", use)) {
  chmod(path().c_str(), 0711);
}

fs::path WorkFolder::renewed() const {
  const fs::path work = path() / "work";
  fs::remove_all(work);
  fs::create_directory(work);
  return work;
}

fs::path WorkFolder::kept(const fs::path& built) const {
  const fs::path place = path() / built.filename();
  fs::remove(place);
  fs::rename(built, place);
  fs::permissions(place, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read |
                             fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec);
  return place;
}

std::vector<fs::path> library_files() {
  std::set<fs::path> files;
  const auto add = [](dl_phdr_info* info, std::size_t, void* into) {
    const std::string name = info->dlpi_name;
    if (name.starts_with('/') && !name.starts_with("/usr/") && !name.starts_with("/lib"))
      static_cast<std::set<fs::path>*>(into)->insert(fs::path(name).lexically_normal());
    return 0;
  };
  dl_iterate_phdr(add, &files);
  return {files.begin(), files.end()};
}

std::vector<fs::path> library_folders() {
  std::set<fs::path> folders;
  for (const fs::path& file : library_files()) folders.insert(file.parent_path());
  return {folders.begin(), folders.end()};
}

std::vector<std::pair<std::string, std::string>> loader_environment() {
  const char* const name = "LD_LIBRARY_PATH";
  const char* const value = std::getenv(name);
  std::istringstream given(value ? value : "");
  std::string folders;
  for (std::string folder; std::getline(given, folder, ':');)
    if (folder.starts_with('/')) folders += (folders.empty() ? "" : ":") + folder;
  if (folders.empty()) return {};
  return {{name, folders}};
}

std::vector<fs::path> toolchain_folders(const fs::path& compiler) {
  std::set<fs::path> folders;
  std::error_code error;
  for (const fs::path& program : {compiler, fs::canonical(compiler, error)})
    if (const fs::path prefix = program.parent_path().parent_path();
        prefix.has_relative_path() && *std::next(prefix.begin()) != "usr")
      folders.insert(prefix);
  return {folders.begin(), folders.end()};
}

std::vector<std::pair<std::string, std::string>> path_to(const std::vector<std::string>& programs) {
  const std::string usual = "/usr/bin:/bin";
  std::string path;
  for (const std::string& program : programs) {
    const std::string folder = fs::path(program).parent_path().string() + ":";
    if ((":" + path + usual + ":").find(":" + folder) == std::string::npos) path += folder;
  }
  if (path.empty()) return {};
  return {{"PATH", path + usual}};
}

}  // namespace warplab
