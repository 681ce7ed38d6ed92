#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplab {

/// "(3, 5)": a shape as NumPy writes it.
inline std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d ? ", " : "") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// "[1, 4]": where the element with the row-major number `index` is in an array of this shape.
inline std::string index_text(std::int64_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> position(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    position[d] = shape[d] ? index % shape[d] : 0;
    index = shape[d] ? index / shape[d] : 0;
  }
  std::string text = "[";
  for (std::size_t d = 0; d < position.size(); ++d) text += (d ? ", " : "") + std::to_string(position[d]);
  return text + "]";
}

}  // namespace warplab
