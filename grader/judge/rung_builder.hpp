#pragma once

#include <functional>
#include <memory>
#include <string>

#include "grader/course/task_files.hpp"
#include "grader/judge/record.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

/// Where a student's file becomes something that can be run and judged. One per thread.
class RungBuilder {
 public:
  virtual ~RungBuilder() = default;

  /// The outcome of a build: something to run, or a reason.
  struct Built {
    std::unique_ptr<RungRunner>
        runner;  ///< null if it could not be built; not to outlive the builder's next build
    TaskRecord::Status status = TaskRecord::Status::judged;
    std::string reason;       ///< why there is no runner, for the student
    std::string notice = {};  ///< what the instructor may want to know besides
  };
  /// Builds the task's rung in a tree as students get it, with these in the places of the task's files. A
  /// header of the task that is not among them is as it was handed out.
  virtual Built build(const Task& task, const FileTexts& files) = 0;
  /// Ends what builds left running in a child process of this one, which has ended.
  virtual void clean_up() {}
};

/// Makes the builder of one thread, whose number from 0 it gets.
using BuilderMaker = std::function<std::unique_ptr<RungBuilder>(unsigned thread)>;

}  // namespace warplab
