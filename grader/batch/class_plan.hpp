#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/record.hpp"
#include "grader/marks/book.hpp"
#include "grader/marks/exports.hpp"
#include "grader/term/class_files.hpp"

namespace warplab {

/// How the marks of a class are made of a batch, read and checked before anything is graded.
struct ClassPlan {
  Course course;  ///< all its labs
  ClassFiles files;
  std::vector<std::filesystem::path> earlier;  ///< batches of the same term, for late days and other labs
  std::vector<MarkPlatform> platforms;

  /// @throws BadInput as ClassFiles::read, and for an earlier batch that is not there
  static ClassPlan read(const Course& course, const std::filesystem::path& roster,
                        std::vector<std::filesystem::path> earlier,
                        const std::vector<std::string>& platforms);
};

/// Finds out before a batch whether each entry is of one student or of one group, or of nobody.
/// @throws BadInput for an entry that fits two
void check_entries(const ClassPlan& plan, const std::filesystem::path& submissions,
                   const std::vector<Submission>& entries);

/// When entries were handed in, as Gradescope's list and that of commits beside `submissions` have it, by
/// their names without endings.
/// @throws BadInput if a list cannot be read
std::map<std::string, std::string> listed_times(const std::filesystem::path& submissions);

/// A batch that was graded and collected: its records, with the times that are kept in its marks.
/// @throws BadInput if the folder holds no batch
GradedBatch read_graded_batch(const std::filesystem::path& batch);

/// The marks of a batch and of those before it.
class PlannedMarks {
 public:
  /// @param hand_ins of the batch  @param submissions the folder that was graded
  /// @throws BadInput
  PlannedMarks(const ClassPlan& plan, std::vector<SubmissionRecord> hand_ins,
               const std::filesystem::path& submissions);

  /// Writes them into `out`/marks, with Gradescope's list and the times of commits, for later batches.
  /// @return remarks
  /// @throws BadInput
  std::vector<std::string> write(const std::filesystem::path& out) const;

 private:
  const ClassPlan& plan_;
  std::filesystem::path submissions_;
  std::vector<GradedBatch> batches_;
  Book book_;
};

}  // namespace warplab
