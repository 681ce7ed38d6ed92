#pragma once

#include <cstddef>
#include <string>

namespace warplab {

/// A progress bar on stderr, only where that is a terminal; cleared when it goes out of scope.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows that `done` steps are done and what is being done now.
  void show(std::size_t done, const std::string& what);
  /// Takes the bar away, so that something else can be printed.
  void clear();

 private:
  std::size_t total_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace warplab
