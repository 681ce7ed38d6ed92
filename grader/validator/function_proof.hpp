#pragma once

#include "grader/validator/code_context.hpp"
#include "grader/validator/unwind_table.hpp"

namespace warplab::validator {

/// Proves one function: whatever its registers and memory hold, it stays among its own instructions but for
/// calls that are allowed, touches memory of its own frame or behind checks, and returns to where it was
/// called from. Each instruction is looked at a few times, so the time is linear in the function's size.
/// @param table the function's, or null: then no exception passes it
/// @throws Violation
void prove(const CodeContext& context, const UnwindTable* table);

}  // namespace warplab::validator
