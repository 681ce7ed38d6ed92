#pragma once

#include <filesystem>
#include <string>

#include "grader/course/task_files.hpp"

namespace warplab {

/// What a module is made of: one rung of a lab, of which one file comes from a student.
struct ModuleSource {
  std::filesystem::path lab_folder;  ///< of the pristine tree: labs/07_transpose
  std::string lab;                   ///< its stem: "transpose"
  std::string rung;                  ///< "tiled"
  std::string file;                  ///< that the student wrote: "transpose_tiled.cu", or a header of the lab
  std::string student;               ///< its text
  FileTexts headers = {};            ///< that the student wrote as well
  FileTexts given = {};  ///< others of the lab as they were handed out; the rung, if the file is a header
  std::string launcher = {};  ///< that the rung's file defines; "": called as the file is
  std::string stem() const { return lab + "_" + rung; }
};

/// The object that calls the launcher on a rung's buffers, in a build tree:
/// "labs/07_transpose/CMakeFiles/...".
std::filesystem::path adapter_object(const std::filesystem::path& lab_folder, const std::string& lab,
                                     const std::string& rung);

/// @param files a task's, as handed in
/// @param headers given_headers() of the lab, of which those are left out that were handed in
/// @throws BadInput if the rung of a header cannot be read
ModuleSource source_of(const Lab& lab, const Task& task, const FileTexts& files, const FileTexts& headers);

/// Writes all of it to where the compiler works. The rung is there as well where the student wrote a header
/// of it: so that header is found first.
/// @throws std::runtime_error if it cannot be written
void gather(const ModuleSource& source, const std::filesystem::path& folder);

}  // namespace warplab
