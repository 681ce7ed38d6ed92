#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/predict/sealed_answers.hpp"

namespace warplab {

/// The seals that a class handed in before it ran a lab. Of one name and lab only the first counts, since who
/// may hand in several could choose among them later.
class Seals {
 public:
  /// Reads a table with the columns name, lab and seal, in the order in which they were handed in.
  /// @throws BadInput, a sentence with the line, for anything else
  static Seals read(const std::filesystem::path& file);

  /// Why answers do not count by their seal; "" if they do.
  std::string objection_to(const SealedAnswers& given) const;
  /// A sentence for each seal that does not count, since another one of its name and lab was there before.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Row {
    std::string seal, place;  ///< place: "seals.csv:3"
  };
  std::map<std::pair<std::string, std::string>, std::vector<Row>> rows_;  ///< by plain name and lab
  std::vector<std::string> remarks_;
};

}  // namespace warplab
