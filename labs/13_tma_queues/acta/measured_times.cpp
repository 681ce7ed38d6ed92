#include "measured_times.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <vector>

#include "common/io/file_content.hpp"

namespace warplab::acta {
namespace {

constexpr std::string_view header = "rung,kernel,tile,slots,ms";

[[noreturn]] void refuse(std::string_view origin, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}: {}", origin, what));
}

struct Row {
  std::string rung, kernel;
  Choice size;
  double ms;
};

/// Throws an exception of any kind where the line is not a row.
Row row_from(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (cells.size() != 5) throw std::invalid_argument("not five cells");
  const Row row{cells[0], cells[1], {std::stoul(cells[2]), std::stoi(cells[3])}, std::stod(cells[4])};
  if (row.size.tile == 0 || row.size.slots < 1 || !(row.ms > 0)) throw std::invalid_argument("no size");
  return row;
}

}  // namespace

MeasuredTimes MeasuredTimes::read(const std::filesystem::path& file) {
  const std::string origin = file.string();
  std::istringstream in(file_content(file));
  std::string line;
  if (!std::getline(in, line) || !line.starts_with("# ")) refuse(origin, "line 1 must be '# ' and the GPU");
  MeasuredTimes result(line.substr(2));
  if (!std::getline(in, line) || line != header) refuse(origin, fmt::format("line 2 must be '{}'", header));
  for (int number = 3; std::getline(in, line); ++number) {
    try {
      const Row row = row_from(line);
      result.times_[{row.rung, row.kernel, row.size}] = row.ms;
    } catch (const std::exception&) {
      refuse(origin, fmt::format("line {} is '{}'; it must be {}", number, line, header));
    }
  }
  if (result.times_.empty()) refuse(origin, "it has no times");
  return result;
}

std::string MeasuredTimes::to_csv() const {
  std::string text = fmt::format("# {}\n{}\n", about_, header);
  for (const auto& [key, ms] : times_) {
    const auto& [rung, kernel, size] = key;
    text += fmt::format("{},{},{},{},{:.6g}\n", rung, kernel, size.tile, size.slots, ms);
  }
  return text;
}

void MeasuredTimes::set(const std::string& rung, const std::string& kernel, Choice size, double ms) {
  times_[{rung, kernel, size}] = ms;
}

std::optional<double> MeasuredTimes::time(const std::string& rung, const std::string& kernel,
                                          Choice size) const {
  const auto found = times_.find({rung, kernel, size});
  return found == times_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Choice> MeasuredTimes::fastest(const std::string& rung, const std::string& kernel) const {
  std::optional<Choice> best;
  double shortest = 0;
  for (const auto& [key, ms] : times_) {
    const auto& [of_rung, of_kernel, size] = key;
    if (of_rung != rung || of_kernel != kernel || (best && ms >= shortest)) continue;
    best = size;
    shortest = ms;
  }
  return best;
}

}  // namespace warplab::acta
