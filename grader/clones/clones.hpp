#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/people/roster.hpp"
#include "grader/term/instant.hpp"

namespace warplab {

/// Which repositories are submissions, and until when.
struct CloneRequest {
  /// A folder with one repository per student, or the beginning of their addresses: "ORG/PREFIX" on GitHub,
  /// "https://host/ORG/PREFIX", "/srv/git/PREFIX". After it come a hyphen and the student's GitHub name, the
  /// login without one, or the group.
  std::string from;
  std::optional<Instant> before;      ///< commits after it do not count
  std::filesystem::path submissions;  ///< where the archives go, made if it is not there
  const Roster* roster = nullptr;     ///< for whom addresses are made; not needed for a folder
  /// What an archive may take; a larger one is refused when submissions are read.
  std::uint64_t archive_bytes = std::uint64_t{256} << 20;
};

/// What was found.
struct ClonedSubmissions {
  std::size_t taken = 0;
  std::vector<std::string> remarks;  ///< a sentence for each repository that gave no submission
};

/// Writes `submissions`/NAME.tar for each repository: its last commit on the default branch, by the
/// committer's date. What is fetched stays in `submissions`.git, with times.csv (entry, commit, submitted),
/// so that another run fetches only what is new. Ended at any moment, it can be run again.
/// @throws BadInput if no repository is found, or a file cannot be written; NotAvailable without git
ClonedSubmissions take_from_git(const CloneRequest& request);

/// The folder where take_from_git() keeps what it needs: "submissions.git".
std::filesystem::path clones_folder(const std::filesystem::path& submissions);

/// The times of entries in a times.csv. Empty if there is no such file. @throws BadInput with the line
std::map<std::string, Instant> read_git_times(const std::filesystem::path& file);

}  // namespace warplab
