#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warplab::validator {

/// What differs from module to module.
struct ModuleRules {
  std::string launcher;  ///< "transpose_tiled": nothing but its instances can be seen from outside
  std::function<bool(std::string_view symbol)> may_import;  ///< whether it may use another module's symbol
};

}  // namespace warplab::validator
