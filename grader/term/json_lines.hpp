#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplab {

/// A JSON file with the line of each member, so that a mistake can be shown where it is.
struct JsonWithLines {
  using Path = std::vector<std::string>;  ///< keys, from the outermost: {"labs", "transpose", "deadline"}
  nlohmann::json json;
  std::string file;                     ///< its name, for messages
  std::map<Path, std::size_t> lines{};  ///< of each member's key, from 1

  /// "term.json:7" for a member; line 1 for what is not there.
  std::string place(const Path& path) const;
};

/// @throws BadInput, a sentence with the line, for what is not JSON and for a key that an object has twice,
/// which would silently lose its first value
JsonWithLines json_with_lines(const std::string& text, const std::string& file);

}  // namespace warplab
