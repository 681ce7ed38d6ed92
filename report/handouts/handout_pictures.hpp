#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplab::report {

/// A file that a handout shows.
struct HandoutPicture {
  std::filesystem::path link;  ///< as the handout has it, from its own folder
  std::string svg;
};

/// A handout, and the pictures that it shows.
struct HandoutWithPictures {
  std::string text;
  std::vector<HandoutPicture> pictures;
};

/// A handout with its generated pictures of accesses, and their text alternatives filled in. A picture comes
/// after a mark that names one committed run, one input and the requests to draw:
///
///     <!-- accesses of results/NAME | SIZE TYPE[, PARAMETER VALUE]... | RUNG KIND NUMBER: CAPTION | ... -->
///     ![](../../docs/images/NAME.svg)
///
/// KIND is global_load, global_store, shared_load or shared_store; NUMBER counts the source lines of that
/// rung with such a request from 1, in the order of its launches and lines. The lens keeps the costliest
/// request of each line.
/// @param root the folder that `results/` lies in
/// @throws BadInput if a mark, its run, a rung or a request is not there, or no picture follows a mark
HandoutWithPictures with_pictures(const std::string& handout, const std::string& lab,
                                  const std::filesystem::path& root);

}  // namespace warplab::report
