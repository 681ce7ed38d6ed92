#include "grader/data/data_pack.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/host/bad_input.hpp"
#include "grader/predict/questions.hpp"
#include "grader/predict/sealed_answers.hpp"
#include "grader/predict/sealed_ladder.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {

std::string data_pack(const std::filesystem::path& results, const std::string& lab,
                      const std::vector<std::string>& withheld) {
  std::vector<MeasuredRow> rows = measured_rows(results, lab);
  std::erase_if(
      rows, [&](const MeasuredRow& row) { return std::ranges::find(withheld, row.rung) != withheld.end(); });
  return rows.empty() ? "" : hidden_text(to_csv(rows));
}

std::vector<MeasuredRow> measurements_of(const Lab& lab, const std::filesystem::path& root) {
  const std::filesystem::path pack = lab.folder / data_pack_file;
  if (!std::filesystem::exists(pack)) {
    std::vector<MeasuredRow> rows = measured_rows(root / "results", lab.stem);
    if (rows.empty()) throw BadInput("no measurements of " + lab.stem + " come with this tree");
    return rows;
  }
  if (has_questions(lab) && !std::filesystem::exists(root / sealed_file(SealedKind::predictions, lab.stem)))
    throw BadInput(fmt::format("predict first: build/emulator/bin/warplab predict {}", lab.stem));
  return from_csv(shown_text(bytes_of_file(pack)));
}

}  // namespace warplab
