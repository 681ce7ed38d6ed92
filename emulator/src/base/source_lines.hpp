#pragma once

#include <map>
#include <string>
#include <vector>

namespace warplab::emulator {

/// The line that an instruction was compiled from: of the user's code, where that is known.
struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;
  bool from_headers =
      false;  ///< the innermost code is the emulator's own or the library's, called from this line
  bool from_emulator = false;  ///< the innermost code is the emulator's own
  bool in_headers = false;     ///< and so is the line: nothing tells who called

  /// "file:line"
  std::string text() const { return file + ":" + std::to_string(line); }
};

/// The source lines of instructions of the program and its modules, by their debug information. What has none
/// is left out. For the address that a call returns to, ask for the one before.
std::map<const void*, SourceLine> source_lines(const std::vector<const void*>& codes);

/// "file:line" of an instruction in the user's own code, or empty where nothing tells.
std::string source_line(const void* code);

}  // namespace warplab::emulator
