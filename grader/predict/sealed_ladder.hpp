#pragma once

#include <string>

namespace warplab {

/// A handout that answers no question of its predictions, and what answers them.
struct SealedLadder {
  std::string handout;  ///< in place of each sealed fold, the command that shows it
  std::string ladder;   ///< the sealed folds; "" if the handout has none
};

/// Takes each fold (`<details>`) that has a table of rungs, or a line `<!-- sealed -->`, out of a lab's
/// handout: those that answer a question of its predict.json.
SealedLadder seal_ladder(const std::string& handout, const std::string& lab);

/// The name of the file that has the ladder in a student's tree, in the lab's folder.
inline constexpr const char* sealed_ladder_file = "ladder.sealed";

/// A text that nobody reads by accident, and back. It is not encrypted: whoever wants to look can.
std::string hidden_text(const std::string& text);
/// @throws BadInput if hidden_text() did not make it
std::string shown_text(const std::string& hidden);

}  // namespace warplab
