#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// What a module is made of: one rung of a lab, of which one file comes from a student.
struct ModuleSource {
  std::filesystem::path lab_folder;  ///< of the pristine tree: labs/07_transpose
  std::string lab;                   ///< its stem: "transpose"
  std::string rung;                  ///< "tiled"
  std::string file;                  ///< that the student wrote: "transpose_tiled.cu", or a header of the lab
  std::filesystem::path student;     ///< where it is
  std::vector<std::filesystem::path> headers = {};  ///< that the student wrote as well
  /// Others of the lab as they were handed out, by their names in the lab's folder: "toeplitz/tile.hpp".
  std::map<std::string, std::filesystem::path> given = {};
  std::string launcher = {};  ///< that the rung's file defines; "": called as the file is
  std::string stem() const { return lab + "_" + rung; }
};

/// The object that calls the launcher on a rung's buffers, in a build tree:
/// "labs/07_transpose/CMakeFiles/...".
std::filesystem::path adapter_object(const std::filesystem::path& lab_folder, const std::string& lab,
                                     const std::string& rung);

/// Writes a task's files, and the lab's headers as they were handed out, into `folder`. @throws BadInput if
/// one of the lab's cannot be read
ModuleSource source_of(const Lab& lab, const Task& task, const FileTexts& files,
                       const std::filesystem::path& folder);

/// Copies all of it to where the compiler works. There is a copy of the rung as well where the student wrote
/// a header of it: so that header is found first.
void gather(const ModuleSource& source, const std::filesystem::path& folder);

}  // namespace warplab
