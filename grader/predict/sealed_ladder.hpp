#pragma once

#include <string>

namespace warplab {

/// A handout in which no table of rungs has figures, and what has them.
struct SealedLadder {
  std::string handout;  ///< in place of each ladder, the command that shows it
  std::string ladder;   ///< "" if the handout has none
};

/// Takes each fold (`<details>`) that has a table of rungs out of a lab's handout.
SealedLadder seal_ladder(const std::string& handout, const std::string& lab);

/// The name of the file that has the ladder in a student's tree, in the lab's folder.
inline constexpr const char* sealed_ladder_file = "ladder.sealed";

/// A text that nobody reads by accident, and back. It is not encrypted: whoever wants to look can.
std::string hidden_text(const std::string& text);
/// @throws BadInput if hidden_text() did not make it
std::string shown_text(const std::string& hidden);

}  // namespace warplab
