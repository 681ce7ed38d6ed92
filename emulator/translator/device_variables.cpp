#include "emulator/translator/device_variables.hpp"

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"

namespace warplab::translator {
namespace {

std::string reference_to(const std::string& type) {
  return std::string(runtime) + "Identity<" + type + ">& ";
}

}  // namespace

void DeviceVariables::declare(int i) {
  bool is_variable = false;
  for (int j = source_.next(i + 1); j >= 0; j = source_.next(j + 1)) {
    if (at(j).is("(") && !at(source_.previous(j - 1)).is("__align__") &&
        !at(source_.previous(j - 1)).is("alignas"))
      return;
    if (at(j).is("(")) j = at(j).partner;
    if (const int end = end_of_template_arguments(source_, j); end >= 0) j = end;
    if (at(j).is("operator") || at(j).is("__shared__")) return;
    if (at(j).is(";") || at(j).is("=") || at(j).is("{") || at(j).is("[")) {
      is_variable = at(j).is(";") || at(j).is("=") || at(j).is("{") ||
                    (at(j).is("[") && at(source_.previous(j - 1)).is_name());
      break;
    }
  }
  if (!is_variable || !is_at_namespace_scope(source_, i)) return;
  const int first = declaration_start(source_, i), end = statement_end(source_, i);
  if (end >= static_cast<int>(source_.tokens.size()) || at(first).is("template") || at(first).is("typedef") ||
      at(first).is("using"))
    return;
  bool constant = false, is_extern = false, earlier = false;
  for (int j = first; j < end && !at(j).is("="); ++j) {
    if (at(j).is("constexpr") && source_.is_of_library(first)) return;  // nobody copies to it
    constant |= at(j).is("__constant__");
    is_extern |= at(j).is("extern");
    earlier |= j < i && (at(j).is("__constant__") || at(j).is("__device__") || at(j).is("__managed__"));
    if (at(j).is("struct") || at(j).is("class")) {
      const int brace = source_.next(source_.next(j + 1) + 1);
      if (brace >= 0 && at(brace).is("{")) return;
    }
  }
  if (earlier || (is_extern && mode_ == Mode::plain)) return;
  std::size_t alignment = 0;
  const std::vector<Declarator> variables = read_declarators(source_, first, end, &alignment);
  if (is_extern) {
    edits_.erase(first, end);
    for (const Declarator& v : variables) {
      edits_.before(first) += "extern " + reference_to(v.type) + v.name + "; ";
      declared_.insert(v.name);
    }
    return;
  }
  if (mode_ != Mode::plain) return share(first, end, variables, constant);
  for (const Declarator& v : variables) {
    if (constant)
      edits_.after(end) +=
          " static_assert(sizeof(" + v.name + ") <= 65536, \"__constant__ memory has 65536 bytes\");";
    edits_.after(end) += " static const " + std::string(runtime) + "SymbolRegistration warplab_symbol_" +
                         v.name + "(&" + v.name + ", sizeof(" + v.name + "), " + quote(v.name) +
                         (constant ? ", true, " : ", false, ") + place_of(source_, first) + ");";
  }
}

// Whether the variable of that name, of the declaration that begins at `first`, is const itself.
bool DeviceVariables::is_const(int first, int name) const {
  bool found = false;
  for (int j = first; j < name; ++j) {
    if (at(j).is("constexpr")) return true;
    if (at(j).is("*")) found = false;
    found |= at(j).is("const");
  }
  return found;
}

void DeviceVariables::share(int first, int end, const std::vector<Declarator>& variables, bool constant) {
  std::string storage;
  for (int j = first; j < end && !at(j).is("="); ++j)
    if (at(j).is("static") || at(j).is("inline")) storage = std::string(at(j).text) + " ";
  for (const Declarator& v : variables) {
    int name = first;
    while (!at(name).is(v.name)) ++name;
    const std::string own = "warplab_own_" + v.name;
    edits_.erase(name, name);
    edits_.before(name) += own;
    // As it was declared before, in a header; else as what it refers to.
    const std::string type = declared_.contains(v.name) ? reference_to(v.type) : "auto& ";
    const std::string known = std::string(runtime) + "original_symbol(&" + own + ", " + quote(v.name) +
                              (constant ? ", true, " : ", false, ") + place_of(source_, first) + ");";
    // By itself a module gets a constant reference, so that none lies in memory beside the variable. Of what
    // is const the compiler would then announce no access.
    if (mode_ == Mode::graded && !is_const(first, name))
      edits_.after(end) += " " + storage + type + v.name + " = " + own +
                           "; static const void* const warplab_known_" + v.name + " = " + known;
    else
      edits_.after(end) += " " + storage + type + v.name + " = *" + known;
  }
}

}  // namespace warplab::translator
