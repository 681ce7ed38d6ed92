#include "grader/batch/batch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <exception>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/batch/child_result.hpp"
#include "grader/batch/collect.hpp"
#include "grader/batch/failed_record.hpp"
#include "grader/batch/isolated_child.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/grading.hpp"
#include "grader/judge/hand_ins.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/people/entry_name.hpp"
#include "grader/report/outputs.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The folder of a batch: records for whoever may read `out`, who is its owner unless it was made before, and
/// what only the judge reads.
class BatchFolder {
 public:
  explicit BatchFolder(fs::path out) : out_(std::move(out)) {}

  /// @throws BadInput if it holds a batch and is not to be resumed, or the other way round
  void open(const BatchOptions& options) {
    refuse_place_within(options.submissions);
    const bool holds_batch = fs::exists(seed_file());
    const bool is_used = fs::exists(out_) && !fs::is_empty(out_);
    if (holds_batch && !options.resume && !options.shard)
      throw BadInput(out_.string() +
                     " holds a batch already; --resume goes on with it, another --out begins again");
    if (is_used && !holds_batch && !fs::exists(out_ / "judge"))
      throw BadInput(out_.string() +
                     " holds something that is not a batch of warplab; --out takes a new folder");
    const bool is_new = !fs::exists(out_);
    std::error_code error;
    fs::create_directories(out_ / "judge", error);
    if (error) throw BadInput(fmt::format("cannot write to {}: {}", out_.string(), error.message()));
    if (is_new) chmod(out_.c_str(), 0700);
    chmod((out_ / "judge").c_str(), 0700);
  }

  /// The batch's secret: the one that it has, else the one given, else a fresh one.
  Secret secret(const std::optional<Secret>& given) const {
    if (!fs::exists(seed_file())) {
      const Secret chosen = given ? *given : Secret::fresh();
      // Shards of a batch begin at the same time: whoever links its file first has chosen for all.
      const fs::path mine = seed_file().string() + fmt::format(".{}", Secret::fresh().digits());
      write_file_atomically(mine, chosen.digits() + "\n");
      chmod(mine.c_str(), 0600);
      std::error_code taken;
      fs::create_hard_link(mine, seed_file(), taken);
      fs::remove(mine);
    }
    const Secret secret = Secret::in_file(seed_file());
    if (given && given->digits() != secret.digits())
      throw BadInput("--seed-file does not hold the seed of the batch in " + out_.string() +
                     "; another --out begins again");
    return secret;
  }

 private:
  /// The batch would take what it writes for a student's submission. @throws BadInput
  void refuse_place_within(fs::path submissions) const {
    if (!submissions.has_filename()) submissions = submissions.parent_path();
    const fs::path outer = fs::weakly_canonical(submissions), inner = fs::weakly_canonical(out_);
    if (std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end())
      throw BadInput(
          fmt::format("--out {} lies in {}, where it would be taken for a student: name another place",
                      out_.string(), submissions.string()));
  }

  fs::path seed_file() const { return out_ / "judge" / "seed"; }
  fs::path out_;
};

/// What a child process did with a submission.
struct GradedInChild {
  SubmissionRecord record;             ///< of what was handed in last, with those before it
  std::string remark;                  ///< for whoever watches the batch
  bool failed = false;                 ///< warplab itself failed
  std::vector<std::string> keys = {};  ///< of the record's tasks, for tasks that were built; "" for others
};

nlohmann::ordered_json json_of(const GradedInChild& graded) {
  return {{"record", to_json(graded.record)},
          {"remark", valid_utf8(graded.remark)},
          {"failed", graded.failed},
          {"keys", graded.keys}};
}

GradedInChild graded_from(const nlohmann::ordered_json& json) {
  return {record_from(json.at("record")), json.at("remark").get<std::string>(), json.at("failed").get<bool>(),
          json.at("keys").get<std::vector<std::string>>()};
}

/// Grades submissions, each in a child process of its own: a submission that ends the grader's process ends
/// no other's. What children learn and others can use goes back to this process.
class Grading {
 public:
  Grading(const Course& course, const BatchOptions& options, const Judge& judge, GradingConditions conditions,
          std::vector<Submission> submissions, const Secret& secret)
      : course_(course),
        judge_(judge),
        secret_(secret),
        clock_(options.clock),
        conditions_(std::move(conditions)),
        out_(options.out),
        store_(options.out),
        submissions_(std::move(submissions)),
        files_(submission_files(course)),
        times_(listed_times(options.submissions)) {
    for (const Submission& submission : submissions_) to_begin_.push_back(&submission);
  }

