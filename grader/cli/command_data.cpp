#include <fmt/format.h>

#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/tree.hpp"
#include "grader/data/data_output.hpp"
#include "grader/data/data_pack.hpp"
#include "grader/data/filter.hpp"

namespace warplab {
namespace {

constexpr std::size_t max_lines = 60;

/// What there is to ask for.
int list_data(const Course& course) {
  for (const Lab& lab : course.labs) {
    std::string what;
    try {
      const std::vector<MeasuredRow> rows = measurements_of(lab, tree_root());
      std::set<std::string> rungs, devices;
      for (const MeasuredRow& row : rows) rungs.insert(row.rung), devices.insert(row.device);
      what = fmt::format("{} measurements of {} rungs on {}", rows.size(), rungs.size(),
                         fmt::join(devices, " and "));
    } catch (const BadInput& error) {
      what = error.what();
    }
    fmt::print("{:<16}{}\n", lab.stem, what);
  }
  return exit_ok;
}

std::string title_of(const std::string& lab, const std::vector<MeasuredRow>& rows) {
  std::set<std::string> devices;
  for (const MeasuredRow& row : rows) devices.insert(row.device);
  return fmt::format("{} on {}", lab, fmt::join(devices, " and "));
}

}  // namespace

int command_data(const DataCommand& command) {
  const Course course = course_here();
  if (command.lab.empty() && !command.plot.empty()) throw BadInput("--plot takes a lab, such as transpose");
  if (command.lab.empty()) return list_data(course);
  if (!command.plot.empty() && !command.plot.ends_with(".html"))
    throw BadInput("--plot " + command.plot + ": it ends in .html");
  const Lab lab = course.only({command.lab}).labs.at(0);
  const std::vector<MeasuredRow> rows = filtered(measurements_of(lab, tree_root()), command.filter);
  if (rows.empty()) throw BadInput("no measurement is left: each filter has some, and all together none");
  if (!command.plot.empty()) {
    if (rows.size() > max_bars)
      throw BadInput(
          fmt::format("a chart has room for {} measurements, and these are {}: choose fewer with "
                      "--rung, --size, --dtype, --device or --where",
                      max_bars, rows.size()));
    write_file_atomically(command.plot, data_page(rows, title_of(lab.stem, rows)));
  }
  if (command.csv)
    fmt::print("{}", to_csv(rows));
  else if (command.plot.empty())
    fmt::print("{}", data_table(rows, max_lines));
  return exit_ok;
}

}  // namespace warplab
