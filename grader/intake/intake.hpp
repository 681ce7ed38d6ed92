#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/task_files.hpp"
#include "grader/intake/submission_reader.hpp"

namespace warplab {

/// What is taken of a submission: the files of the tasks, then answers.md of each lab with a written part.
std::vector<TaskFile> submission_files(const Course& course);

/// One entry of a submissions folder.
struct Submission {
  std::filesystem::path path;
  std::string source;   ///< its name as handed in, printable
  std::string student;  ///< without an archive's ending, printable, fit for a file's name, and of no other
  bool is_namesake = false;  ///< an entry before it would have the same name
};

/// The entries of a folder, one per student, by their names byte by byte. What systems leave there is no
/// entry. Two that would get one name, such as alice/ and alice.zip, get two: the first keeps it, the others
/// have a part of the digest of their full names after it.
/// @throws BadInput if the folder cannot be read or holds no submission
std::vector<Submission> find_submissions(const std::filesystem::path& folder);

/// A folder or an archive that is a submission by itself. @throws BadInput if nothing is there
Submission single_submission(const std::filesystem::path& path);

/// What was taken of a submission.
struct Intake {
  std::string student, source;
  std::map<TaskFile, std::string> files;  ///< contents as handed in, but for byte order marks and CRLF
  std::vector<std::string> notes;         ///< for the student: what was ignored, and why
  std::string problem;                    ///< why nothing could be taken; or ""
  std::string digest;                     ///< SHA-256 over what was taken: places and contents
};

/// Takes those files of a submission that tasks name, and nothing else. A file belongs to a task if its path
/// ends with labs/07_transpose/transpose_tiled.cu, else with 07_transpose/transpose_tiled.cu, else if it has
/// that name and no other lab has a file of that name. Of several, the one within the fewest archives is
/// taken, then one that has just this name, then the one with the longest such end, then the one under the
/// fewest folders; if some that differ are left, none is, and a note says so. Archives within a submission
/// are opened too; of one that cannot be read to its end nothing is taken, and a note says so. An answers.md
/// in the folder of a lab belongs to no other lab.
///
/// Throws nothing for what a submission holds: `problem` tells. Links are not followed, pipes and devices not
/// opened, and nothing is written.
Intake read_submission(const Submission& submission, const std::vector<TaskFile>& wanted,
                       const IntakeLimits& limits = {});

/// The files of a submission whose names have some ending, as they were handed in.
struct FoundFiles {
  std::vector<SubmissionFile> files;
  std::vector<std::string> notes;  ///< what was ignored, and why
  std::string problem;             ///< why it cannot be read; or ""
};

/// Finds the files of a submission by the ending of their names, such as ".json". A submission may itself be
/// such a file. Reads, and throws nothing, as read_submission() does.
FoundFiles read_files(const Submission& submission, const std::string& ending,
                      const IntakeLimits& limits = {});

}  // namespace warplab
