#include "grader/build/module_source.hpp"

#include <fstream>

#include "grader/judge/grading.hpp"
#include "grader/release/withheld_parts.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The headers of a lab as students get them, but for those that were handed in.
FileTexts given_headers(const Lab& lab, const FileTexts& handed_in) {
  FileTexts given;
  for (const fs::directory_entry& entry : fs::directory_iterator(lab.folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".hpp" || handed_in.contains(name)) continue;
    std::string text = handed_out(lab, name);
    if (!is_blank(text)) given.emplace(name, std::move(text));
  }
  return given;
}

/// Writes files into a folder. @return their paths
std::vector<fs::path> written(const FileTexts& files, const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& [name, text] : files) {
    paths.push_back(folder / name);
    std::ofstream(paths.back(), std::ios::binary) << text;
  }
  return paths;
}

}  // namespace

fs::path adapter_object(const fs::path& lab_folder, const std::string& lab, const std::string& rung) {
  return fs::path("labs") / lab_folder.filename() / "CMakeFiles" / (lab + "__" + rung + ".dir") /
         (lab + "_adapter.cpp.o");
}

ModuleSource source_of(const Lab& lab, const Task& task, const FileTexts& files, const fs::path& folder) {
  FileTexts headers = files;
  headers.erase(task.file);
  return {lab.folder,
          task.lab,
          task.rung,
          task.file,
          written({{task.file, files.at(task.file)}}, folder).front(),
          written(headers, folder),
          written(given_headers(lab, files), folder)};
}

void gather(const ModuleSource& source, const fs::path& folder) {
  const auto copy = [&](const fs::path& from, const std::string& name) {
    fs::copy_file(from, folder / name, fs::copy_options::overwrite_existing);
  };
  for (const auto* headers : {&source.given, &source.headers})
    for (const fs::path& header : *headers) copy(header, header.filename());
  const std::string rung = source.launcher() + ".cu";
  copy(source.lab_folder / rung, rung);
  copy(source.student, source.file);
}

}  // namespace warplab
