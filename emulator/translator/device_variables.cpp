#include "emulator/translator/device_variables.hpp"

#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"

namespace warplab::translator {
namespace {

/// What has parentheses after it among specifiers.
bool takes_parentheses(const Token& token) {
  return token.is_one_of(" __align__ alignas __attribute__ decltype __typeof__ typeof ");
}

bool is_class_word(const Token& token) { return token.is_one_of(" struct class union enum "); }

/// Finds the names in a declaration of variables. Its types are left to the compiler, so they may be any.
class NameReader : private TokenReader {
 public:
  explicit NameReader(const Source& source) : TokenReader(source) {}

  struct Names {
    std::vector<int> tokens;
    int end = -1;  ///< the semicolon
  };
  /// @param i one of the specifiers
  /// @return nothing for a function, or a type without a variable
  Names read(int i) const {
    Names names;
    if (const int word = previous(i); word >= 0 && is_class_word(at(word))) return {};
    for (i = next(i); i >= 0; i = next(i)) {
      const int name = read_declarator(i);
      if (name < 0 || at(previous(name)).is(":")) return {};  // of a class
      names.tokens.push_back(name);
      while (i >= 0 && !at(i).is(",") && !at(i).is(";")) i = after(i);
      if (i < 0) return {};
      if (at(i).is(";")) return names.end = i, names;
    }
    return {};
  }

  /// The token after i, and after what i opens.
  int after(int i) const {
    const int end = end_of_template_arguments(source_, i);
    const bool opens = at(i).is("(") || at(i).is("[") || at(i).is("{");
    return next(end >= 0 ? end : opens ? at(i).partner : i);
  }

 private:
  /// Reads from token i, which becomes one after the name, or the end. @return the name, or -1
  int read_declarator(int& i) const {
    int name = -1;
    for (; i >= 0; i = after(i)) {
      const Token& token = at(i);
      const bool is_attribute = token.is("[") && at(next(i)).is("[");
      if (token.is_one_of(" ; , = { [ ") && !is_attribute) return name;
      if (token.is("(")) {
        const int inner = name_within(i);
        const Token& first = at(next(i));
        const bool is_value = first.kind == Token::Kind::number || first.is("-");  // int x(5);
        if (inner < 0) return is_value ? name : -1;
        i = after(i);
        if (i >= 0 && at(i).is("(")) i = after(i);  // the parameters of a function that it points to
        return inner;
      }
      if (token.is_one_of(" ) } ] operator __shared__ ")) return -1;
      if (takes_parentheses(token)) {
        i = next(i);
      } else if (is_class_word(token)) {
        i = end_of_class(i);
        name = -1;
      } else if (token.is_name()) {
        name = i;
      }
    }
    return -1;
  }

  /// The name in the parentheses of `float (*name)(int)` or `int (S::*name[2])()`; -1 in those of parameters,
  /// or of a function that returns a pointer.
  int name_within(int open) const {
    int i = next(open);
    while (at(i).is_name() && at(next(i)).is(":")) i = next(next(next(i)));
    if (!at(i).is("*") && !at(i).is("&")) return -1;
    int name = -1;
    for (; i < at(open).partner && !at(i).is("(") && !at(i).is("["); i = next(i))
      if (at(i).is_name()) name = i;
    if (!at(i).is("(")) return name;
    return name < 0 ? name_within(i) : -1;
  }

