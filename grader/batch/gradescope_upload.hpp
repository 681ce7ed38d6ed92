#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/report/gradescope.hpp"

namespace warplab {

/// How Gradescope runs the autograder, and what it shows.
struct UploadOptions {
  unsigned minutes = 10;  ///< that the assignment's settings on Gradescope allow a submission
  Visibility hidden_checks = Visibility::visible;
  bool leaderboard = false;
};

/// What make_upload() put into a zip.
struct Upload {
  std::size_t files = 0, bytes = 0;
};

/// Writes the zip that Gradescope makes an autograder of: setup.sh, run_autograder, as much of the pristine
/// tree as grading those labs on the emulator takes, and the secret.
/// @param course of the instructor's tree, with only the labs to be graded
/// @throws BadInput if the tree has no hidden cases, a file is missing or the zip cannot be written;
/// NotAvailable without libarchive
Upload make_upload(const Course& course, const Secret& secret, const UploadOptions& options,
                   const std::filesystem::path& zip);

}  // namespace warplab
