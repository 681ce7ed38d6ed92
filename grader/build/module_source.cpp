#include "grader/build/module_source.hpp"

#include <fstream>
#include <stdexcept>

#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

void write_text(const std::string& text, const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

fs::path adapter_object(const fs::path& lab_folder, const std::string& lab, const std::string& rung) {
  return fs::path("labs") / lab_folder.filename() / "CMakeFiles" / (lab + "__" + rung + ".dir") /
         (lab + "_adapter.cpp.o");
}

ModuleSource source_of(const Lab& lab, const Task& task, const FileTexts& files, const FileTexts& headers) {
  ModuleSource source{lab.folder, task.lab, task.rung, task.file, files.at(task.file)};
  source.launcher = task.launcher;
  source.headers = files;
  source.headers.erase(task.file);
  source.given = headers;
  for (const auto& [name, text] : files) source.given.erase(name);
  if (const std::string rung = source.stem() + ".cu"; rung != task.file)
    source.given[rung] = bytes_of_file(lab.folder / rung);
  return source;
}

void gather(const ModuleSource& source, const fs::path& folder) {
  for (const FileTexts* const texts : {&source.given, &source.headers})
    for (const auto& [name, text] : *texts) write_text(text, folder / name);
  write_text(source.student, folder / source.file);
}

}  // namespace warplab
