#pragma once

#include <map>
#include <string>

namespace warplab {

/// Whether C++ could take the text for a name.
bool is_identifier(const std::string& text);

/// A text in which whole identifiers have become others. The name of a file, `transpose_naive.cu`, stays.
std::string renamed(const std::string& text, const std::map<std::string, std::string>& renames);

}  // namespace warplab
