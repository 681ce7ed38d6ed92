#include "emulator/src/base/source_lines.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "emulator/src/base/line_reader.hpp"

namespace warplab::emulator {
namespace {

bool is_emulator(std::string_view file) {
  return file.starts_with(WARPLAB_EMULATOR_INCLUDE_DIR) ||
         file.find("/warplab_emulator/") != std::string_view::npos;
}

// Of the C library, of g++ and of the CUDA Toolkit. Programs, too, may be in a folder of /usr.
bool is_system_header(std::string_view file) {
  const auto has = [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; };
  return file.starts_with("/usr/include/") || file.starts_with("/usr/local/include/") || has("/lib/gcc/") ||
         has("/include/c++/") || (file.starts_with("/usr/local/cuda") && has("/include/"));
}

// What the translator has written: beside the objects of a build, or in warplab-cc's folder of temporary
// files. Its lines are those of no program: all that is a program's own is marked with the line of its
// source.
bool is_translation(std::string_view file) {
  constexpr std::string_view folder = "/warplab-cc-XXXXXX/";
  const std::size_t begin = file.rfind(folder.substr(0, folder.find('X')));
  const bool is_temporary = begin != std::string_view::npos && file.rfind('/') == begin + folder.size() - 1 &&
                            file.ends_with(".cpp");
  return is_temporary || file.ends_with(".cpp.cpp") || file.ends_with(".cu.cpp") ||
         file.ends_with(".lens.cpp");
}

// Code of the emulator's headers and of the standard library stands for the line that uses it.
bool is_header(std::string_view file) {
  return is_emulator(file) || is_system_header(file) || is_translation(file);
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
  std::istringstream answer(addr2line(module, offsets));
  std::size_t number = 0;  // of the offset that the answer is about, from 1
  std::string function;
  bool innermost = true;
  bool is_function = true;
  for (std::string line; std::getline(answer, line);) {
    if (line.starts_with("0x")) {
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
    line.resize(std::min(line.size(), line.find(" (discriminator")));
    const std::size_t colon = line.rfind(':');
    const int at = colon == std::string::npos ? 0 : std::atoi(line.c_str() + colon + 1);
    if (at <= 0) continue;
    line.resize(colon);
    const bool header = is_header(line);
    std::optional<SourceLine>& place = answers[offsets[number - 1]];
    const bool first = !place;
    if (first) place.emplace();
    if (innermost) place->from_headers = header, place->from_emulator = is_emulator(line);
    innermost = false;
    // The innermost line of the user's own; or, for code that was not inlined into it, what there is.
    if (!first && (header || !place->in_headers)) continue;
    place->file = line;
    place->line = at;
    place->function = as_written(function);
    place->in_headers = header;
  }
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
