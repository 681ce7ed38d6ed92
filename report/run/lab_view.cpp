#include "report/run/lab_view.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace warplab::report {
namespace {

bool is_launch_shape(const std::string& name) { return name == "block" || name == "grid"; }

/// Launch shapes, and what only some of the rungs have.
std::vector<std::string> rung_params_of(const std::vector<const Row*>& rows) {
  std::vector<std::string> names;
  for (const Row* row : rows)
    for (const auto& [name, value] : row->params)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::erase_if(names, [&](const std::string& name) {
    return !is_launch_shape(name) &&
           std::ranges::all_of(rows, [&](const Row* row) { return !row->param(name).empty(); });
  });
  return names;
}

std::ptrdiff_t measured(const CaseGroup& group) {
  return std::ranges::count_if(group.rows, [](const Row* row) { return row->status == RungStatus::ok; });
}

std::pair<double, double> work(const CaseGroup& group) {
  return {group.rows.front()->bytes.value_or(0), group.rows.front()->flops.value_or(0)};
}

}  // namespace

const CaseGroup& LabView::main_case() const {
  return *std::ranges::max_element(
      cases, {}, [](const CaseGroup& group) { return std::tuple(measured(group), work(group)); });
}

const CaseGroup& LabView::headline_case() const {
  const auto most = measured(main_case());
  return *std::ranges::max_element(cases, {}, [&](const CaseGroup& group) {
    return std::tuple(2 * measured(group) >= most, work(group), measured(group));
  });
}

std::size_t LabView::number_of(const std::string& rung) const {
  return static_cast<std::size_t>(std::ranges::find(rungs, rung) - rungs.begin()) + 1;
}

std::string LabView::label(const Row& row) const {
  std::string text = row.rung.empty() ? row.lab : row.rung;
  if (const std::string block = row.param("block"); !block.empty()) text += " " + block;
  for (const std::string& name : rung_params)
    if (const std::string value = row.param(name); !value.empty() && !is_launch_shape(name))
      text += ", " + name + " " + value;
  return text;
}

LabView view_of(const Run& run, const std::string& lab) {
  LabView view;
  view.lab = lab;
  for (const Row& row : run.rows) {
    if (row.lab != lab) continue;
    if (row.role == "ceiling") view.ceilings.push_back(&row);
    if (!row.is_rung()) continue;
    view.rows.push_back(&row);
    if (std::ranges::find(view.rungs, row.rung) == view.rungs.end()) view.rungs.push_back(row.rung);
  }
  view.rung_params = rung_params_of(view.rows);
  for (const Row* row : view.rows) {
    const std::string text = case_text(view, *row);
    auto group = std::ranges::find(view.cases, text, &CaseGroup::text);
    if (group == view.cases.end()) group = view.cases.insert(view.cases.end(), {text, {}});
    group->rows.push_back(row);
  }
  return view;
}

std::string case_text(const LabView& view, const Row& row) {
  std::string text = row.size_text();
  if (!row.dtype.empty()) text += (text.empty() ? "" : " ") + row.dtype;
  for (const auto& [name, value] : row.params)
    if (std::ranges::find(view.rung_params, name) == view.rung_params.end())
      text += ", " + name + " " + value;
  return text.empty() ? "no input" : text;
}

std::string rate_unit(const CaseGroup& group) {
  std::ptrdiff_t arithmetic = 0, copies = 0;
  for (const Row* row : group.rows)
    if (row->light) (row->light->unit == "GFLOP/s" ? arithmetic : copies) += 1;
  return arithmetic > copies ? "GFLOP/s" : "GB/s";
}

std::optional<double> rate_of(const Row& row, const std::string& unit) {
  return unit == "GFLOP/s" ? row.gflop_per_s : row.gb_per_s;
}

}  // namespace warplab::report
