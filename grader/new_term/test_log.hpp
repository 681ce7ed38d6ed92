#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/judge/record.hpp"

namespace warplab {

/// Adds a line per judged task to the log of its lab's folder: time, task and points. A student chooses to
/// keep one.
/// @param now in UTC
void note_test(const Lab& lab, const SubmissionRecord& record, std::chrono::sys_seconds now);

/// A pause between two tests above which nobody is taken to have worked.
inline constexpr std::chrono::minutes longest_pause{30};

/// Minutes of work per task, "transpose/tiled", as a log shows them: the time from each test to the next, if
/// it is no longer than longest_pause, belongs to the tasks that the later one judged, in equal parts. It is
/// less than what the student worked, since nothing shows when a first test's work began. Lines that are not
/// of the form, or that go back in time, are left out.
std::map<std::string, double> minutes_in(const Lab& lab, std::string_view log);

/// The minutes of all students who kept a log, task by task, least first. Of two logs one of which begins as
/// the other, as after handing in again, the longer counts.
/// @param submissions folders as `warplab grade` takes them
/// @throws BadInput if one of them cannot be read
std::map<std::string, std::vector<double>> minutes_of_class(
    const Course& course, const std::vector<std::filesystem::path>& submissions);

}  // namespace warplab
