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

bool is_aggregate(const Token& token) { return token.is("struct") || token.is("class") || token.is("union"); }

// The name after `struct`, at i, which its head may follow. @return where the head ends: at a brace or not
int find_head_end(const Source& source, int i, std::string& name) {
  const auto at = [&](int k) -> const Token& { return source.at(k); };
  int end = source.next(i + 1);
  for (; end >= 0 && !at(end).is("{") && !at(end).is(";") && !at(end).is("=") && !at(end).is(":");
       end = source.next((at(end).partner > end ? at(end).partner : end) + 1)) {
    const bool attribute = at(end).is("__align__") || at(end).is("alignas") || at(end).is("__attribute__") ||
                           at(end).is("final");
    if (at(end).is_name() && !attribute) name = std::string(at(end).text);
  }
  if (end >= 0 && at(end).is(":"))  // base classes
    while (end >= 0 && !at(end).is("{") && !at(end).is(";")) end = source.next(end + 1);
  return end;
}

// Whether a member of the structure with this brace is an array without a length: `float values[];`.
bool ends_with_array(const Source& source, int brace) {
  const auto at = [&](int i) -> const Token& { return source.at(i); };
  for (int i = source.next(brace + 1); i >= 0 && i < at(brace).partner; i = source.next(i + 1)) {
    if (at(i).is("{")) i = at(i).partner;  // of a function
    if (at(i).is("[") && at(i).partner == source.next(i + 1) && at(source.next(at(i).partner + 1)).is(";"))
      return true;
  }
  return false;
}

struct Structures {
  std::set<std::string, std::less<>> names;  // of the file's structures, and of what may be some
  bool have_arrays_without_length = false;   // of which g++ can't tell what is padding
};

Structures find_structures(const Source& source) {
  const auto at = [&](int i) -> const Token& { return source.at(i); };
  Structures structures;
  for (int i = source.next(0); i >= 0; i = source.next(i + 1)) {
    if (at(i).system) continue;
    std::string name;
    if (at(i).is("using")) name = at(source.next(i + 1)).text;
    if (at(i).is("typedef")) {
      for (int k = i; k >= 0 && !at(k).is(";"); k = source.next(std::max(k, at(k).partner) + 1))
        if (at(k).is_name()) name = at(k).text;
    } else if (is_aggregate(at(i))) {
      const int end = find_head_end(source, i, name);
      if (end < 0 || !at(end).is("{")) continue;
      structures.have_arrays_without_length |= ends_with_array(source, end);
    }
    structures.names.insert(name);
  }
  return structures;
}

// Which bytes of a structure are padding.
std::string layout(const Source& source, const std::string& name, int keyword, int brace,
                   const Structures& structures) {
  if (structures.have_arrays_without_length) return "";
  bool nested = false;
  for (int i = source.next(keyword + 1); i >= 0 && i < source.at(brace).partner; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    nested |= is_aggregate(token) || (token.is(":") && source.at(source.next(i + 1)).is(":")) ||
              (token.text != name && structures.names.contains(token.text));
  }
  return ", ::warplab::emulator::lens_members<" + name + ">(), " + (nested ? "true" : "false");
}

std::string structure(const std::string& name, const std::string& bytes, const std::string& alignment,
                      const std::string& layout = "") {
  return " static const ::warplab::emulator::LensStructure warplab_structure_" + name + "(" + bytes + ", " +
         alignment + layout + ");";
}

constexpr const char* wide_vectors[] = {"float4", "int4", "uint4", "double2", "longlong2", "ulonglong2"};

}  // namespace

void mark_structures(const Source& source, const DeviceCode& code, bool with_padding, Edits& edits) {
  const std::set<std::string> used = names_on_the_device(source, code);
  const Structures structures = find_structures(source);
  const auto at = [&](int i) -> const Token& { return source.at(i); };
  int last = -1;  // where the last of them ends
  // Types of 16 bytes, which two-word structures of the same size have to be told from.
  bool wide = std::any_of(std::begin(wide_vectors), std::end(wide_vectors),
                          [&](const char* name) { return used.contains(name); });
  int depth_end = -1;  // inside a class or a function: its closing brace
  for (int i = source.next(0); i >= 0; i = source.next(i + 1)) {
    const Token& token = at(i);
    if (i < depth_end || token.system) continue;
    if (!is_aggregate(token)) {
      if (!token.is("{")) continue;
      bool is_namespace = false;
      for (int k = declaration_start(source, i); k < i && k >= 0; k = source.next(k + 1))
        is_namespace |= at(k).is("namespace") || at(k).is("extern");
      if (!is_namespace) depth_end = token.partner;
      continue;
    }
    std::string name;
    const int brace = find_head_end(source, i, name);
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
    edits.after(end) += structure(std::to_string(i), "sizeof(" + name + ")", "alignof(" + name + ")",
                                  with_padding ? layout(source, name, i, brace, structures) : "");
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
