#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "grader/course/course.hpp"
#include "grader/course/secret.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/record.hpp"
#include "grader/judge/rung_builder.hpp"

namespace warplab {

/// Something with a clock that can run students' files. Used by several threads at a time.
class TaskClock {
 public:
  virtual ~TaskClock() = default;
  /// Whether there is something to time in the task.
  virtual bool takes(const Task& task) const = 0;
  /// Times the task's rung with these texts in the place of the task's files, on inputs drawn from `seed`.
  /// @throws std::runtime_error if warplab itself fails, which says nothing about the file
  virtual ClockReading time(const Task& task, const FileTexts& files, std::uint64_t seed) = 0;
};

/// The readings of a batch by task and files: the same ones are timed once, whoever hands it in.
class KnownReadings {
 public:
  ClockReading of(const Task& task, const FileTexts& files, std::uint64_t seed, TaskClock& clock);

 private:
  std::mutex mutex_;
  std::map<std::string, ClockReading> readings_;
};

/// Asks the clock about each task of a record that was right in all its checks and has no reading yet.
/// @param keep is called with the record after each reading, so that none is lost with those that follow
/// @throws as TaskClock::time; readings taken before stay in the record
void add_readings(const Course& course, const Intake& intake, const Secret& secret, TaskClock& clock,
                  KnownReadings& known, SubmissionRecord& record,
                  const std::function<void(const SubmissionRecord&)>& keep);

}  // namespace warplab
