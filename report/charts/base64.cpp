#include "report/charts/base64.hpp"

#include <cstdint>

namespace warplab::report {

std::string base64(std::string_view bytes) {
  static constexpr const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < here ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= here ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
  return "data:" + std::string(media_type) + ";base64," + base64(bytes);
}

}  // namespace warplab::report