  /// As many at a time as there are builders. @throws BadInput if a record can't be kept
  void run(const std::vector<std::unique_ptr<RungBuilder>>& builders) {
    std::vector<std::optional<Begun>> begun(builders.size());
    for (;;) {
      std::vector<pollfd> waiting;
      for (std::size_t i = 0; i < begun.size(); ++i) {
        if (!begun[i]) begin(begun[i], *builders[i]);
        if (begun[i]) waiting.push_back({begun[i]->child->descriptor(), POLLIN, 0});
      }
      if (waiting.empty() && take_up_unclaimed()) continue;
      if (waiting.empty()) return;
      poll(waiting.data(), waiting.size(), -1);
      for (const pollfd& one : waiting) {
        const auto which =
            std::ranges::find_if(begun, [&](const auto& b) { return b && b->child->descriptor() == one.fd; });
        if (one.revents == 0 || !(*which)->child->take()) continue;
        finish(**which);
        which->reset();
      }
    }
  }
  bool failed() const { return failed_; }

 private:
  struct Begun {
    const Submission* submission;
    Claim claim;
    RungBuilder* builder;
    std::unique_ptr<IsolatedChild> child;
  };

  /// The next submission that no other process has, if there is one.
  void begin(std::optional<Begun>& begun, RungBuilder& builder) {
    while (!to_begin_.empty()) {
      const Submission& submission = *to_begin_.front();
      to_begin_.pop_front();
      std::optional<Claim> claim = store_.claim(submission.student);
      if (!claim) unclaimed_.push_back(&submission);
      if (!claim) continue;
      begun.emplace(Begun{&submission, std::move(*claim), &builder, std::make_unique<IsolatedChild>([&] {
                            return text_of_result([&] { return json_of(grade(submission, builder)); });
                          })});
      return;
    }
  }

