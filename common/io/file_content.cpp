#include "common/io/file_content.hpp"

#include <fstream>
#include <ios>

namespace warplab {

std::optional<std::string> readable_content(const std::filesystem::path& file) try {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string content;
  for (char part[16384]; in.read(part, sizeof part), in.gcount() > 0;)
    content.append(part, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return std::nullopt;
  return content;
} catch (const std::ios_base::failure&) {  // a folder can be opened, but not read
  return std::nullopt;
}

std::string file_content(const std::filesystem::path& file) { return readable_content(file).value_or(""); }

}  // namespace warplab
