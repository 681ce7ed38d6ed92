#include "common/lens_report.hpp"

#include <fmt/format.h>

#include <map>

#include "common/atomic_file.hpp"
#include "common/results.hpp"

namespace warplab {
namespace {

std::size_t finding_count(const std::vector<lens::Launch>& launches) {
  std::size_t count = 0;
  for (const lens::Launch& launch : launches) count += launch.findings.size();
  return count;
}

}  // namespace

nlohmann::ordered_json lens_json(const std::vector<lens::Launch>&, double) { return nullptr; }

std::string lens_text(const std::vector<Measurement>&) { return ""; }

std::string findings_text(const std::vector<lens::Launch>& launches) {
  std::string text;
  for (const lens::Launch& launch : launches)
    for (const lens::Finding& f : launch.findings)
      text += fmt::format("\nthe lens: {}:{}: {}: {}", f.file, f.line, f.kind, f.text);
  return text;
}

std::string finding_lines(const std::vector<Measurement>& measurements) {
  std::string text;
  for (const Measurement& m : measurements)
    if (const std::size_t count = m.lens ? finding_count(*m.lens) : 0)
      text += fmt::format("{}/{}: {} finding{}\n", m.lab, m.rung, count, count == 1 ? "" : "s");
  return text;
}

std::vector<std::filesystem::path> write_maps(const std::filesystem::path&, const std::vector<Measurement>&) {
  return {};
}

}  // namespace warplab
