#include "harness/console/case_text.hpp"

#include <fmt/format.h>

namespace warplab {

std::string extent_text(const Extent3& e) {
  std::string text = std::to_string(e[0]);
  if (e[1] > 1 || e[2] > 1) text += "x" + std::to_string(e[1]);
  if (e[2] > 1) text += "x" + std::to_string(e[2]);
  return text;
}

std::string size_text(const Case& c) {
  std::string text;
  for (const auto& [name, value] : c.size) text += (text.empty() ? "" : "x") + std::to_string(value);
  return text;
}

std::string case_text(const Case& c) {
  std::string text = fmt::format("{} {} seed {}", size_text(c), name_of(c.dtype), c.seed);
  if (c.block) text += " block " + extent_text(*c.block);
  if (c.grid) text += " grid " + extent_text(*c.grid);
  for (const Parameter& p : c.params)
    if (is_shown(p)) text += " " + p.name + " " + value_text(p);
  return text;
}

std::string input_key(const Case& c) {
  std::string key = fmt::format("{} {} {}", size_text(c), name_of(c.dtype), c.seed);
  for (const Parameter& p : c.params)
    if (!p.of_rung) key += fmt::format(" {}={}", p.name, p.value);
  return key;
}

std::string value_text(const Parameter& parameter) {
  return parameter.label.empty() ? fmt::format("{:g}", parameter.value) : parameter.label;
}

}  // namespace warplab
