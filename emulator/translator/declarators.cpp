#include "declarators.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplab::translator {
namespace {

bool is_storage_word(std::string_view word) {
  static constexpr std::array words{"__shared__", "__device__", "__constant__", "__managed__",
                                    "extern",     "static",     "inline",       "constinit"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What may be among the specifiers with parentheses after it.
bool is_attribute(const Token& token) {
  return token.is("__align__") || token.is("alignas") || token.is("__attribute__");
}

}  // namespace

std::vector<Declarator> read_declarators(const Source& source, int first, int end, std::size_t* alignment) {
  const auto at = [&](int i) -> const Token& { return source.tokens[static_cast<std::size_t>(i)]; };
  std::string specifiers;
  std::vector<Declarator> found;
  int i = source.next(first);
  int name = -1, specifiers_end = -1, angle = 0;
  for (int j = i; j <= end; j = source.next(j + 1)) {  // the first declarator's name
    if (at(j).is("<")) ++angle;
    if (at(j).is(">")) --angle;
    if (is_attribute(at(j))) {
      const int open = source.next(j + 1);
      for (int k = open; k <= at(open).partner; ++k)
        if (at(k).kind == Token::Kind::number)
          *alignment = static_cast<std::size_t>(std::stoul(std::string(at(k).text)));
      j = at(open).partner;
      continue;
    }
    if (angle == 0 && (at(j).is("[") || at(j).is(",") || at(j).is(";") || at(j).is("=") || at(j).is("{")))
      break;
    if (at(j).is("(")) {
      j = at(j).partner;
      continue;
    }
    if (at(j).is_name()) name = j;
  }
  if (name < 0) source.fail(first, "can't read this declaration");
  specifiers_end = source.previous(name - 1);
  while (specifiers_end >= 0 && (at(specifiers_end).is("*") || at(specifiers_end).is("&")))
    specifiers_end = source.previous(specifiers_end - 1);
  for (; i <= specifiers_end; i = source.next(i + 1)) {
    if (is_storage_word(at(i).text)) continue;
    if (is_attribute(at(i))) {
      i = at(source.next(i + 1)).partner;
      continue;
    }
    if (at(i).is_name() && !specifiers.empty() && specifiers.back() != ':') specifiers += ' ';
    specifiers += at(i).text;  // `::` is two tokens, and must stay together
  }
  specifiers += ' ';
  while (i <= end) {
    Declarator declarator{specifiers, "", false};
    for (; !at(i).is(",") && !at(i).is(";"); i = source.next(i + 1)) {
      if (at(i).is("=") || at(i).is("{")) {
        declarator.is_initialised = true;
        while (!at(i).is(",") && !at(i).is(";")) i = (at(i).is("{") || at(i).is("(") ? at(i).partner : i) + 1;
        break;
      }
      if (at(i).is("[")) {
        declarator.type += source.text_of(i, at(i).partner);
        i = at(i).partner;
      } else if (at(i).is_name()) {
        declarator.name = std::string(at(i).text);
      } else {
        declarator.type += std::string(at(i).text);
      }
    }
    found.push_back(declarator);
    i = source.next(i + 1);
    if (i < 0) break;
  }
  return found;
}

}  // namespace warplab::translator
