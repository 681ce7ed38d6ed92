#include "report/gnuplot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"
#include "harness/child_process.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

constexpr double max_seconds = 120;

/// A string as gnuplot reads it between single quotes.
std::string quoted_path(const fs::path& path) {
  std::string text = "'";
  for (char c : path.string()) text += c == '\'' ? "''" : std::string(1, c);
  return text + "'";
}

}  // namespace

std::optional<fs::path> find_gnuplot() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "gnuplot";
    if (!folder.empty() && access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) return program;
  }
  return std::nullopt;
}

std::vector<std::string> draw(const fs::path& gnuplot, const std::vector<ChartScript>& scripts) {
  const TemporaryFolder temporary(fs::temp_directory_path() / "warplab-charts-");
  const fs::path& folder = temporary.path();
  {
    std::ofstream out(folder / "charts.gp");
    for (std::size_t i = 0; i < scripts.size(); ++i)
      out << fmt::format(
          "reset\nset terminal svg size {:.0f},{:.0f} dynamic noenhanced font \"sans,12\"\n"
          "set output {}\n{}",
          scripts[i].width, scripts[i].height, quoted_path(folder / fmt::format("{}.svg", i)),
          scripts[i].commands);
    out << "set output\n";
  }
  ChildProcess child({gnuplot.string(), "-d", (folder / "charts.gp").string()});
  if (child.wait(max_seconds) == ChildProcess::Event::timeout) child.kill();
  std::vector<std::string> drawings;
  for (std::size_t i = 0; i < scripts.size(); ++i)
    drawings.push_back(file_content(folder / fmt::format("{}.svg", i)));
  return drawings;
}

}  // namespace warplab::report
