#include "emulator/translator/local_arrays.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace warplab::translator {
namespace {

class LocalArrayFinder {
 public:
  LocalArrayFinder(const Source& source, const Function& function, ConstantNames& constants)
      : source_(source), function_(function), of_file_(constants) {}

  std::vector<LocalArray> run() {
    std::vector<LocalArray> found;
    for (int i = next(function_.body_open); i >= 0 && i < function_.body_close; i = next(i)) {
      if (at(i).is("struct") || at(i).is("union") || at(i).is("class")) {
        const int name = next(i), brace = name >= 0 && at(name).is_name() ? next(name) : name;
        if (brace >= 0 && at(brace).is("{")) i = at(brace).partner;  // its members
      }
      if (at(i).system || !is_array_declarator(i)) continue;
      const int start = declaration_start(source_, i), end = statement_end(i);
      bool own = true;
      for (int j = start; j < i && j >= 0; j = next(j))
        own &= !at(j).is("__shared__") && !at(j).is("extern") && !at(j).is("static") &&
               !at(j).is("constexpr") && !at(j).is("const") && !at(j).is("typedef") && !at(j).is("using") &&
               !at(j).is("return") && !at(j).is("struct") && !at(j).is("delete");
      if (!own || at(start).is("for")) continue;
      LocalArray array{std::string(at(source_.previous(i - 1)).text), end, false};
      if (!stays_in_registers(array)) found.push_back(array);
    }
    return found;
  }

 private:
  const Token& at(int i) const { return source_.at(i); }
  int next(int i) const { return source_.next(i + 1); }

