#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// An honest file, which must get all points of its tasks, however it is written.
struct HonestVariation {
  std::string name;            ///< "pasted_names", or "wordy of transpose/tiled"
  std::filesystem::path file;  ///< in the submission: "labs/02_vector_add/vector_add_one_per_thread.cu"
  std::string lab;             ///< "vector_add"
  std::string task_file;       ///< as tasks name it: "vector_add_one_per_thread.cu"
  std::string source;          ///< that file's text
  /// The headers that belong to its task, with our solution, by their places in the submission.
  std::map<std::filesystem::path, std::string> headers = {};
};

/// tests/grader/honest, whose README describes the files.
std::filesystem::path honest_folder();

/// What people wrote, by name.
std::vector<HonestVariation> written_variations();

/// Our solution of every task in every form of transformations.hpp: as editors save it, with other habits and
/// with idioms of the field.
std::vector<HonestVariation> transformed_solutions(const Course& course);

/// Puts each into the first submission that has room, and no file of its name yet.
std::vector<std::vector<HonestVariation>> as_submissions(const std::vector<HonestVariation>& variations);

}  // namespace warplab
