#pragma once

#include <string>

#include "grader/judge/record.hpp"

namespace warplab::test {

/// Text that tries to be a mark, a tag, the end of a section or a terminal's command.
inline const std::string hostile_text =
    "<script>alert(1)</script> ]]> & \"'` **bold** [a](http://x) \x1b[31mred\x1b[0m \x1b]0;title\x07" +
    std::string(1, '\0') + "\xFF\xE2\x80\xAE | ~~ $x$";

inline Check sample_check(const char* name, Check::Kind kind, Check::Status status, double points,
                          double most) {
  Check c;
  c.name = name;
  c.kind = kind;
  c.status = status;
  c.points = points;
  c.max_points = most;
  return c;
}

inline TaskRecord sample_task(const char* lab, const char* id, const char* title, double score,
                              double points) {
  TaskRecord t;
  t.lab = lab;
  t.id = id;
  t.title = title;
  t.hint = std::string("hint of ") + id;
  t.status = TaskRecord::Status::judged;
  t.score = score;
  t.points = points;
  return t;
}

/// With checks of every kind and status.
inline TaskRecord sample_task_with_checks() {
  using Status = Check::Status;
  using Kind = Check::Kind;
  TaskRecord tiled = sample_task("transpose", "tiled", "A tile in shared memory", 7.5, 25);
  tiled.checks = {
      sample_check("right at public sizes", Kind::public_cases, Status::passed, 7.5, 7.5),
      sample_check("right at hidden sizes", Kind::hidden_cases, Status::failed, 0, 10),
      sample_check("at most 1.05 times the shared wavefronts needed", Kind::limit, Status::failed, 0, 5),
      sample_check("races", Kind::public_cases, Status::not_run, 0, 2.5)};
  tiled.checks[1].input = "a size that no tile divides";
  tiled.checks[1].expected = "out[33][65] = SECRET";
  tiled.checks[1].happened = "many elements are wrong";
  tiled.checks[2].input = "4096x4096";
  tiled.checks[2].expected = "at most 1.05 wavefronts per request";
  tiled.checks[2].happened = "32 wavefronts per request, ideal 1\ntranspose_tiled.cu:28 tile[x][y]";
  tiled.checks[3].reason = "the check before it failed";
  return tiled;
}

/// A submission with tasks of every status, and checks of every kind and status.
inline SubmissionRecord sample_record(const std::string& student) {
  using Status = Check::Status;
  using Kind = Check::Kind;
  SubmissionRecord record;
  record.student = student;
  record.source = student + ".zip";
  record.digest = std::string(64, 'd');
  record.sandbox = "bubblewrap";
  record.backend = "emulator";
  record.seed_digest = std::string(64, '5');
  record.notes = {"old/transpose_tiled.cu was not taken"};
  TaskRecord naive = sample_task("transpose", "naive", "One element per thread", 15, 15);
  naive.checks = {sample_check("right at public sizes", Kind::public_cases, Status::passed, 5, 5),
                  sample_check("right at hidden sizes", Kind::hidden_cases, Status::passed, 10, 10)};
  const TaskRecord tiled = sample_task_with_checks();
  TaskRecord padded = sample_task("transpose", "tiled_padded", "No bank conflicts", 0, 15);
  padded.status = TaskRecord::Status::not_compiled;
  padded.reason = "transpose_tiled_padded.cu:31:5: error: expected ';'\n   31 |     }\n      |     ^";
  TaskRecord rows = sample_task("transpose", "tiled_padded_rows", "Four rows per thread", 0, 15);
  rows.status = TaskRecord::Status::refused;
  rows.reason = "line 12 holds inline assembly; write it in CUDA C++";
  TaskRecord swizzled = sample_task("transpose", "tiled_swizzled", "Permute instead of padding", 0, 10);
  swizzled.status = TaskRecord::Status::to_do;
  TaskRecord vectorized = sample_task("transpose", "vectorized", "16 bytes per access", 0, 20);
  vectorized.status = TaskRecord::Status::failed;
  vectorized.reason = "it did not end within 20 s";
  TaskRecord add = sample_task("vector_add", "grid_stride", "A grid of any size", 100.0 / 3, 100);
  add.checks = {sample_check("right at public sizes", Kind::public_cases, Status::passed, 100.0 / 3, 100)};
  TaskRecord absent = sample_task("vector_add", "vectorized", "float4", 0, 0);
  absent.status = TaskRecord::Status::missing;
  record.tasks = {naive, tiled, padded, rows, swizzled, vectorized, add, absent};
  return record;
}

/// The same with hostile text wherever a student's words can appear.
inline SubmissionRecord hostile_record(const std::string& student) {
  SubmissionRecord record = sample_record(student);
  record.source = hostile_text;
  record.notes = {hostile_text, std::string(100'000, 'n')};
  for (TaskRecord& task : record.tasks) {
    if (task.status != TaskRecord::Status::judged) task.reason = hostile_text + "\n```\n" + hostile_text;
    for (Check& check : task.checks) check.happened = check.input = hostile_text;
  }
  return record;
}

}  // namespace warplab::test
