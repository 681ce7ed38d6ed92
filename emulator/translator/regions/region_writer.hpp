#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/token.hpp"
#include "emulator/translator/regions/statements.hpp"
#include "emulator/translator/regions/thread_variables.hpp"

namespace warplab::translator {

/// A kernel's body once more: the block runs its loops and branches, and loops over its threads in each
/// region.
std::string write_kernel(const Source& source, Edits& edits, const ThreadVariables& variables,
                         const std::vector<Statement>& statements, const Function& kernel);

/// A device function's body once more, for all threads of a block at once: its parameters and what it
/// returns, `warplab_results`, are arrays by thread.
std::string write_function(const Source& source, Edits& edits, const ThreadVariables& variables,
                           const std::vector<Statement>& statements, const Function& function);
std::string name_in_regions(std::string_view function);

/// The name of the array that holds a variable of each thread.
std::string place_of_kept(const Variable& variable);

}  // namespace warplab::translator