  /// Tries again what another process had, until it is done with it or has ended: one that was killed keeps
  /// its claims until the last process that it began has ended. @return whether there is anything to try
  bool take_up_unclaimed() {
    constexpr int short_waits = 50;
    if (unclaimed_.empty()) return false;
    if (++waits_ == short_waits) {
      fmt::print("waiting for {} that another process grades\n", counted(unclaimed_.size(), "submission"));
      std::fflush(stdout);
    }
    usleep(waits_ < short_waits ? 100'000 : 1'000'000);
    to_begin_.swap(unclaimed_);
    return true;
  }

  /// Whether a record is of the same secret, tasks, points and limits.
  bool is_comparable(const SubmissionRecord& record) const {
    return record.status != SubmissionRecord::Status::own_failure &&
           record.seed_digest == conditions_.seed_digest && record.tasks_digest == conditions_.tasks_digest;
  }

  /// What was handed in under a name and graded, as far as that is comparable.
  std::vector<SubmissionRecord> graded_before(const std::string& student) const {
    const std::optional<SubmissionRecord> stored = store_.read(student);
    std::vector<SubmissionRecord> before = stored ? hand_ins_of(*stored) : std::vector<SubmissionRecord>();
    std::erase_if(before, [this](const SubmissionRecord& record) { return !is_comparable(record); });
    return before;
  }

  // --- In the child ---

  GradedInChild grade(const Submission& submission, RungBuilder& builder) {
    const Intake intake = read_submission(submission, files_);
    std::vector<SubmissionRecord> before = graded_before(submission.student);
    if (!before.empty() && before.back().digest == intake.digest && before.back().problem == intake.problem)
      return graded_already(std::move(before));
    GradedInChild graded;
    try {
      graded.record = grade_submission(course_, judge_, intake, builder, conditions_, known_);
      graded.keys = keys_of(intake);
    } catch (const std::exception& error) {
      graded.record = failed_record(course_, judge_, intake, conditions_, error.what());
      graded.failed = true;
    }
    graded.record.submitted = time_of(graded.record);
    graded.remark = graded.record.problem;
    const double points = graded.record.score();
    graded.record.earlier = std::move(before);
    if (graded.remark.empty() && best_of(graded.record).score() > points)
      graded.remark = fmt::format("{:g} points now, and more before", points);
    write(graded.record);
    return graded;
  }

  /// What was handed in last is there again: as it was, or after something that warplab failed on.
  GradedInChild graded_already(std::vector<SubmissionRecord> before) {
    SubmissionRecord& last = before.back();
    const std::optional<SubmissionRecord> stored = store_.read(last.student);
    const bool lacks_time = last.submitted.empty() && !time_of(last).empty();
    if (lacks_time) last.submitted = time_of(last);
    const bool is_stored = stored && stored->digest == last.digest && stored->status == last.status;
    GradedInChild graded{record_of(std::move(before)), "as graded before"};
    if (lacks_time || !is_stored) write(graded.record);
    return graded;
  }

  /// When a list beside the submissions says that it was handed in; or "".
  std::string time_of(const SubmissionRecord& record) const {
    const auto time = times_.find(without_archive_ending(record.source));
    return time == times_.end() ? "" : time->second;
  }

  std::vector<std::string> keys_of(const Intake& intake) const {
    std::vector<std::string> keys;
    for (const Lab& lab : course_.labs)
      for (const Task& task : lab.tasks) {
        const FileTexts files = files_of(task, lab, intake);
        keys.push_back(files.contains(task.file) ? key_of(task, files) : "");
      }
    return keys;
  }

  // --- In this process ---

  void finish(Begun& begun) {
    const Submission& submission = *begun.submission;
    const IsolatedChild::End end = begun.child->end();
    begun.builder->clean_up();
    std::string why = end.why;
    const auto json = end.result ? result_in(*end.result, why) : nlohmann::ordered_json();
    if (json.is_null()) return note_crash(submission, why);
    GradedInChild graded;
    try {
      graded = graded_from(json);
    } catch (const std::exception& error) {
      return note_crash(submission, error.what());
    }
    failed_ |= graded.failed;
    for (std::size_t i = 0; i < graded.keys.size() && i < graded.record.tasks.size(); ++i)
      if (!graded.keys[i].empty()) known_.add(graded.keys[i], graded.record.tasks[i]);
    say(submission, graded.record, timed(graded.record, submission, graded.remark));
  }

  /// The child's process ended before it was done.
  void note_crash(const Submission& submission, const std::string& why) {
    failed_ = true;
    Intake unread;
    unread.student = submission.student;
    unread.source = submission.source;
    SubmissionRecord record = failed_record(course_, judge_, unread, conditions_, why);
    record.submitted = time_of(record);
    record.earlier = graded_before(submission.student);
    write(record);
    say(submission, record, record.problem);
  }

  void write(const SubmissionRecord& record) {
    try {
      store_.write(record);
      write_student_outputs(out_, best_of(record));
    } catch (const BadInput& error) {
      throw CannotWrite(error.what());
    }
  }

  /// Adds what the clock says to a record that is without it, so that no failure of a device costs it. Files
  /// that are not those of the record are not timed.
  /// @return the remark, with what went wrong
  std::string timed(SubmissionRecord record, const Submission& submission, std::string remark) {
    if (!clock_) return remark;
    try {
      const Intake intake = read_submission(submission, files_);
      if (intake.digest == record.digest)
        add_readings(course_, intake, secret_, *clock_, readings_, record,
                     [this](const SubmissionRecord& timed) { write(timed); });
      return remark;
    } catch (const std::exception& error) {
      failed_ = true;
      return (remark.empty() ? "" : remark + "; ") + "not timed, --resume tries again: " + error.what();
    }
  }

  void say(const Submission& submission, const SubmissionRecord& record, const std::string& remark) {
    fmt::print("[{}/{}] {:<32} {:>6g} of {:g}{}{}\n", ++done_, submissions_.size(), submission.student,
               best_of(record).score(), record.points(), remark.empty() ? "" : "  ", remark);
    std::fflush(stdout);
  }

  const Course& course_;
  const Judge& judge_;
  const Secret& secret_;
  TaskClock* const clock_;  ///< or null
  const GradingConditions conditions_;
  const fs::path out_;
  const RecordStore store_;
  const std::vector<Submission> submissions_;
  const std::vector<TaskFile> files_;
  const std::map<std::string, std::string> times_;  ///< of entries
  KnownVerdicts known_;
  KnownReadings readings_;
  std::deque<const Submission*> to_begin_, unclaimed_;
  int waits_ = 0;
  std::size_t done_ = 0;
  bool failed_ = false;
};

/// "3 h 20 min", rounded up.
std::string duration_text(double seconds) {
  const auto minutes = static_cast<std::int64_t>(std::ceil(seconds / 60));
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

void say_worst_case(std::size_t submissions, const BatchOptions& options) {
  const double in_turn = std::ceil(static_cast<double>(submissions) / std::max(1u, options.jobs));
  fmt::print("{}, {} at a time: at most {} each, and {} in all\n", counted(submissions, "submission"),
             std::max(1u, options.jobs), duration_text(options.submission_s),
             duration_text(in_turn * options.submission_s));
  std::fflush(stdout);
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%u/%u%c", &shard.index, &shard.count, &rest) != 2 || shard.index < 1 ||
      shard.index > shard.count)
    throw BadInput("--shard is '" + text + "'; it takes I/N with I from 1 to N, such as 2/5");
  return shard;
}

int grade_batch(const Course& course, const BatchOptions& options, const BuilderMaker& make_builder) {
  std::vector<Submission> all = find_submissions(options.submissions), mine;
  if (options.plan) check_entries(*options.plan, options.submissions, all);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!options.shard || i % options.shard->count == options.shard->index - 1) mine.push_back(all[i]);
  BatchFolder folder(options.out);
  folder.open(options);
  const Secret secret = folder.secret(options.seed);
  const Judge judge(secret, options.hidden);
  const GradingConditions conditions{options.sandbox, sha256(secret.digits()),
                                     digest_of_tasks(course, options.hidden)};
  if (options.submission_s > 0) say_worst_case(mine.size(), options);
  Grading grading(course, options, judge, conditions, std::move(mine), secret);

  // Builders are made here, so that whatever keeps them from being made is said before anything is graded.
  std::vector<std::unique_ptr<RungBuilder>> builders;
  for (unsigned i = 0; i < std::max(1u, options.jobs); ++i) builders.push_back(make_builder(i));
  grading.run(builders);

  if (!options.shard)
    for (const std::string& remark : collect(course, options.out, options.submissions, options.plan).remarks)
      fmt::print("{}\n", remark);
  return grading.failed() ? exit_fault : exit_ok;
}

}  // namespace warplab
