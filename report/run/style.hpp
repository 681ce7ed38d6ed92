#pragma once

namespace warplab::report {

/// What pages of runs add to the style of every page.
const char* style_sheet();

}  // namespace warplab::report
