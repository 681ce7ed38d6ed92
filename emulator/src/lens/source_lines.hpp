#pragma once

#include <map>
#include <string>
#include <vector>

namespace warplab::emulator::lens {

struct Twin;

struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;
  bool in_headers = false;  ///< the innermost code is the emulator's own, called from this line
};

/// The source lines of instructions of a twin, by its debug information. What has none is left out.
std::map<const void*, SourceLine> source_lines(const Twin& twin, const std::vector<const void*>& codes);

}  // namespace warplab::emulator::lens
