#pragma once

#include <string>
#include <vector>

namespace warplab {

/// A way to write the same program otherwise.
struct Transformation {
  const char* name;
  std::string (*apply)(const std::string& source);
};

/// All of them. A source that one does not change is not a variation.
const std::vector<Transformation>& transformations();

}  // namespace warplab
