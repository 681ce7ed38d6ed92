#include "lens/source_lines.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "lens/launch_recorder.hpp"

namespace warplab::emulator::lens {
namespace {

// Code of the emulator's headers and of the standard library stands for the line that uses it.
bool is_header(std::string_view file) {
  return file.starts_with(WARPLAB_EMULATOR_INCLUDE_DIR) ||
         file.find("/warplab_emulator/") != std::string_view::npos ||
         file.find("/c++/") != std::string_view::npos || file.starts_with("/usr/") ||
         file.ends_with(".cpp.cpp") || file.ends_with(".cu.cpp") ||
         file.ends_with(".lens.cpp");  // what the translator has written
}

// What a kernel's body is called in the code that the translator makes:
// "k(float*)::{lambda(uint3)#1}::operator()(uint3) const" is k(float*).
std::string as_written(std::string function) {
  const std::size_t lambda = function.find("::{lambda(uint3");
  if (lambda != std::string::npos) function.resize(lambda);
  return function;
}

}  // namespace

std::map<const void*, SourceLine> source_lines(const Twin& twin, const std::vector<const void*>& codes) {
  std::map<const void*, SourceLine> found;
  if (codes.empty()) return found;
  char asked[] = "/tmp/warplab-lines-XXXXXX";
  const int file = mkstemp(asked);
  if (file < 0) return found;
  if (std::FILE* list = fdopen(file, "w")) {
    // The instruction behind the call of a hook is returned to; the call is what is meant.
    for (const void* code : codes)
      std::fprintf(list, "0x%tx\n", static_cast<const std::byte*>(code) - twin.base - 1);
    std::fclose(list);
  }
  const std::string command = "addr2line -f -C -i -a -e '" + twin.module + "' @" + asked + " 2>/dev/null";
  std::FILE* answer = popen(command.c_str(), "r");
  if (answer == nullptr) {
    unlink(asked);
    return found;
  }
  char* line = nullptr;
  std::size_t room = 0;
  std::size_t number = 0;  // of the address that the answer is about, from 1
  std::string function;
  bool innermost = true;
  for (bool is_function = true; getline(&line, &room, answer) > 0;) {
    line[std::strcspn(line, "\n")] = '\0';
    if (std::strncmp(line, "0x", 2) == 0) {
      ++number;
      is_function = innermost = true;
      continue;
    }
    if (is_function) {
      function = line;
      is_function = false;
      continue;
    }
    is_function = true;
    if (number == 0 || number > codes.size()) continue;
    line[std::strcspn(line, " ")] = '\0';  // " (discriminator 2)"
    char* colon = std::strrchr(line, ':');
    const int at = colon == nullptr ? 0 : std::atoi(colon + 1);
    if (at <= 0) continue;
    *colon = '\0';
    SourceLine& place = found[codes[number - 1]];
    const bool header = is_header(line);
    if (innermost) place.in_headers = header;
    innermost = false;
    // The innermost line of the user's own; or, for code that was not inlined into it, what there is.
    if (place.line != 0 && (header || !is_header(place.file))) continue;
    place.file = line;
    place.line = at;
    place.function = as_written(function);
  }
  std::free(line);
  pclose(answer);
  unlink(asked);
  return found;
}

}  // namespace warplab::emulator::lens
