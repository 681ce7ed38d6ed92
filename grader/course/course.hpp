#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/host/case.hpp"

namespace warplab {

/// A bound on one run of a rung, every block recorded: on what the lens counts, which is performance without
/// a clock, or on a figure that the problem computes from the outputs, such as their error.
struct Limit {
  std::string measure;  ///< one of limit_measures(); "" for a limit on a figure
  double most = 0;      ///< the largest value that meets it
  std::string why;      ///< what a value above it means, for the student
  /// Of the case it is counted at, what differs from the lab's default case on the emulator.
  std::vector<std::pair<std::string, std::int64_t>> size = {};
  std::vector<std::pair<std::string, double>> params = {};
  std::optional<DType> dtype = {};
  double weight = 1;        ///< so many parts of the task's points for limits are its
  std::string figure = {};  ///< one of Problem::figures(), of which the absolute value is bounded; or ""
  /// Sizes that are drawn near an extent of up to 1024 are its multiples: the side of the rungs' largest
  /// tile.
  std::int64_t step = 64;
  /// So many steps (the measure `busiest`) may its runs take, where they are not like the task's others.
  std::optional<double> busiest = {};
};

/// What is asked of a rung where there is a clock: no points depend on it.
struct ClockLimit {
  double most = 1.25;  ///< times as long as our own version of the rung may take
  /// Of the case that is timed, what differs from the lab's default case on a GPU.
  std::vector<std::pair<std::string, std::int64_t>> size = {};
};

/// Something that a student writes: a rung, or a part of one.
struct Task {
  std::string lab;          ///< "transpose"
  std::string id;           ///< "tiled"
  std::string title;        ///< "A tile in shared memory"
  std::size_t number = 0;   ///< its place in tasks.json and in the handout, from 1
  double points = 0;        ///< a lab's sum to Lab::points; 0: it is beyond them
  double usual_points = 0;  ///< as tasks.json and the handout have it, where course.json says otherwise
  std::string file;         ///< "transpose_tiled.cu", in the lab's folder; several tasks may share one
  /// "image_filter_sums.hpp": headers of the lab that a student writes for it as well.
  std::vector<std::string> headers = {};
  std::string rung;      ///< that it is, or is part of
  std::string launcher;  ///< the function that the rung's file defines: "transpose_tiled", unless it says so
  std::string hint;      ///< one or two sentences
  std::vector<std::string>
      tests;  ///< "TransposeTiled.MatchesReferenceAtEverySize": the public ones, of CTest
  /// Only cases with these values belong to the task, where it is part of a rung: {"filters", 1}.
  std::vector<std::pair<std::string, double>> only = {};
  /// Where blocks and tiles fit, which is the first of two steps: {"rows", 64} for multiples of 64, {"shift",
  /// 0} for no other value. Empty: the task has one step.
  std::vector<std::pair<std::string, std::int64_t>> fits = {};
  std::vector<Limit> limits = {};
  /// So many steps (the measure `busiest`) may a run for a limit take that does not say otherwise, or the
  /// limit is not met; absent: any number.
  std::optional<double> busiest = {};
  double limits_share = 0.4;  ///< of its points, where it has limits; the rest is for right values
  ClockLimit clock = {};
  std::string deadline = {};  ///< as course.json has it, for people; nothing is enforced
  std::string name() const { return lab + "/" + id; }
  std::vector<std::string> files() const;  ///< the file, then the headers
};

/// A lab of the course, as its tasks.json describes it.
struct Lab {
  std::string stem;              ///< "transpose"
  std::filesystem::path folder;  ///< labs/07_transpose, absolute
  std::vector<Task> tasks;
  double points = 100;  ///< that those of its tasks sum to
  /// Those that course.json takes out for the term: nothing is asked of them. Their stubs stay.
  std::vector<Task> dropped = {};
};

/// The tasks of a lab with those that are dropped, as the handout has them.
std::vector<Task> tasks_of_handout(const Lab& lab);

/// All labs of a tree with their tasks, as tasks.json and course.json say.
struct Course {
  std::filesystem::path root;  ///< of the tree, absolute
  std::vector<Lab> labs;       ///< by their numbers

  /// @throws BadInput naming the file, and the task, of what is missing, of the wrong type, unknown or twice
  static Course read(const std::filesystem::path& root);
  /// Of those labs only ("transpose" or "07_transpose"; all if empty). @throws BadInput with the nearest name
  Course only(const std::vector<std::string>& labs) const;
  const Lab* find(const std::string& stem) const;
  /// What its labs cannot do without, relative to the root: tasks.json, problem and oracle of each, and
  /// course.json where there is one.
  std::vector<std::filesystem::path> files() const;
};

/// Says that `name` is not one of these labs, and which was meant.
BadInput unknown_lab(const std::string& name, const std::vector<std::string>& labs);

/// What course.json has on these labs: of others it must not speak where they are not.
std::string of_these_labs(const std::string& course_json, const Course& course);

/// SHA-256 over what decides points: the tasks, their points and limits, what is asked at hidden sizes, and
/// the labs' headers, problems, adapters and oracles. What was graded with another is not to be compared.
/// @param hidden the folder tests/hidden; what it has not counts as nothing
std::string digest_of_tasks(const Course& course, const std::filesystem::path& hidden);

}  // namespace warplab
