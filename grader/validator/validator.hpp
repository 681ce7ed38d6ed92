#pragma once

#include <optional>
#include <string>

#include "grader/validator/module_rules.hpp"
#include "grader/validator/violation.hpp"

namespace warplab::validator {

/// Whether an object file may be linked into a module and loaded, judged by its bytes only: whatever the
/// module's code is given, it touches memory behind checks or in its own frames, calls functions of its own
/// and allowed imports, and returns to its callers.
/// @param object the file's bytes
/// @return the first violation found; nothing if the object is proven to keep all rules
/// @throws NotAvailable where warplab was built without Zydis
std::optional<Violation> violation_of(std::string object, const ModuleRules& rules);

}  // namespace warplab::validator
