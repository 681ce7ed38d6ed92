#pragma once

#include <memory>
#include <string>

#include "common/rung_request.hpp"
#include "grader/course.hpp"
#include "grader/record.hpp"

namespace warplab {

/// Where a student's file becomes something that can be run and judged. One a thread.
class Workshop {
 public:
  virtual ~Workshop() = default;

  /// What became of a build: something to run, or a reason.
  struct Built {
    std::unique_ptr<RungRunner>
        runner;  ///< null if it could not be built; not to outlive the workshop's next build
    TaskRecord::Status status = TaskRecord::Status::judged;
    std::string reason;  ///< why there is no runner, for the student
  };
  /// Builds the task's rung with `content` in the place of the task's file, in an otherwise pristine tree.
  virtual Built build(const Task& task, const std::string& content) = 0;
};

}  // namespace warplab
