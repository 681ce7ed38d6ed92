#pragma once

#include <cstdint>
#include <vector>

#include "grader/validator/byte_reader.hpp"
#include "grader/validator/unwind_table.hpp"

namespace warplab::validator {

/// Whether the rest of an entry says that a function begins as a call leaves it: the caller's frame at rsp +
/// 8, and the address to return to below it.
bool begins_as_usual(ByteReader& reader, std::uint64_t end);

/// Runs what the table of frames says of a function: one row from each place where something changes.
/// @param size of the function
/// @return false for an operation that g++ does not write, or beyond the function
bool run_frame_program(ByteReader& reader, std::uint64_t end, std::uint64_t size,
                       std::vector<UnwindRow>& rows);

}  // namespace warplab::validator
