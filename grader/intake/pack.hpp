#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"

namespace warplab {

/// The file of a lab's folder in which `warplab test --log` notes what it judged: a student asks for it.
inline constexpr const char* test_log_file = "test_log.csv";

/// The written part of a lab, as far as it is done.
struct PackedAnswers {
  std::string lab;  ///< "transpose"
  std::size_t answered = 0, questions = 0;
  std::vector<std::string> too_long;  ///< "question 2 has 131 words of at most 100"
};

/// What pack() put into an archive, and what it found.
struct Packed {
  std::filesystem::path archive;
  std::vector<std::pair<std::string, std::size_t>> files;  ///< "labs/07_transpose/transpose_tiled.cu", bytes
  std::vector<std::string> done, to_do, missing;           ///< tasks: "transpose/tiled"
  std::vector<PackedAnswers> answers;                      ///< of each lab with a written part
  std::vector<std::string> logs;                           ///< labs whose log of tests goes with it
  std::vector<std::string> sealed;                         ///< "predictions/transpose.json"
};

/// Whether a stub's call of todo() is left in a source file, outside of comments and literals.
bool is_to_do(std::string_view source);

/// Writes the archive that a student hands in: the files of a course's tasks, the answers.md of labs where a
/// question is answered, the logs of tests that the student keeps, predictions, and what was found in hunts,
/// as .tar.gz, the same bytes for the same files.
/// @throws BadInput if no task has been done, no question answered and nothing sealed, a file cannot be read
/// or is too large to be taken, or the archive cannot be written; NotAvailable without libarchive
Packed pack(const Course& course, const std::filesystem::path& archive);

/// What to tell the student.
std::string text_of(const Packed& packed);

}  // namespace warplab
