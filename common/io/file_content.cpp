#include "common/io/file_content.hpp"

#include <fstream>
#include <iterator>

namespace warplab {

std::string file_content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace warplab
