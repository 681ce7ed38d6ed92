#include "lens/nvidia/ptx_accesses.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>

namespace warplab::lens {
namespace {

/// The words between any of `separators`.
std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

unsigned number_of(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool has(const std::vector<std::string_view>& parts, std::string_view part) {
  return std::ranges::find(parts, part) != parts.end();
}

/// "transpose<int>(int const*, int)" of a symbol; templates' types that they return are left out.
std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (!text) return symbol;
  const std::string name = text.get();
  return name.starts_with("void ") ? name.substr(5) : name;
}

/// The memory that an instruction names: "global" of ld.global.nc.v4.f32; generic where it names none;
/// nothing for parameters, which are not in memory that anybody counts.
std::optional<std::string> space_of(const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    if (part.starts_with("param")) return std::nullopt;
    if (part.starts_with("shared")) return "shared";
    if (part == "const") return "constant";
    if (part == "global" || part == "local") return std::string(part);
  }
  return "generic";
}

/// Bytes that each lane moves: 16 of ld.global.v4.f32.
unsigned bytes_of(const std::vector<std::string_view>& parts) {
  unsigned vector = 1, bits = 0;
  for (const std::string_view part : parts) {
    if (part == "v2" || part == "v4" || part == "v8") vector = number_of(part.substr(1));
    if (part.size() < 2 || std::string_view("bsuf").find(part[0]) == std::string_view::npos) continue;
    const unsigned width = number_of(part.substr(1));
    if (width == 0) continue;
    bits = part.ends_with("x2") && width == 16 ? 32 : width;
  }
  return vector * bits / 8;
}

/// What an instruction does to memory. @param parts of its name, at dots
std::optional<CompiledAccess> access_of(const std::vector<std::string_view>& parts,
                                        std::string_view operands) {
  const std::string_view name = parts.front();
  if (name == "cp" && has(parts, "bulk")) return CompiledAccess{"cp.async.bulk", 0, 1};
  if (name == "cp" && has(parts, "async") && has(parts, "global")) {
    const std::vector<std::string_view> words = split(operands, ", ;");
    return CompiledAccess{"cp.async", words.size() > 2 ? number_of(words[2]) : 0, 1};
  }
  if (name == "ldmatrix" || name == "stmatrix") return CompiledAccess{std::string(name), 0, 1};
  if (name == "wmma" && (has(parts, "load") || has(parts, "store")))
    return CompiledAccess{has(parts, "load") ? "fragment load" : "fragment store", 0, 1};
  const char* const action = name == "ld" || name == "ldu"     ? "load"
                             : name == "st"                    ? "store"
                             : name == "atom" || name == "red" ? "atomic"
                                                               : nullptr;
  const std::optional<std::string> space = space_of(parts);
  if (!action || !space) return std::nullopt;
  return CompiledAccess{*space + " " + action, bytes_of(parts), 1};
}

void add(std::vector<CompiledAccess>& accesses, const CompiledAccess& access) {
  const auto same = std::ranges::find_if(accesses, [&](const CompiledAccess& known) {
    return known.kind == access.kind && known.bytes == access.bytes;
  });
  if (same == accesses.end())
    accesses.push_back(access);
  else
    same->count += access.count;
}

/// The files that .loc means by numbers: .file 1 "/labs/07_transpose/transpose_tiled.cu"
std::map<std::string, std::string, std::less<>> files_of(const std::vector<std::string_view>& lines) {
  std::map<std::string, std::string, std::less<>> files;
  for (const std::string_view line : lines) {
    const std::vector<std::string_view> words = split(line, " \t");
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (words.size() > 2 && words[0] == ".file" && close > open)
      files[std::string(words[1])] = line.substr(open + 1, close - open - 1);
  }
  return files;
}

/// The symbol that a line begins to define: _Z4copyPi of ".visible .entry _Z4copyPi("; "" of other lines.
std::string defined_symbol(std::string_view line) {
  if (!line.starts_with('.') || line.find(';') != std::string_view::npos) return "";
  const std::size_t entry = line.find(".entry"), func = line.find(".func");
  if (entry == std::string_view::npos && func == std::string_view::npos) return "";
  std::string_view rest = line.substr(entry != std::string_view::npos ? entry + 6 : func + 5);
  const std::size_t first = std::min(rest.find_first_not_of(" \t"), rest.size());
  if (rest.substr(first).starts_with('('))  // what it returns
    rest = rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1);
  const std::vector<std::string_view> words = split(rest, " \t(){,");
  return words.empty() ? "" : std::string(words[0]);
}

}  // namespace

