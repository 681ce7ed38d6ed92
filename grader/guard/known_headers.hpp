#pragma once

#include <string_view>

namespace warplab {

/// Whether a header is C's, C++'s or CUDA's, and may be included by what is graded. All that these hold is
/// guarded like a student's own text; a function that needs more than guarded code may have is refused where
/// it is called.
bool is_known_header(std::string_view name);

/// Whether it belongs to a library that has what students are to write.
bool is_library_of_solutions(std::string_view name);

}  // namespace warplab
