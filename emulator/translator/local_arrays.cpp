#include "emulator/translator/local_arrays.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplab::translator {
namespace {

class LocalArrayFinder : private TokenReader {
 public:
  LocalArrayFinder(const Source& source, const Function& function)
      : TokenReader(source), function_(function) {}

  /// Calls take(start, bracket) for each declaration `float name[`, also behind others in one statement, with
  /// the first token of that.
  template <class Take>
  void each(Take take) const {
    for (int i = next(function_.body_open); i >= 0 && i < function_.body_close; i = next(i)) {
      if (at(i).is("struct") || at(i).is("union") || at(i).is("class")) {
        const int name = next(i), brace = name >= 0 && at(name).is_name() ? next(name) : name;
        if (brace >= 0 && at(brace).is("{")) i = at(brace).partner;  // its members
      }
      if (at(i).system || !is_array_declarator(i)) continue;
      const int start = declaration_start(source_, i);
      bool own = true;
      for (int j = start; j < i && j >= 0; j = next(j))
        own &= !at(j).is("__shared__") && !at(j).is("extern") && !at(j).is("static") &&
               !at(j).is("constexpr") && !at(j).is("const") && !at(j).is("typedef") && !at(j).is("using") &&
               !at(j).is("return") && !at(j).is("struct") && !at(j).is("delete");
      if (!own || at(start).is("for")) continue;
      take(start, i);
      for (int other = next_declarator(i); other >= 0; other = next_declarator(other)) take(start, other);
    }
  }

  // A statement that ends in braces may have no semicolon after it.
  int statement_end(int i) const {
    while (!at(i).is(";")) {
      i = next(at(i).partner > i ? at(i).partner : i);
      if (i < 0 || i >= function_.body_close) return function_.body_close;
    }
    return i;
  }

  /// @return false if it declares something else too, or what the arrays hold is not plain numbers
  bool read_declarators(ArrayDeclaration& declaration) const {
    int i = declaration.begin;
    while (i < declaration.end && !at(next(i)).is("[")) i = next(i);
    for (; i < declaration.end; i = next(i)) {
      if (!at(i).is_name() || !at(next(i)).is("[")) return false;
      declaration.names.emplace_back(at(i).text);
      for (i = next(i); at(i).is("["); i = next(at(i).partner))
        if (next(i) == at(i).partner) return false;  // its values say how many it has
      if (at(i).is("=")) {
        i = next(i);
        if (!at(i).is("{")) return false;
        for (int j = next(i); j < at(i).partner; j = next(j))
          if (at(j).kind != Token::Kind::number && !at(j).is(",")) return false;
        i = next(at(i).partner);
      }
      if (!at(i).is(",") && i != declaration.end) return false;
    }
    return !declaration.names.empty();
  }

  /// Whether every index is known when the kernel is compiled; where not, notes whether one surely is not.
  bool stays_in_registers(LocalArray& array, const KnownNames& known) const {
    bool all_known = true;
    for (int i = next(array.end); i >= 0 && i < function_.body_close; i = next(i)) {
      if (!at(i).is(array.name) || at(source_.previous(i - 1)).is(".")) continue;
      const int open = next(i);
      if (!at(open).is("[")) {  // handed on as a pointer, or its size is taken
        all_known &= at(source_.previous(i - 1)).is("sizeof") || at(source_.previous(i - 1)).is(":");
        continue;
      }
      for (int j = next(open); j < at(open).partner; j = next(j))
        if (at(j).is_name() && !known.is_constant(j)) array.surely = true;
    }
    return all_known && !array.surely;
  }

 private:
  // The bracket of the next array that the statement declares, as in `float a[4], n = 2, b[n] = {}`; -1 if
  // there is none.
  int next_declarator(int bracket) const {
    const int end = statement_end(bracket);
    for (int i = bracket; i < end; i = next(at(i).partner > i ? at(i).partner : i))
      if (at(i).is(",") && at(next(i)).is_name() && at(next(next(i))).is("[")) return next(next(i));
    return -1;
  }

  // The bracket of `float name[`: after a name that follows a type.
  bool is_array_declarator(int i) const {
    if (!at(i).is("[")) return false;
    const int name = source_.previous(i - 1), type = source_.previous(name - 1);
    if (name <= function_.body_open || type <= function_.body_open || !at(name).is_name()) return false;
    static constexpr std::array words{"return", "else", "do",     "case", "throw",
                                      "sizeof", "new",  "delete", "goto"};
    return at(type).is(">")
               ? closes_template(type)
               : at(type).is_name() && std::find(words.begin(), words.end(), at(type).text) == words.end();
  }

  // Whether `>` ends a type's arguments, rather than being an arrow's or a comparison's.
  bool closes_template(int i) const {
    int depth = 1;
    for (int j = source_.previous(i - 1); j > function_.body_open && depth > 0; j = source_.previous(j - 1)) {
      if (at(j).is(">"))
        ++depth;
      else if (at(j).is("<"))
        --depth;
      else if (!at(j).is_name() && !at(j).is(",") && !at(j).is(":") && !at(j).is("*") &&
               (at(j).text.empty() || at(j).text[0] < '0' || at(j).text[0] > '9'))
        return false;
    }
    return depth == 0;
  }

  const Function& function_;
};

}  // namespace

std::vector<ArrayDeclaration> array_declarations(const Source& source, const Function& function) {
  std::vector<ArrayDeclaration> found;
  const LocalArrayFinder finder(source, function);
  finder.each([&](int begin, int) {
    if (!found.empty() && found.back().begin == begin) return;
    ArrayDeclaration declaration{begin, finder.statement_end(begin), {}};
    if (finder.read_declarators(declaration)) found.push_back(std::move(declaration));
  });
  return found;
}

std::vector<LocalArray> find_local_arrays(const Source& source, const Function& function,
                                          const KnownNames& known) {
  std::vector<LocalArray> found;
  const LocalArrayFinder finder(source, function);
  finder.each([&](int, int bracket) {
    LocalArray array{std::string(source.at(source.previous(bracket - 1)).text), finder.statement_end(bracket),
                     false};
    if (!finder.stays_in_registers(array, known)) found.push_back(array);
  });
  return found;
}

}  // namespace warplab::translator
