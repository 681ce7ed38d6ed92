#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/data/measured_table.hpp"

namespace warplab {

/// The name of the file that has a lab's measurements in a student's tree, in the lab's folder.
inline constexpr const char* data_pack_file = "measured.sealed";

/// A lab's measurements as students get them, not readable at a glance; "" where there are none.
/// @param withheld rungs that students do not get
std::string data_pack(const std::filesystem::path& results, const std::string& lab,
                      const std::vector<std::string>& withheld);

/// A lab's measurements in a tree: those of results/, or of the lab's pack.
/// @throws BadInput where the tree has neither, or the lab is to be predicted first
std::vector<MeasuredRow> measurements_of(const Lab& lab, const std::filesystem::path& root);

}  // namespace warplab
