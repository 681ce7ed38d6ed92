#include "grader/cli/tree.hpp"

namespace warplab {

std::filesystem::path tree_root() { return WARPLAB_SOURCE_DIR; }

Course course_here() { return Course::read(tree_root()); }

}  // namespace warplab
