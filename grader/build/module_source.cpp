#include "grader/build/module_source.hpp"

#include <fstream>

#include "grader/release/handed_out.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// Writes files into a folder and those below it. @return their paths
std::map<std::string, fs::path> written(const FileTexts& files, const fs::path& folder) {
  std::map<std::string, fs::path> paths;
  for (const auto& [name, text] : files) {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    paths.emplace(name, path);
  }
  return paths;
}

}  // namespace

fs::path adapter_object(const fs::path& lab_folder, const std::string& lab, const std::string& rung) {
  return fs::path("labs") / lab_folder.filename() / "CMakeFiles" / (lab + "__" + rung + ".dir") /
         (lab + "_adapter.cpp.o");
}

ModuleSource source_of(const Lab& lab, const Task& task, const FileTexts& files, const fs::path& folder) {
  FileTexts texts = files;
  texts.erase(task.file);
  FileTexts given = given_headers(lab);
  for (const auto& [name, text] : files) given.erase(name);
  std::vector<fs::path> headers;
  for (const auto& [name, path] : written(texts, folder)) headers.push_back(path);
  return {lab.folder,
          task.lab,
          task.rung,
          task.file,
          written({{task.file, files.at(task.file)}}, folder).at(task.file),
          std::move(headers),
          written(given, folder),
          task.launcher};
}

void gather(const ModuleSource& source, const fs::path& folder) {
  const auto copy = [&](const fs::path& from, const std::string& name) {
    fs::create_directories((folder / name).parent_path());
    fs::copy_file(from, folder / name, fs::copy_options::overwrite_existing);
  };
  for (const auto& [name, header] : source.given) copy(header, name);
  for (const fs::path& header : source.headers) copy(header, header.filename());
  const std::string rung = source.stem() + ".cu";
  copy(source.lab_folder / rung, rung);
  copy(source.student, source.file);
}

}  // namespace warplab
