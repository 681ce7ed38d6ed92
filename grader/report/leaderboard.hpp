#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/course/secret.hpp"
#include "grader/judge/record.hpp"
#include "grader/report/page.hpp"

namespace warplab {

/// A submission that is right, and what the lens counted of it.
struct LeaderboardRow {
  std::string name;            ///< the submission's, or a pseudonym
  std::vector<double> counts;  ///< one for each of the board's measures
  std::size_t beaten_by = 0;   ///< submissions with no count above its own, and one below
};

/// Right submissions to one task by what the lens counted. No count is weighed against another: a submission
/// is beaten by those that are as good in all of them and better in one, so that different strategies can
/// lead side by side. It holds no times: graded again with the same secret it is the same.
struct Leaderboard {
  std::string task;                   ///< "transpose/vectorized"
  std::vector<std::string> measures;  ///< "bytes moved in whole sectors, near 512x512 float"
  std::vector<LeaderboardRow>
      rows;                  ///< beaten by none first; then by their counts, from the first measure on
  std::size_t left_out = 0;  ///< submissions that are wrong somewhere, or have no counts
  std::string row_is = "submission";  ///< or "student"
};

/// @param task "transpose/vectorized"
/// @param pseudonyms the batch's secret, where names are to be replaced; else nothing
/// @throws BadInput if the records have no such task, or it has no limit that is counted
Leaderboard leaderboard_of(const std::vector<SubmissionRecord>& records, const std::string& task,
                           const std::optional<Secret>& pseudonyms);

/// The page for the class. No other page links to it.
Page leaderboard_page(const Leaderboard& board);

/// Each submission's pseudonym, "quiet heron": the same for the same secret, and of no other submission.
std::vector<std::pair<std::string, std::string>> pseudonyms_of(const std::vector<SubmissionRecord>& records,
                                                               const Secret& secret);

}  // namespace warplab