PtxAccesses::PtxAccesses(std::string_view ptx) {
  const std::vector<std::string_view> lines = split(ptx, "\n\r");
  const auto files = files_of(lines);
  const auto place = [&](std::string_view file, std::string_view line) {
    const auto at = files.find(file);
    return Place(at == files.end() ? "" : at->second, static_cast<int>(number_of(line)));
  };
  Function* function = nullptr;
  std::vector<Place> places;
  std::map<Place, std::vector<Place>> inlined_at;
  for (const std::string_view line : lines) {
    if (const std::string symbol = defined_symbol(line); !symbol.empty()) {
      function = &functions_[symbol];  // it may have been declared before
      function->name = demangled(symbol);
      function->is_kernel = line.find(".entry") != std::string_view::npos;
      places.clear();
      inlined_at.clear();
      continue;
    }
    std::vector<std::string_view> words = split(line, " \t,");
    if (words.empty() || !function) continue;
    if (words[0] == ".loc" && words.size() > 2) {
      const Place here = place(words[1], words[2]);
      if (here.second == 0) continue;  // of the compiler's own
      if (const auto at = std::ranges::find(words, "inlined_at"); words.end() - at > 2) {
        const Place outer = place(at[1], at[2]);
        inlined_at[here] = {outer};
        inlined_at[here].insert(inlined_at[here].end(), inlined_at[outer].begin(), inlined_at[outer].end());
      }
      places = {here};
      places.insert(places.end(), inlined_at[here].begin(), inlined_at[here].end());
      continue;
    }
    if (words[0].starts_with('@')) words.erase(words.begin());  // only where a predicate is true
    if (words.empty()) continue;
    const std::string_view operands = line.substr(words[0].data() + words[0].size() - line.data());
    if (const auto access = access_of(split(words[0], ".;"), operands))
      add(function->accesses[places], *access);
    else if (words.size() == 1)  // the operands of a call have lines of their own
      function->calls.emplace(words[0]);
  }
}

const PtxAccesses::Function* PtxAccesses::find_kernel(const Launch& launch) const {
  const auto base = [](const std::string& name) { return name.substr(0, name.find_first_of("<(")); };
  const Function* any = nullptr;
  for (const auto& [symbol, function] : functions_) {
    if (!function.is_kernel || base(function.name) != base(launch.kernel)) continue;
    any = &function;
    if (std::ranges::any_of(launch.lines, [&](const Line& line) { return line.function == any->name; }))
      break;
  }
  return any;
}

std::vector<const PtxAccesses::Function*> PtxAccesses::with_callees(const Function& kernel) const {
  std::vector<const Function*> all{&kernel};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::string& symbol : all[i]->calls)
      if (const auto callee = functions_.find(symbol);
          callee != functions_.end() && std::ranges::find(all, &callee->second) == all.end())
        all.push_back(&callee->second);
  return all;
}

void PtxAccesses::annotate(Launch& launch) const {
  const Function* const kernel = find_kernel(launch);
  if (!kernel) return;
  std::set<std::string> files;
  for (const Line& line : launch.lines) files.insert(line.file);
  std::map<Place, std::vector<CompiledAccess>> by_line;
  for (const Function* function : with_callees(*kernel))
    for (const auto& [places, accesses] : function->accesses) {
      // What is inlined from the toolkit's headers was counted where it is called.
      const auto place =
          std::ranges::find_if(places, [&](const Place& p) { return files.contains(p.first); });
      if (place == places.end()) continue;
      for (const CompiledAccess& access : accesses) add(by_line[*place], access);
    }
  for (Line& line : launch.lines) line.compiled = by_line[{line.file, line.line}];
}

std::string compiled_text(const std::vector<CompiledAccess>& accesses) {
  if (accesses.empty()) return "none here: it is made at another line, or not needed";
  std::vector<std::string> texts;
  for (const CompiledAccess& access : accesses) {
    const bool is_word = access.kind.find(' ') != std::string::npos;  // not the name of an instruction
    texts.push_back(fmt::format(
        "{} {}{}{}", access.count, access.kind, is_word && access.count > 1 ? "s" : "",
        access.bytes == 0 ? "" : fmt::format(" of {} byte{}", access.bytes, access.bytes == 1 ? "" : "s")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace warplab::lens
