#pragma once

#include <string>

#include "emulator/translator/code/token.hpp"
#include "emulator/translator/known_names.hpp"

namespace warplab::translator {

/// How nvcc unrolls the loop of that keyword, for joining what its iterations ask of shared and constant
/// memory: an expression of type LensUnrolling, as only the compiler knows the values of template parameters.
/// @param known_iterations an expression, which is 0 where only the kernel knows them
std::string unrolling_expression(const Source& source, const KnownNames& known, int keyword, int end,
                                 const std::string& known_iterations);

}  // namespace warplab::translator