  /// The last token of `struct Name { ... }`, `enum class Name : int { ... }` or `struct Name`.
  int end_of_class(int word) const {
    int last = word, i = next(word);
    while (at(i).is("class") || takes_parentheses(at(i)) || at(i).is("["))
      i = at(i).is("class") ? next(i) : after(at(i).is("[") ? i : next(i));
    for (; at(i).is_name() && !at(i).is("final"); i = next(next(i))) {
      last = i;
      i = next(i);
      if (const int end = end_of_template_arguments(source_, i); end >= 0) i = next(last = end);
      if (!at(i).is(":") || !at(i + 1).is(":")) break;
    }
    if (at(i).is("final")) i = next(i);
    if (at(i).is(":"))
      while (!at(i).is("{") && !at(i).is(";")) i = after(i);
    return at(i).is("{") ? at(i).partner : last;
  }
};

/// "T, n, rest..." of `template <class T, int n = 3, class... rest>`, which ends at token `close`; "" where
/// one has no name.
std::string arguments_of_template(const Source& source, int first, int close) {
  std::string all;
  int name = -1, names = 0, depth = 0;
  bool is_pack = false, is_default = false;
  for (int i = source.next(first + 1); i >= 0 && i <= close; i = source.next(i + 1)) {
    const Token& token = source.at(i);
    if ((token.is(",") && depth == 1) || i == close) {
      if (names < 2 || source.at(name).is_one_of(" class typename auto ")) return "";
      all += (all.empty() ? "" : ", ") + std::string(source.at(name).text) + (is_pack ? "..." : "");
      names = 0;
      is_pack = is_default = false;
      continue;
    }
    depth += token.is("<") ? 1 : token.is(">") ? -1 : 0;
    if (token.is("(") || token.is("{")) i = token.partner;
    is_default |= token.is("=") && depth == 1;
    is_pack |= token.is(".") && depth == 1;
    if (!token.is_name() || depth != 1 || is_default) continue;
    name = i;
    ++names;
  }
  return all;
}

}  // namespace

void DeviceVariables::declare(int i) {
  const NameReader reader(source_);
  const auto [names, end] = reader.read(i);
  if (names.empty() || !is_at_namespace_scope(source_, i)) return;
  const int first = declaration_start(source_, i);
  if (at(first).is("typedef") || at(first).is("using")) return;
  Declaration declaration{first, end, names, {}, false};
  bool is_extern = false, earlier = false;
  for (int j = first; j >= 0 && j < names[0]; j = reader.after(j)) {
    if (at(j).is("constexpr") && source_.is_of_library(first)) return;  // nobody copies to it
    declaration.constant |= at(j).is("__constant__");
    is_extern |= at(j).is("extern");
    if (at(j).is("static") || at(j).is("inline")) declaration.storage = std::string(at(j).text) + " ";
    earlier |= j < i && (at(j).is("__constant__") || at(j).is("__device__") || at(j).is("__managed__"));
  }
  if (earlier || (is_extern && mode_ == Mode::plain)) return;
  if (at(first).is("template")) {
    if (!is_extern && !source_.is_of_library(first)) declare_template(declaration);
  } else if (is_extern) {
    refer_to_other_file(declaration);
  } else if (mode_ != Mode::plain) {
    share(declaration);
  } else {
    make_known(declaration);
  }
}

void DeviceVariables::make_known(const Declaration& declaration) {
  std::string& after = edits_.after(declaration.end);
  for (const int token : declaration.names) {
    const std::string name(at(token).text);
    if (declaration.constant)
      after += " static_assert(sizeof(" + name + ") <= 65536, \"__constant__ memory has 65536 bytes\");";
    after += " static const " + std::string(runtime) + "SymbolRegistration warplab_symbol_" + name + "(&" +
             name + ", sizeof(" + name + "), " + known_as(declaration, quote(name)) + ");";
  }
}

/// What follows the address and the size in a call that makes a variable known.
std::string DeviceVariables::known_as(const Declaration& declaration, const std::string& name) const {
  return name + (declaration.constant ? ", true, " : ", false, ") + place_of(source_, declaration.first);
}

std::string DeviceVariables::rename(int token) {
  const std::string own = "warplab_own_" + std::string(at(token).text);
  edits_.erase(token, token);
  edits_.before(token) += own;
  return own;
}

// Whether the variable of that name, of the declaration that begins at `first`, is const itself.
bool DeviceVariables::is_const(int first, int name) const {
  const NameReader reader(source_);
  bool found = false;
  for (int j = first; j >= 0 && j < name;) {
    if (at(j).is("constexpr")) return true;
    if (at(j).is("*")) found = false;
    found |= at(j).is("const");
    const int after = reader.after(j);
    j = after > name ? source_.next(j + 1) : after;  // the name may be in parentheses
  }
  return found;
}

void DeviceVariables::refer_to_other_file(const Declaration& declaration) {
  for (const int token : declaration.names) {
    const std::string name(at(token).text), own = rename(token);
    edits_.after(declaration.end) += " extern decltype(" + own + ")& " + name + ";";
    declared_.insert(name);
  }
}

void DeviceVariables::share(const Declaration& declaration) {
  std::string& after = edits_.after(declaration.end);
  for (const int token : declaration.names) {
    const std::string name(at(token).text), own = rename(token);
    // As it was declared before, in a header; else as what it refers to.
    const std::string type = declared_.contains(name) ? "decltype(" + name + ") " : "auto& ";
    const std::string known =
        std::string(runtime) + "original_symbol(&" + own + ", " + known_as(declaration, quote(name)) + ");";
    // By itself a module gets a constant reference, so that none lies in memory beside the variable. Of what
    // is const the compiler would then announce no access.
    if (mode_ == Mode::graded && !is_const(declaration.first, token))
      after += " " + declaration.storage + type + name + " = " + own +
               "; static const void* const warplab_known_" + name + " = " + known;
    else
      after += " " + declaration.storage + type + name + " = *" + known;
  }
}

/// The variables of a template are known when the program names them: each name is a reference, and what it
/// is initialised with makes the variable known. Nobody copies to what is const.
void DeviceVariables::declare_template(const Declaration& declaration) {
  const int token = declaration.names[0], open = source_.next(declaration.first + 1);
  const std::string name(at(token).text);
  if (!at(open).is("<") || at(source_.next(token + 1)).is("<")) {  // of some of its arguments
    if (templates_.contains(name)) rename(token);
    return;
  }
  const int close = end_of_template_arguments(source_, open);
  const std::string list = close < 0 ? "" : arguments_of_template(source_, declaration.first, close);
  if (list.empty() || declaration.names.size() > 1 || is_const(source_.next(close + 1), token)) return;
  templates_.insert(name);
  const std::string own = rename(token) + "<" + list + ">", r = runtime;
  const std::string head = " " + source_.text_of(declaration.first, close) + " ";
  const std::string known_name = "warplab_name_of_" + name, known = "warplab_symbol_" + name;
  std::string& after = edits_.after(declaration.end);
  after += head + "inline const char* " + known_name + "() { return __builtin_strstr(__PRETTY_FUNCTION__, " +
           quote(name + "() ") + "); }";
  const std::string as = known_as(declaration, known_name + "<" + list + ">()") + ")";
  if (mode_ == Mode::lens) {
    after += head + declaration.storage + "auto& " + name + " = *" + r + "original_symbol(&" + own + ", " +
             as + ";";
    return;
  }
  after += head + "const auto " + known + " = " + r +
           (mode_ == Mode::plain ? "SymbolRegistration(&" + own + ", sizeof(" + own + "), "
                                 : "original_symbol(&" + own + ", ") +
           as + ";" + head + declaration.storage + "auto& " + name + " = (static_cast<void>(&" + known + "<" +
           list + ">), " + own + ");";
}

}  // namespace warplab::translator
