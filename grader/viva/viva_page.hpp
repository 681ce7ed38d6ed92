#pragma once

#include <string>

#include "grader/report/page.hpp"
#include "grader/viva/viva.hpp"

namespace warplab {

/// For the examiner's screen or paper: each question with its line, its answer and what to ask next.
Page viva_page(const Viva& viva);

/// The same for a terminal.
std::string viva_text(const Viva& viva);

}  // namespace warplab
