#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/hunt/planted.hpp"

namespace warplab {

/// One planted file of a student's pack.
struct PackedMistake {
  std::string task;              ///< its id: "tiled"
  std::string file;              ///< that has the mistake: "transpose_tiled.cu"
  std::filesystem::path folder;  ///< that holds it, with the task's other files
};

/// What a student hunts in.
struct HuntPack {
  std::string lab, name;
  std::vector<PackedMistake> mistakes;
};

/// Writes a student's pack into a folder: folders 1 to 5 with the files, and hunt.json without any answer.
/// @throws BadInput if the folder holds one already
void write_pack(const std::filesystem::path& folder, const std::string& lab, const std::string& name,
                const std::vector<PlantedMistake>& planted);

/// @throws BadInput in one sentence if the folder holds no pack, or only a part of one
HuntPack read_pack(const std::filesystem::path& folder);

/// The texts of a planted file and of the task's others. @throws BadInput
FileTexts texts_of(const PackedMistake& mistake, const Task& task);

}  // namespace warplab
