#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/record.hpp"

namespace warplab {

/// The right to grade one submission, until it is destroyed or its process ends, however that ends.
class Claim {
 public:
  explicit Claim(int descriptor) : descriptor_(descriptor) {}
  ~Claim();
  Claim(Claim&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  Claim& operator=(Claim&&) = delete;

 private:
  int descriptor_;
};

/// The records of a batch, one file per submission: `FOLDER/records/<student>.json`. Files appear whole or
/// not at all, and any number of processes may write and read at a time.
class RecordStore {
 public:
  /// @throws BadInput if the folder cannot be made
  explicit RecordStore(const std::filesystem::path& folder);

  /// @throws BadInput if it cannot be written, std::invalid_argument if the student's
  /// name is none of printable_name()
  void write(const SubmissionRecord& record) const;

  /// The record of what a student handed in last, with those before it, if there is a whole one.
  std::optional<SubmissionRecord> read(const std::string& student) const;

  /// What a look at the folder found.
  struct Contents {
    std::vector<SubmissionRecord> records;   ///< best_of() each entry, by students' names, byte by byte
    std::vector<SubmissionRecord> hand_ins;  ///< all, in the same order, and of an entry the last one last
    std::vector<std::string> problems;       ///< a sentence for each file that is not a record
  };
  Contents read_all() const;
  /// The same of a batch's folder that is only read. @throws BadInput if it holds no records
  static Contents read_batch(const std::filesystem::path& folder);

  /// The claim on a student's submission, or nothing if another process (or another claim of this one) has
  /// it. Whoever gets it must look for a record before grading: the one before may have finished.
  ///
  /// A claim is a lock on one byte of FOLDER/claims, at a place that the name's digest gives. The kernel
  /// gives it back when the process dies, kill -9 included, so no claim is ever stale and none needs to be
  /// broken by a guess at time. Network file systems hand such locks to their servers. Where one knows no
  /// locks, every claim is granted; jobs of an array stay apart there, because their shards do not overlap.
  /// @throws BadInput if the file cannot be opened
  std::optional<Claim> claim(const std::string& student) const;

 private:
  std::filesystem::path place(const std::string& student) const;
  std::filesystem::path folder_;
};

}  // namespace warplab
