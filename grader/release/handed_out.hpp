#pragma once

#include <map>
#include <string>

#include "grader/course/task_files.hpp"

namespace warplab {

/// A file of a lab as students get it: stubs for solutions, and nothing that is withheld.
/// @param file its name in the lab's folder
/// @throws BadInput if it cannot be read
std::string handed_out(const Lab& lab, const std::string& file);

/// All files of tasks as students get them. @throws BadInput if one cannot be read
std::map<TaskFile, std::string> given_files(const Course& course);

/// The headers of a lab as students get them, those in its sub-folders too: "toeplitz/tile.hpp".
/// @throws BadInput if one cannot be read
FileTexts given_headers(const Lab& lab);

/// Those of all labs, by the lab's stem. @throws BadInput if one cannot be read
std::map<std::string, FileTexts> given_headers(const Course& course);

/// Whether a student has left a file as it was handed out.
bool is_untouched(const Lab& lab, const std::string& file, const std::string& content);

}  // namespace warplab
