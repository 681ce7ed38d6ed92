#pragma once

#include <string>
#include <vector>

#include "lens/report.hpp"

namespace warplab::report {

/// One request of a warp, and what it is for: "a tap of the filter".
struct Access {
  std::string caption;
  lens::RequestSample sample;
};

/// "32 lanes load 4 bytes each from global memory: 5 sectors, ideally 4"
std::string access_text(const lens::RequestSample& sample);

/// All accesses in words, a sentence for each: what a reader has who does not see the picture.
std::string accesses_text(const std::vector<Access>& accesses);

/// A picture of requests, one below the other: which sectors of global memory, or which banks of shared
/// memory, the 32 lanes touch. It is narrow enough to be read on a phone, and follows the reader's light or
/// dark mode. It shows no source: what a handout's picture is of may be what students are to write.
/// @return the text of an SVG file, with a title and a description
std::string access_picture(const std::string& title, const std::vector<Access>& accesses);

}  // namespace warplab::report
