#include "harness/results/lens_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "common/io/atomic_file.hpp"
#include "harness/console/case_text.hpp"
#include "lens/json.hpp"
#include "lens/pictures/map_svg.hpp"
#include "lens/pictures/tree_svg.hpp"
#include "lens/text/launch_tree.hpp"
#include "lens/text/source_text.hpp"
#include "lens/text/table.hpp"

namespace warplab {
namespace {

std::size_t finding_count(const Measurement& m) {
  std::size_t count = 0;
  if (m.lens)
    for (const lens::Launch& launch : *m.lens) count += launch.findings.size();
  return count;
}

/// "naive, 1024x1024 int, block 32x32"
std::string heading(const Measurement& m) {
  std::string text =
      fmt::format("{}, {} {}", m.rung, size_text(m.problem_case), name_of(m.problem_case.dtype));
  if (const auto& block = m.problem_case.block) text += ", block " + extent_text(*block);
  if (const auto& grid = m.problem_case.grid) text += ", grid " + extent_text(*grid);
  return text;
}

/// Of one measurement a drawing goes into `path`; of several, each into a file named after its rung, with the
/// case's number where a rung has several.
template <class Draw>
std::vector<std::filesystem::path> write_drawings(const std::filesystem::path& path,
                                                  const std::vector<const Measurement*>& measurements,
                                                  Draw draw) {
  std::map<std::string, int> cases, number;
  for (const Measurement* m : measurements) ++cases[m->rung];
  std::vector<std::filesystem::path> files;
  for (const Measurement* m : measurements) {
    std::filesystem::path file = path;
    if (measurements.size() > 1) {
      std::string name = path.stem().string() + "-" + m->rung;
      if (cases[m->rung] > 1) name += "-" + std::to_string(++number[m->rung]);
      file.replace_filename(name + ".svg");
    }
    write_file_atomically(file, draw(*m->lens));
    files.push_back(file);
  }
  return files;
}

}  // namespace

nlohmann::ordered_json lens_json(std::vector<lens::Launch> launches) {
  lens::SourceText source;
  for (lens::Launch& launch : launches)
    for (lens::Line& line : launch.lines) line.text = source.line(line);
  return lens::measurement_json(launches);
}

std::string lens_text(const std::vector<Measurement>& measurements) {
  lens::TableOptions options;
  options.colour = isatty(STDOUT_FILENO);
  std::string text;
  for (const Measurement& m : measurements) {
    if (m.role == "ceiling") continue;
    text += "\n" + heading(m) + "\n";
    if (!m.lens) {
      const auto why = m.not_measured.find("lens");
      text += fmt::format("  no counts: {}\n",
                          why == m.not_measured.end() ? "nothing was recorded" : why->second);
      continue;
    }
    options.rates = lens::find_rates(m.device);
    options.bytes_that_must_move = static_cast<std::uint64_t>(m.bytes);
    text += lens::table(*m.lens, options);
  }
  return text;
}

std::string findings_text(const std::vector<lens::Launch>& launches) {
  std::string text;
  for (const lens::Launch& launch : launches)
    for (const lens::Finding& f : launch.findings)
      text += fmt::format("\n{}:{}: {} in {}: {}", f.file, f.line, lens::name_of(f.kind), f.kernel, f.text);
  return text;
}

std::string finding_lines(const std::vector<Measurement>& measurements) {
  std::string text;
  for (const Measurement& m : measurements)
    if (const std::size_t count = finding_count(m))
      text += fmt::format("{}/{}: {} finding{}\n", m.lab, m.rung, count, count == 1 ? "" : "s");
  return text;
}

std::vector<std::filesystem::path> write_maps(const std::filesystem::path& path,
                                              const std::vector<Measurement>& measurements) {
  std::vector<const Measurement*> recorded;
  for (const Measurement& m : measurements)
    if (m.lens) recorded.push_back(&m);
  return write_drawings(path, recorded, [](const auto& launches) { return lens::map_svg(launches); });
}

std::vector<std::filesystem::path> write_trees(const std::filesystem::path& path,
                                               const std::vector<Measurement>& measurements) {
  std::vector<const Measurement*> with_trees;
  for (const Measurement& m : measurements)
    if (m.lens && lens::has_tree(*m.lens)) with_trees.push_back(&m);
  return write_drawings(path, with_trees, lens::tree_svg);
}

}  // namespace warplab
