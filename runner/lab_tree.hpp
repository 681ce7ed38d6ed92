#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplab::runner {

/// An exercise of a lab's tasks.json.
struct Exercise {
  std::string id;
  std::filesystem::path file;  ///< that students write, seen from the tree's root
};

/// The stems of the labs in this folder's labs/, in the order of their numbers.
std::vector<std::string> labs_of_tree();

/// "labs/07_transpose/README.md"; empty where there is no such lab.
std::filesystem::path handout_of(const std::string& lab);

/// The first exercise of a lab that asks for this rung, or for any where `rung` is "".
std::optional<Exercise> exercise_of(const std::string& lab, const std::string& rung);

}  // namespace warplab::runner
