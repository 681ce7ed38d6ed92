#include "emulator/translator/structures.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace warplab::translator {
namespace {

// The names that device functions use, and those that such names stand for: `using Vec = Vector<float>;`.
std::set<std::string> names_on_the_device(const Source& source, const DeviceCode& code) {
  const auto at = [&](int i) -> const Token& { return source.at(i); };
  std::set<std::string> names;
  for (const Function& function : code.functions) {
    names.insert(function.names.begin(), function.names.end());
    for (int i = declaration_start(source, function.body_open); i >= 0 && i < function.body_open; ++i)
      if (at(i).is_name()) names.emplace(at(i).text);
  }
  std::map<std::string, std::set<std::string>> aliases;
  for (int i = source.next(0); i >= 0; i = source.next(i + 1)) {
    if (!at(i).is("using") || at(i).system) continue;
    std::set<std::string>& meant = aliases[std::string(at(source.next(i + 1)).text)];
    for (int j = i; j >= 0 && !at(j).is(";") && !at(j).is("{"); j = source.next(j + 1))
      if (at(j).is_name()) meant.emplace(at(j).text);
  }
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    for (const auto& [alias, meant] : aliases)
      if (names.contains(alias)) names.insert(meant.begin(), meant.end());
  }
  return names;
}

std::string structure(const std::string& name, const std::string& bytes, const std::string& alignment) {
  return " static const ::warplab::emulator::LensStructure warplab_structure_" + name + "(" + bytes + ", " +
         alignment + ");";
}

constexpr const char* wide_vectors[] = {"float4", "int4", "uint4", "double2", "longlong2", "ulonglong2"};

}  // namespace

void mark_structures(const Source& source, const DeviceCode& code, Edits& edits) {
  const std::set<std::string> used = names_on_the_device(source, code);
  const auto at = [&](int i) -> const Token& { return source.at(i); };
  int last = -1;  // where the last of them ends
  // Types of 16 bytes, which two-word structures of the same size have to be told from.
  bool wide = std::any_of(std::begin(wide_vectors), std::end(wide_vectors),
                          [&](const char* name) { return used.contains(name); });
  int depth_end = -1;  // inside a class or a function: its closing brace
  for (int i = source.next(0); i >= 0; i = source.next(i + 1)) {
    const Token& token = at(i);
    if (i < depth_end || token.system) continue;
    const bool aggregate = token.is("struct") || token.is("class") || token.is("union");
    if (!aggregate) {
      if (!token.is("{")) continue;
      bool is_namespace = false;
      for (int k = declaration_start(source, i); k < i && k >= 0; k = source.next(k + 1))
        is_namespace |= at(k).is("namespace") || at(k).is("extern");
      if (!is_namespace) depth_end = token.partner;
      continue;
    }
    std::string name;
    int brace = source.next(i + 1);
    for (; brace >= 0 && !at(brace).is("{") && !at(brace).is(";") && !at(brace).is("=") && !at(brace).is(":");
         brace = source.next((at(brace).partner > brace ? at(brace).partner : brace) + 1)) {
      const bool attribute = at(brace).is("__align__") || at(brace).is("alignas") ||
                             at(brace).is("__attribute__") || at(brace).is("final");
      if (at(brace).is_name() && !attribute) name = std::string(at(brace).text);
    }
    while (brace >= 0 && !at(brace).is("{") && !at(brace).is(";"))
      brace = source.next(brace + 1);  // base classes
    if (brace < 0 || !at(brace).is("{")) continue;
    depth_end = at(brace).partner;
    const int start = declaration_start(source, i);
    if (at(start).is("template")) {
      for (int j = start; j < brace; ++j) wide |= at(j).is("alignas") || at(j).is("__align__");
      continue;
    }
    int end = source.next(depth_end + 1);
    if (at(start).is("typedef") && end >= 0 && at(end).is_name()) name = std::string(at(end).text);
    while (end >= 0 && !at(end).is(";")) end = source.next(end + 1);
    if (end < 0 || !used.contains(name)) continue;
    edits.after(end) += structure(std::to_string(i), "sizeof(" + name + ")", "alignof(" + name + ")");
    last = end;
    // The members of a packed structure may lie anywhere: a GPU takes them byte by byte.
    for (int j = start; j < end; ++j)
      if (at(j).is("packed") || at(j).is("__packed__"))
        for (const char* bytes : {"2", "4", "8"})
          edits.after(end) += structure(std::to_string(j) + "_" + bytes, bytes, "1");
  }
  if (wide && last >= 0) edits.after(last) += structure("of_16_bytes", "16", "16");
}

}  // namespace warplab::translator
