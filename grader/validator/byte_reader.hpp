#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace warplab::validator {

/// Reads the numbers of DWARF tables one after another. Beyond the end, and after a number that is too
/// large, `ok()` is false and all numbers are 0.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  bool ok() const { return ok_; }
  std::uint64_t at() const { return at_; }
  template <class T>
  T fixed() {
    T value{};
    if (!ok_ || at_ > bytes_.size() || sizeof value > bytes_.size() - at_) return ok_ = false, T{};
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return ok_ = false, 0;
  }
  std::int64_t sleb() {
    std::int64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      value |= std::int64_t{byte & 0x7f} << shift;
      if (byte < 0x80) return (byte & 0x40) != 0 ? value - (std::int64_t{1} << (shift + 7)) : value;
    }
    return ok_ = false, 0;
  }

 private:
  std::string_view bytes_;
  std::uint64_t at_;
  bool ok_ = true;
};

}  // namespace warplab::validator
