#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "search.hpp"

namespace warplab::acta {

/// What an exhaustive search on a GPU measured: the time of each rung and kernel with each size of the queues
/// that stream.
class MeasuredTimes {
 public:
  /// A table without times. @param about the GPU, then ", " and the commit and the date
  explicit MeasuredTimes(std::string about) : about_(std::move(about)) {}

  /// Reads what to_csv() wrote. @throws std::invalid_argument naming the file and the line
  static MeasuredTimes read(const std::filesystem::path& file);

  /// "# about", the header rung,kernel,tile,slots,ms, and a row per time.
  std::string to_csv() const;

  void set(const std::string& rung, const std::string& kernel, Choice size, double ms);

  /// Milliseconds. @return nothing where this size was not measured, since it does not fit
  std::optional<double> time(const std::string& rung, const std::string& kernel, Choice size) const;

  /// The size with the shortest time. @return nothing where this rung and kernel were not measured
  std::optional<Choice> fastest(const std::string& rung, const std::string& kernel) const;

  const std::string& about() const { return about_; }  ///< GPU, commit and date

 private:
  std::string about_;
  std::map<std::tuple<std::string, std::string, Choice>, double> times_;
};

}  // namespace warplab::acta
