#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "grader/guard/guard.hpp"

namespace warplab {

/// The assembly that g++ made of a translation, as guarded code: before each access to memory, each call by
/// pointer, at each function's beginning and end, there is a call that stops what may not be (docs/lens.md,
/// "Isolation"). Nothing but the launcher can be seen from outside. For x86-64.
/// @param launcher its name: "transpose_tiled"
std::variant<std::string, Refusal> guarded_assembly(std::string_view text, const std::string& launcher,
                                                    GuardAllowance allowance = {});

/// Whether the assembly defines a function of that name, outside of any namespace.
bool defines_launcher(std::string_view text, const std::string& launcher);

}  // namespace warplab
