#pragma once

#include <string>

#include "common/host/case.hpp"

namespace warplab {

/// A case as text that another process can read back.
std::string packed_case(const Case& c);

/// The case that packed_case() wrote. @throws std::exception for any other text
Case unpacked_case(const std::string& text);

}  // namespace warplab
