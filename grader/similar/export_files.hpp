#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/report/similarity.hpp"

namespace warplab {

/// Writes files for other programs that compare: `new/0001/LAB/FILE` per submission of the class, `old/`
/// likewise for the others, and `base/LAB/FILE` as students got them. Folders are numbered; names.csv, which
/// stays with the instructor, says whose they are.
/// @param out a folder that is not there yet
/// @throws BadInput if it is there
void export_files(const std::vector<TakenFiles>& class_, const std::vector<TakenFiles>& others,
                  const std::map<TaskFile, std::string>& given, const std::filesystem::path& out);

/// The commands that compare what export_files() wrote.
std::string commands_for(const std::filesystem::path& out, bool has_others);

}  // namespace warplab
