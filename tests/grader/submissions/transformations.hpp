#pragma once

#include <string>
#include <vector>

namespace warplab {

/// A way to write the same program otherwise.
struct Transformation {
  const char* name;
  std::string (*apply)(const std::string& source);
};

/// Transformations that one file shows together: they are applied one after the other, and none hides
/// another. A solution is graded once per form, not once per transformation.
struct Form {
  const char* name;
  std::vector<Transformation> transformations;
  std::string apply(std::string source) const;
};

/// All of them. A source that one does not change is not a variation.
const std::vector<Form>& forms();

}  // namespace warplab
