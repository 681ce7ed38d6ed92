#include "emulator/translator/shared_variables.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "emulator/translator/code/declarators.hpp"

namespace warplab::translator {
namespace {

std::string refer(const std::string& name, const std::string& value) {
  return "[[maybe_unused]] auto& " + name + " = " + runtime + value + "; ";
}

}  // namespace

int SharedVariables::braces_of_record(int shared) const {
  int i = source_.next(shared + 1);
  if (!at(i).is("struct") && !at(i).is("union") && !at(i).is("class")) return -1;
  i = source_.next(i + 1);
  if (at(i).is_name() && at(source_.next(i + 1)).is("{")) i = source_.next(i + 1);
  return at(i).is("{") ? i : -1;
}

bool SharedVariables::names_types(int shared) const {
  const Function* const function = function_around(code_, shared);
  for (int i = function == nullptr ? shared : function->body_open; i < shared; ++i)
    if (at(i).is("typedef") || at(i).is("using") || at(i).is("struct") || at(i).is("union")) return true;
  return false;
}

std::string SharedVariables::keep_record(int shared, int brace) {
  const int word = source_.next(shared + 1), name = source_.next(word + 1);
  edits_.erase(shared, word - 1);
  edits_.after(at(brace).partner) += "; ";
  if (name != brace) return std::string(at(name).text);
  const std::string record = "WarplabRecord" + std::to_string(shared);
  edits_.after(word) += " " + record;
  return record;
}

std::string SharedVariables::record_definition(int shared, int brace, const std::string& name) const {
  std::string text = std::string(at(source_.next(shared + 1)).text) + " " + name + " " +
                     std::string(source_.text_of(brace, at(brace).partner)) + "; ";
  for (int j = brace; j < at(brace).partner; ++j)
    if (at(j).kind == Token::Kind::directive)
      source_.fail(shared, "give this type a name, before the variable");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void SharedVariables::note_dynamic_alignment(int first, int end, std::size_t alignment) {
  constexpr std::size_t largest = 1024;
  for (int j = first; j < end; ++j) {
    if (!at(j).is("__align__") && !at(j).is("alignas")) continue;
    const int number = source_.next(source_.next(j + 1) + 1);
    if (at(number).kind != Token::Kind::number || !at(source_.next(number + 1)).is(")")) alignment = largest;
  }
  dynamic_alignment_ = std::max(dynamic_alignment_, alignment);
}

std::string SharedVariables::dynamic_name(int i, const std::string& name) {
  std::vector<std::string> path = all_namespaces_around(source_, i);
  path.push_back(name);
  const auto known = dynamic_names_.emplace(std::move(path), dynamic_names_.size()).first;
  return "extern_shared_" + std::to_string(known->second) + "_" + name;
}

std::string SharedVariables::names_of_dynamic_memory() const {
  if (dynamic_names_.empty()) return "";
  std::string text = "namespace { ";
  for (const auto& [path, number] : dynamic_names_)
    text += "struct extern_shared_" + std::to_string(number) + "_" + path.back() + "; ";
  return text + (source_.text.starts_with('#') ? "}\n" : "} ");
}

std::string SharedVariables::alignment_of_dynamic_memory() const {
  if (dynamic_alignment_ <= 128) return "";  // which it always has
  return "\nnamespace { const " + std::string(runtime) + "DynamicAlignment warplab_dynamic_alignment(" +
         std::to_string(dynamic_alignment_) + "); }\n";
}

void SharedVariables::declare(int i) {
  const int first = declaration_start(source_, i), end = statement_end(source_, i);
  for (int j = first; j < i; j = source_.next(j + 1))
    if (at(j).is("__shared__")) return;  // `int __shared__ x[32], *__shared__ p;`
  std::size_t alignment = 0;
  bool dynamic = false;
  for (int j = first; j < end; ++j) dynamic |= at(j).is("extern");
  std::string tags, replacement;
  std::vector<Declarator> variables;
  std::vector<std::string> values;  // by variable
  const Function* const function = function_around(code_, i);
  const int brace = braces_of_record(i);
  const bool is_named = brace >= 0 && at(source_.previous(brace - 1)).is_name() &&
                        source_.previous(brace - 1) != source_.next(i + 1);
  const bool stays = brace >= 0 && function != nullptr && (is_named || names_types(i));
  if (brace >= 0) {
    std::string record = "WarplabRecord" + std::to_string(i);
    if (stays)
      record = keep_record(i, brace);
    else
      tags = record_definition(i, brace, record);
    variables = read_declarators(source_, at(brace).partner + 1, end, &alignment);
    for (Declarator& v : variables) v.type = record + v.type;
  } else {
    variables = read_declarators(source_, first, end, &alignment);
  }
  if (dynamic) note_dynamic_alignment(first, end, alignment);
  std::string scope = function ? "" : "::";
  if (!function)
    for (const std::string& name : namespaces_around(source_, i)) scope += name + "::";
  for (const Declarator& v : variables) {
    if (v.is_initialised)
      source_.fail(
          i, "a __shared__ variable cannot be initialised: let a thread write it, then __syncthreads()");
    const std::string tag = "WarplabShared" + std::to_string(i) + "_" + v.name;
    // Functions of other namespaces use what is outside of functions: they find its type by way of the tag.
    const std::string type = function ? v.type : scope + tag + "::Type";
    if (!function)
      tags += "struct " + tag + " { using Type = " + v.type + "; }; ";
    else if (!dynamic)
      tags += "struct " + tag + "; ";
    values.push_back(dynamic ? "dynamic_shared<" + type + ", ::" + dynamic_name(i, v.name) + ">()"
                             : "static_shared<" + scope + tag + ", " + type + ">(" + quote(v.name) + ", " +
                                   std::to_string(alignment) + ", " + place_of(source_, i) + ")");
    replacement += refer(v.name, values.back());
  }
  edits_.erase(stays ? at(brace).partner + 1 : first, end);
  if (function != nullptr) {
    (stays ? edits_.after(end) : edits_.before(first)) += replacement;
    declarations_.push_back({function->body_open, tags});
    return;
  }
  if (!is_at_namespace_scope(source_, i))
    source_.fail(i, "a __shared__ variable must be in a kernel, in a __device__ function or at file scope");
  if (!tags.empty()) edits_.before(first) += "namespace { " + tags + "} ";
  for (std::size_t k = 0; k < variables.size(); ++k) refer_to(i, variables[k].name, values[k]);
}

void SharedVariables::refer_to(int i, const std::string& name, const std::string& value) {
  const std::string reference = refer(name, value);
  at_file_scope_.push_back({name, namespaces_around(source_, i), value});
  int open = i;  // of the namespace
  while (open >= 0 && !(at(open).is("{") && at(open).partner > i)) --open;
  for (const Function& user : code_.functions) {
    if (user.body_open < i || !user.names.contains(name)) continue;
    if (declaration_around(source_, user.body_open, name) >= 0) continue;  // a parameter, say
    std::map<std::string, std::string>& known = file_scope_[user.body_open];
    if (open < 0 || user.body_open < at(open).partner)
      known[name] = reference;
    else
      known.emplace(name, reference);
  }
}

void SharedVariables::refer_by_qualified_names(const Function& user) {
  const std::vector<std::string> around = namespaces_around(source_, user.body_open);
  for (int i = user.body_open; i < user.body_close; ++i) {
    const std::optional<QualifiedName> name = qualified_name(source_, i);
    const FileScopeVariable* const meant = name ? variable_meant(*name, at(i).text, around) : nullptr;
    if (meant == nullptr) continue;
    const std::string own =
        "warplab_shared_" + std::to_string(meant - at_file_scope_.data()) + "_" + meant->name;
    file_scope_[user.body_open][own] = refer(own, meant->value);
    edits_.erase(name->first, i);
    edits_.before(name->first) += own;
  }
}

const SharedVariables::FileScopeVariable* SharedVariables::variable_meant(
    const QualifiedName& name, std::string_view last, std::vector<std::string> around) const {
  if (name.is_global) around.clear();
  for (;; around.pop_back()) {
    std::vector<std::string> path = around;
    path.insert(path.end(), name.namespaces.begin(), name.namespaces.end());
    for (const FileScopeVariable& variable : at_file_scope_)
      if (variable.name == last && variable.namespaces == path) return &variable;
    if (around.empty()) return nullptr;
  }
}

void SharedVariables::refer_by_qualified_names() {
  if (at_file_scope_.empty()) return;
  for (const Function& function : code_.functions) refer_by_qualified_names(function);
}

std::string SharedVariables::tags_of(int body) const {
  std::string text;
  for (const Declaration& declaration : declarations_)
    if (declaration.body == body) text += declaration.tags;
  return text;
}

std::string SharedVariables::file_scope_of(int body) const {
  std::string text;
  if (const auto known = file_scope_.find(body); known != file_scope_.end())
    for (const auto& [name, reference] : known->second) text += reference;
  return text;
}

}  // namespace warplab::translator