  // A statement that ends in braces may have no semicolon after it.
  int statement_end(int i) const {
    while (!at(i).is(";")) {
      i = next(at(i).partner > i ? at(i).partner : i);
      if (i < 0 || i >= function_.body_close) return function_.body_close;
    }
    return i;
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

  // Whether every index is known when the kernel is compiled; where not, notes whether one surely is not.
  bool stays_in_registers(LocalArray& array) {
    if (of_file_.empty()) find_constants();
    if (!has_loops_) find_loops();
    bool all_known = true;
    for (int i = next(array.end); i >= 0 && i < function_.body_close; i = next(i)) {
      if (!at(i).is(array.name) || at(source_.previous(i - 1)).is(".")) continue;
      const int open = next(i);
      if (!at(open).is("[")) {  // handed on as a pointer, or its size is taken
        all_known &= at(source_.previous(i - 1)).is("sizeof") || at(source_.previous(i - 1)).is(":");
        continue;
      }
      for (int j = next(open); j < at(open).partner; j = next(j))
        if (at(j).is_name() && !is_constant(j)) array.surely = true;
    }
    return all_known && !array.surely;
  }

  bool is_known(int first, int last) const {
    for (int i = source_.next(first); i >= 0 && i <= last; i = next(i))
      if (at(i).is_name() && !is_constant(i)) return false;
    return true;
  }

  // The variable of a loop is what the innermost loop of that name makes of it.
  bool is_constant(int name) const {
    const int after = next(name);
    if (at(after).is("::") || (at(after).is(":") && at(next(after)).is(":"))) return true;  // only a scope
    const Loop* innermost = nullptr;
    for (const Loop& loop : loops_)
      if (loop.begin < name && name < loop.end && at(loop.variable).text == at(name).text)
        innermost = &loop;  // loops are in the order in which they begin
    return innermost ? innermost->unrolls : is_in_file_or_function(at(name).text);
  }
  bool is_in_file_or_function(std::string_view name) const {
    return of_file_.contains(name) || constants_.contains(name);
  }

  // Names of compile-time constants anywhere in the file.
  void find_constants() {
    of_file_ = {"int", "unsigned", "size_t", "sizeof", "static_cast", "constexpr", "warpSize"};
    for (int i = source_.next(0); i >= 0; i = next(i)) {
      if (at(i).system) continue;
      if (at(i).is("constexpr") || at(i).is("enum")) {
        bool initialised = false;  // else a bracket is a function's
        for (int j = next(i); j >= 0 && !at(j).is(";") && (initialised || !at(j).is("(")); j = next(j)) {
          const int after = next(j);
          initialised |= at(j).is("=");
          if (at(j).is_name() && after >= 0 && (at(after).is("=") || at(after).is(",") || at(after).is("}")))
            of_file_.insert(at(j).text);
        }
      } else if (at(i).is("template") && at(next(i)).is("<")) {
        for (int j = next(next(i)); j >= 0 && !at(j).is("(") && !at(j).is("{") && !at(j).is(";");
             j = next(j)) {
          const int after = next(j), left = source_.previous(j - 1);
          if (at(j).is_name() && !at(left).is("<") && !at(left).is(",") && !at(left).is("class") &&
              !at(left).is("typename") && (at(after).is(",") || at(after).is(">") || at(after).is("=")))
            of_file_.insert(at(j).text);
          if (at(j).is(">")) break;
        }
      } else if (at(i).is("const") && at(next(i)).is_name()) {
        find_constant(i, of_file_);
      }
    }
  }

  // Variables of this function's loops that a compiler can unroll: `for (int j = 0; j < 4; ++j)`.
  void find_loops() {
    has_loops_ = true;
    for (int i = next(function_.body_open); i >= 0 && i < function_.body_close; i = next(i)) {
      if (at(i).is("const") && at(next(i)).is_name())
        find_constant(i, constants_);  // in a loop it may hang on its variable
      if (!at(i).is("for") || at(i).system) continue;
      const int open = next(i), equals = [&] {
        int j = next(open);
        while (j < at(open).partner && !at(j).is("=") && !at(j).is(";")) j = next(j);
        return j;
      }();
      if (!at(equals).is("=")) continue;
      const int variable = source_.previous(equals - 1);
      int semicolon = equals, second;
      while (semicolon < at(open).partner && !at(semicolon).is(";")) semicolon = next(semicolon);
      second = next(semicolon);
      while (second < at(open).partner && !at(second).is(";")) second = next(second);
      const int body = next(at(open).partner);
      loops_.push_back({variable, open, at(body).is("{") ? at(body).partner : statement_end(body), true});
      const Unrolling asked = unrolling_of(i);
      loops_.back().unrolls = is_known(equals + 1, semicolon - 1) &&
                              condition_is_known(semicolon, second, asked == Unrolling::wanted) &&
                              steps_are_known(second, at(open).partner, at(variable).text) &&
                              asked != Unrolling::forbidden;
      // Elsewhere a name of the same kind is most likely a parameter that such a loop's variable is given to.
      if (loops_.back().unrolls) constants_.insert(at(variable).text);
    }
  }

  // Of `i < 4 && i < n` one part is enough where unrolling is asked for: each iteration then asks for the
  // others.
  bool condition_is_known(int open, int close, bool one_is_enough) const {
    bool all = true, any = false;
    for (int begin = open; begin < close;) {
      int end = next(begin);
      const auto is_and = [&](int i) { return at(i).is("&&") || (at(i).is("&") && at(next(i)).is("&")); };
      while (end < close && !is_and(end)) end = at(end).is("(") ? next(at(end).partner) : next(end);
      if (end < close && at(end).is("&")) end = next(end);  // to its second sign
      const bool known = is_known(begin + 1, end - 1);
      all &= known, any |= known;
      begin = end;
    }
    return all || (one_is_enough && any);
  }

  // In `++i, to += width` only the part with the loop's own variable counts.
  bool steps_are_known(int semicolon, int close, std::string_view variable) const {
    for (int begin = semicolon; begin < close;) {
      int end = next(begin);
      bool own = false;
      for (; end < close && !at(end).is(","); end = next(end)) own |= at(end).is(variable);
      if (own && !is_known(begin + 1, end - 1)) return false;
      begin = end;
    }
    return true;
  }

  // `const int n = 4, m = n + 1;`
  void find_constant(int i, ConstantNames& constants) const {
    for (int name = next(next(i)); name >= 0;) {
      const int equals = next(name);
      if (!at(name).is_name() || !at(equals).is("=")) return;
      int end = equals;
      while (end >= 0 && !at(end).is(";") && !at(end).is(","))
        end = at(end).is("(") || at(end).is("{") ? next(at(end).partner) : next(end);
      if (end < 0) return;
      if (is_known(equals + 1, end)) constants.insert(at(name).text);
      if (!at(end).is(",")) return;
      name = next(end);
    }
  }

  enum class Unrolling { unsaid, wanted, forbidden };

  // What `#pragma unroll` before a loop says; `#pragma unroll 1` keeps its variable a variable.
  Unrolling unrolling_of(int loop) const {
    for (int j = loop - 1; j >= 0; --j) {
      if (at(j).kind == Token::Kind::space) continue;
      if (at(j).kind != Token::Kind::directive) return Unrolling::unsaid;
      const std::string_view text = at(j).text;
      if (text.find("nounroll") != std::string_view::npos) return Unrolling::forbidden;
      const std::size_t unroll = text.find("unroll");
      if (unroll == std::string_view::npos) continue;
      const std::size_t number = text.find_first_of("0123456789", unroll);
      const bool by_one = number != std::string_view::npos && text[number] == '1' &&
                          text.find_first_not_of(" (", unroll + 6) == number &&
                          (number + 1 == text.size() ||
                           text.find_first_of("0123456789", number + 1) == std::string_view::npos);
      return by_one ? Unrolling::forbidden : Unrolling::wanted;
    }
    return Unrolling::unsaid;
  }

  const Source& source_;
  const Function& function_;
  struct Loop {
    int variable, begin, end;  ///< tokens
    bool unrolls;              ///< its iterations are known when the kernel is compiled
  };
  ConstantNames& of_file_;
  ConstantNames constants_;  ///< of the function
  bool has_loops_ = false;
  std::vector<Loop> loops_;
};

}  // namespace

std::vector<LocalArray> find_local_arrays(const Source& source, const Function& function,
                                          ConstantNames& constants) {
  return LocalArrayFinder(source, function, constants).run();
}

}  // namespace warplab::translator
