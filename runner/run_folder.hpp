#pragma once

#include <filesystem>
#include <optional>

#include "common/io/temporary_folder.hpp"

namespace warplab::runner {

/// The folder that a run's results go to. They are gathered in a hidden folder beside it, which takes its
/// place in one step; without that step nothing of them stays. A new folder is made at once, empty, so that
/// no other run takes its number.
class RunFolder {
 public:
  /// @param out where the results go; empty: a new one in results/, named by the date and a number
  /// @throws BadInput if that is not a folder for results, or cannot be written
  explicit RunFolder(const std::filesystem::path& out);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Where the results are gathered.
  const std::filesystem::path& gathered() const { return gathered_->path(); }
  /// Where they will be.
  const std::filesystem::path& destination() const { return destination_; }
  /// Which run of the day this is; 1 where the folder was named.
  int number() const { return number_; }

  /// Puts what was gathered in the place of the destination, and lets results/latest name a new run.
  /// @throws std::filesystem::filesystem_error
  void publish();

 private:
  /// Takes the day's next number that is free. @throws std::filesystem::filesystem_error
  void reserve(const std::filesystem::path& parent);

  std::filesystem::path destination_;
  std::optional<TemporaryFolder> gathered_;
  int number_ = 1;
  bool is_named_ = false;
};

}  // namespace warplab::runner
