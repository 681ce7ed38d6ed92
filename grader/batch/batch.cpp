#include "grader/batch/batch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>

#include "common/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/batch/collect.hpp"
#include "grader/intake/intake.hpp"
#include "grader/judge/grading.hpp"
#include "grader/judge/record_store.hpp"
#include "grader/report/outputs.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// The folder of a batch: records for whoever may read `out`, and what only the judge reads.
class BatchFolder {
 public:
  explicit BatchFolder(fs::path out) : out_(std::move(out)) {}

  /// @throws BadInput if it holds a batch and is not to be resumed, or the other way round
  void open(const BatchOptions& options) {
    const bool holds_batch = fs::exists(seed_file());
    const bool is_used = fs::exists(out_) && !fs::is_empty(out_);
    if (holds_batch && !options.resume && !options.shard)
      throw BadInput(out_.string() +
                     " holds a batch already; --resume goes on with it, another --out begins again");
    if (is_used && !holds_batch && !fs::exists(out_ / "judge"))
      throw BadInput(out_.string() +
                     " holds something that is not a batch of warplab; --out takes a new folder");
    std::error_code error;
    fs::create_directories(out_ / "judge", error);
    if (error) throw BadInput(fmt::format("cannot write to {}: {}", out_.string(), error.message()));
    chmod((out_ / "judge").c_str(), 0700);
  }

  /// The batch's secret: the one that it has, else the one given, else a fresh one.
  Secret secret(const std::optional<std::string>& given) const {
    if (!fs::exists(seed_file())) {
      const Secret chosen = given ? Secret(*given) : Secret::fresh();
      // Shards of a batch begin at the same time: whoever links its file first has chosen for all.
      const fs::path mine = seed_file().string() + fmt::format(".{}", Secret::fresh().digits());
      write_file_atomically(mine, chosen.digits() + "\n");
      chmod(mine.c_str(), 0600);
      std::error_code taken;
      fs::create_hard_link(mine, seed_file(), taken);
      fs::remove(mine);
    }
    std::ifstream in(seed_file());
    std::string digits;
    in >> digits;
    const Secret secret(digits);
    if (given && *given != digits)
      throw BadInput("--seed is not the seed of the batch in " + out_.string() +
                     "; another --out begins again");
    return secret;
  }

 private:
  fs::path seed_file() const { return out_ / "judge" / "seed"; }
  fs::path out_;
};

/// A record of what warplab failed on: nothing is lost, and the batch goes on.
SubmissionRecord failed_record(const Course& course, const Judge& judge, const Intake& intake,
                               const GradingConditions& conditions, const std::string& why) {
  Intake nothing = intake;
  nothing.files.clear();
  struct NoBuilder : RungBuilder {
    Built build(const Task&, const FileTexts&) override { return {}; }
  } none;
  KnownVerdicts unknown;
  SubmissionRecord record = grade_submission(course, judge, nothing, none, conditions, unknown);
  record.status = SubmissionRecord::Status::own_failure;
  record.problem = "warplab itself failed on it, and it must be graded again: " + why;
  return record;
}

/// Submissions one after another, by whichever thread is free.
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
        files_(task_files(course)) {}

  /// Grades one submission after another, until none is left or a record can't be kept: what stopped it is
  /// thrown by rethrow().
  void work(RungBuilder& builder) noexcept {
    try {
      for (std::size_t i; (i = next_++) < submissions_.size();) grade(submissions_[i], builder);
    } catch (...) {
      next_ = submissions_.size();  // the others end what they have begun
      const std::lock_guard lock(mutex_);
      if (!stopped_by_) stopped_by_ = std::current_exception();
    }
  }
  /// @pre nobody is at work
  void rethrow() const {
    if (stopped_by_) std::rethrow_exception(stopped_by_);
  }
  bool failed() const { return failed_; }

 private:
  void grade(const Submission& submission, RungBuilder& builder) {
    const std::optional<Claim> claim = store_.claim(submission.student);
    if (!claim) return;  // another process has it
    const Intake intake = read_submission(submission, files_);
    const std::optional<SubmissionRecord> before = store_.read(submission.student);
    // What was graded with another secret, or by other tasks, points or limits, is not to be compared.
    const bool valid = before && before->status != SubmissionRecord::Status::own_failure &&
                       before->seed_digest == conditions_.seed_digest &&
                       before->tasks_digest == conditions_.tasks_digest;
    if (valid && before->digest == intake.digest && before->problem == intake.problem)
      return say(submission, *before, timed(*before, intake, "as graded before"));
    SubmissionRecord record;
    try {
      record = grade_submission(course_, judge_, intake, builder, conditions_, known_);
    } catch (const std::exception& error) {
      record = failed_record(course_, judge_, intake, conditions_, error.what());
      failed_ = true;
    }
    if (valid && before->score() > record.score())
      return say(submission, *before, "the submission graded before was better and stays");
    write(record);
    say(submission, record, timed(record, intake, record.problem));
  }

  void write(const SubmissionRecord& record) {
    store_.write(record);
    write_student_outputs(out_, record);
  }

  /// Adds what the clock says to a record that is without it, so that no failure of a device costs it.
  /// @return the remark, with what went wrong
  std::string timed(SubmissionRecord record, const Intake& intake, std::string remark) {
    if (!clock_) return remark;
    try {
      add_readings(course_, intake, secret_, *clock_, readings_, record,
                   [this](const SubmissionRecord& timed) { write(timed); });
      return remark;
    } catch (const std::exception& error) {
      failed_ = true;
      return (remark.empty() ? "" : remark + "; ") + "not timed, --resume tries again: " + error.what();
    }
  }

  void say(const Submission& submission, const SubmissionRecord& record, const std::string& remark) {
    const std::lock_guard lock(mutex_);
    fmt::print("[{}/{}] {:<32} {:>6g} of {:g}{}{}\n", ++done_, submissions_.size(), submission.student,
               record.score(), record.points(), remark.empty() ? "" : "  ", remark);
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
  KnownVerdicts known_;
  KnownReadings readings_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr stopped_by_;
  std::size_t done_ = 0;
};

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
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!options.shard || i % options.shard->count == options.shard->index - 1) mine.push_back(all[i]);
  BatchFolder folder(options.out);
  folder.open(options);
  const Secret secret = folder.secret(options.seed);
  const Judge judge(secret, options.hidden);
  const GradingConditions conditions{options.sandbox, sha256(secret.digits()),
                                     digest_of_tasks(course, options.hidden)};
  Grading grading(course, options, judge, conditions, std::move(mine), secret);

  // Builders are made here, so that whatever keeps them from being made is said before anything is graded.
  std::vector<std::unique_ptr<RungBuilder>> builders;
  for (unsigned i = 0; i < std::max(1u, options.jobs); ++i) builders.push_back(make_builder(i));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < builders.size(); ++i)
    threads.emplace_back([&, i] { grading.work(*builders[i]); });
  grading.work(*builders[0]);
  for (std::thread& thread : threads) thread.join();
  grading.rethrow();

  if (!options.shard)
    for (const std::string& remark : collect(course, options.out, options.submissions).remarks)
      fmt::print("{}\n", remark);
  return grading.failed() ? exit_fault : exit_ok;
}

}  // namespace warplab
