#include "common/io/file_content.hpp"

#include <fstream>
#include <ios>
#include <iterator>

namespace warplab {

std::optional<std::string> readable_content(const std::filesystem::path& file) try {
  std::ifstream in(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (!in) return std::nullopt;
  return content;
} catch (const std::ios_base::failure&) {  // a folder can be opened, but not read
  return std::nullopt;
}

std::string file_content(const std::filesystem::path& file) { return readable_content(file).value_or(""); }

}  // namespace warplab
