#pragma once

#include "grader/validator/function_table.hpp"
#include "grader/validator/module_rules.hpp"

namespace warplab::validator {

/// The names of sections that the loading of a module and the runtime's register of functions depend on.
inline constexpr std::string_view first_initialiser = ".init_array.00001",
                                  entry_section = ".data.rel.ro.local.warplab_entries";

/// Everything of an object but its code: sections have known names, types and flags; only the launcher can be
/// seen from outside; only allowed symbols are imported; addresses in data are of functions' first bytes or
/// of data; what runs by itself is a function of the module.
/// @throws Violation
void require_known_tables(const ObjectFile& object, const FunctionTable& functions, const ModuleRules& rules);

/// The function that runs first when the module is loaded: it makes the module known to the runtime.
/// @throws Violation of Rule::initialiser if there is not exactly one
const Function& first_function(const ObjectFile& object, const FunctionTable& functions);

}  // namespace warplab::validator
