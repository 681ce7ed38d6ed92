#include "source_lines.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace warplab::emulator {
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

using Offsets = std::vector<std::size_t>;
using Answers = std::map<std::size_t, std::optional<SourceLine>>;  // by offset in the module

// Asks binutils' addr2line, once for all.
void ask(const std::string& module, const Offsets& offsets, Answers& answers) {
  for (const std::size_t offset : offsets) answers[offset] = std::nullopt;
  char asked[] = "/tmp/warplab-lines-XXXXXX";
  const int file = mkstemp(asked);
  if (file < 0) return;
  if (std::FILE* list = fdopen(file, "w")) {
    for (const std::size_t offset : offsets) std::fprintf(list, "0x%zx\n", offset);
    std::fclose(list);
  }
  const std::string command = "addr2line -f -C -i -a -e '" + module + "' @" + asked + " 2>/dev/null";
  std::FILE* answer = popen(command.c_str(), "r");
  if (answer == nullptr) {
    unlink(asked);
    return;
  }
  char* line = nullptr;
  std::size_t room = 0;
  std::size_t number = 0;  // of the offset that the answer is about, from 1
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
    if (number == 0 || number > offsets.size()) continue;
    line[std::strcspn(line, " ")] = '\0';  // " (discriminator 2)"
    char* colon = std::strrchr(line, ':');
    const int at = colon == nullptr ? 0 : std::atoi(colon + 1);
    if (at <= 0) continue;
    *colon = '\0';
    const bool header = is_header(line);
    std::optional<SourceLine>& place = answers[offsets[number - 1]];
    const bool first = !place;
    if (first) place.emplace();
    if (innermost) place->from_headers = header;
    innermost = false;
    // The innermost line of the user's own; or, for code that was not inlined into it, what there is.
    if (!first && (header || !place->in_headers)) continue;
    place->file = line;
    place->line = at;
    place->function = as_written(function);
    place->in_headers = header;
  }
  std::free(line);
  pclose(answer);
  unlink(asked);
}

}  // namespace

std::map<const void*, SourceLine> source_lines(const std::vector<const void*>& codes) {
  static std::mutex mutex;
  static auto& known =
      *new std::map<std::string, Answers>;  // by module: many launches ask for the same lines
  const std::lock_guard lock(mutex);
  std::map<std::string, Offsets> unknown;
  std::vector<std::pair<std::string, std::size_t>> places(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    Dl_info module{};
    if (codes[i] == nullptr || dladdr(codes[i], &module) == 0 || module.dli_fname == nullptr) continue;
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(codes[i]) -
                                                 static_cast<const std::byte*>(module.dli_fbase));
    places[i] = {module.dli_fname, offset};
    if (known[module.dli_fname].try_emplace(offset).second) unknown[module.dli_fname].push_back(offset);
  }
  for (const auto& [module, offsets] : unknown) ask(module, offsets, known[module]);
  std::map<const void*, SourceLine> found;
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (!places[i].first.empty())
      if (const auto& line = known[places[i].first][places[i].second]) found[codes[i]] = *line;
  return found;
}

std::string source_line(const void* code) {
  const std::map<const void*, SourceLine> found = source_lines({code});
  return found.empty() || found.begin()->second.in_headers ? "" : found.begin()->second.text();
}

}  // namespace warplab::emulator
