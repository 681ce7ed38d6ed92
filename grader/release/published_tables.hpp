#pragma once

#include <set>
#include <string>

namespace warplab {

/// A lab's published.json as students get it: without the rows of rungs that are withheld, without the
/// claims, charts and tables that are about these rows, and without sentences that name such a rung.
/// @param file for messages
/// @return the text as it is where it has nothing of the kind
/// @throws BadInput if it is not a published.json
std::string without_rungs(const std::string& text, const std::set<std::string>& withheld,
                          const std::string& file);

}  // namespace warplab
