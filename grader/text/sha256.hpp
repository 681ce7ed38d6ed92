#pragma once

#include <string>
#include <string_view>

namespace warplab {

/// The SHA-256 digest of some bytes, in 64 hexadecimal digits. Source: FIPS 180-4. Names what
/// was handed in and which seed was used; nothing that is encrypted depends on it, so it is
/// not a reason for one more library.
std::string sha256(std::string_view bytes);

}  // namespace warplab
