#pragma once

#include <string>

namespace warplab {

/// The commit of the source tree, with "-dirty" if files differ from it; WARPLAB_COMMIT where the tree came
/// without its history; else "unknown".
std::string source_commit();

}  // namespace warplab
