#include "grader/sealed/seals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grader/people/csv_table.hpp"
#include "grader/predict/questions.hpp"
#include "grader/text/printable.hpp"

namespace warplab {

Seals Seals::read(const std::filesystem::path& file) {
  Seals seals;
  for (const CsvRow& row : read_csv_rows(file, {{"name", "lab", "seal"}})) {
    const std::string name = plain_name(row.required("name")), lab = plain_name(row.required("lab"));
    std::vector<Row>& rows = seals.rows_[{name, lab}];
    Row one{plain_name(row.required("seal")), row.place()};
    if (!rows.empty() && rows.front().seal != one.seal)
      seals.remarks_.push_back(fmt::format("{}: {} has another seal for {} in {}, which counts", one.place,
                                           shown_line(name), shown_line(lab), rows.front().place));
    rows.push_back(std::move(one));
  }
  return seals;
}

std::string Seals::objection_to(const SealedAnswers& given) const {
  const auto found = rows_.find({plain_name(given.name), plain_name(given.lab)});
  if (found == rows_.end()) return "no seal of this name and lab was handed in";
  const std::vector<Row>& rows = found->second;
  if (rows.front().seal == given.seal()) return "";
  const auto later = std::ranges::find(rows, given.seal(), &Row::seal);
  if (later == rows.end()) return "this seal was not handed in";
  return fmt::format("this seal is in {}, after another one of this name and lab in {}", later->place,
                     rows.front().place);
}

}  // namespace warplab
