#include "report/gnuplot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "harness/child_process.hpp"

namespace warplab::report {
namespace {

namespace fs = std::filesystem;

constexpr double max_seconds = 120;

/// A folder that goes when the object does.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "warplab-charts-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

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
  const TemporaryFolder folder;
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
    drawings.push_back(read(folder / fmt::format("{}.svg", i)));
  return drawings;
}

}  // namespace warplab::report
