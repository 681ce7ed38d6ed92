#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/intake/intake.hpp"

namespace warplab {

/// What was taken of one student.
struct TakenFiles {
  std::string student;
  std::map<TaskFile, std::string> files;
};

/// A file of two students, and how much of it is the same.
struct SimilarFile {
  TaskFile file;
  double share = 0;        ///< of what both wrote, 0 to 1
  bool identical = false;  ///< but for comments and white space
};

/// Two students with files that are nearly the same.
struct SimilarPair {
  std::string first, second;       ///< students
  std::vector<SimilarFile> files;  ///< identical ones first, then by share
};

/// When two files are near enough to be shown.
struct SimilarityOptions {
  double share = 0.8;      ///< from which two files are reported
  std::size_t least = 40;  ///< runs of tokens that must be a student's own for a file to say anything
};

/// Pairs of submissions with files that are alike, most identical ones first, then by share. Evidence for a
/// person, never a verdict: a task with one short answer has few different ones.
///
/// Files are compared as runs of 9 tokens without comments and white space, names other than those of the
/// language and of CUDA all taken for one, so that renaming hides nothing. What is in the given file as
/// well is left out, and so is what more than a quarter of the class wrote. Runs are thinned by winnowing
/// (Schleimer, Wilkerson and Aiken, 2003): any 12 tokens in common are found.
/// @param given the files as students get them, stubs and all
std::vector<SimilarPair> similar_submissions(const std::vector<TakenFiles>& class_,
                                             const std::map<TaskFile, std::string>& given,
                                             const SimilarityOptions& options = {});

/// Pairs of a submission of the class with one of others, such as an earlier term's or a published solution.
/// As above, but what much of the class has in common counts here: all may have copied it.
/// @return with the class's student first
std::vector<SimilarPair> similar_to_others(const std::vector<TakenFiles>& class_,
                                           const std::vector<TakenFiles>& others,
                                           const std::map<TaskFile, std::string>& given,
                                           const SimilarityOptions& options = {});

}  // namespace warplab
