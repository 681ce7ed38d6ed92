#include "emulator/translator/code/declarators.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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

/// Reads the tokens of one declaration.
class DeclarationReader {
 public:
  DeclarationReader(const Source& source, int first, int end, std::size_t* alignment)
      : source_(source), first_(first), end_(end), at_(source.next(first)), alignment_(alignment) {}

  std::vector<Declarator> read() {
    const std::string specifiers = read_specifiers(end_of_specifiers());
    std::vector<Declarator> found;
    while (at_ <= end_) {
      found.push_back(read_declarator(specifiers));
      at_ = source_.next(at_ + 1);
      if (at_ < 0) break;
    }
    return found;
  }

 private:
  const Token& token(int i) const { return source_.at(i); }
  bool ends_declarator() const { return token(at_).is(",") || token(at_).is(";"); }

  /// The last token of the specifiers: those before the first declarator's name and its * and &.
  int end_of_specifiers() const {
    int name = -1, angle = 0;
    for (int j = at_; j <= end_; j = source_.next(j + 1)) {
      if (token(j).is("<")) ++angle;
      if (token(j).is(">")) --angle;
      if (is_attribute(token(j))) {
        const int open = source_.next(j + 1);
        read_alignment(open);
        j = token(open).partner;
        continue;
      }
      if (angle == 0 &&
          (token(j).is("[") || token(j).is(",") || token(j).is(";") || token(j).is("=") || token(j).is("{")))
        break;
      if (token(j).is("(")) {
        j = token(j).partner;
        continue;
      }
      if (token(j).is_name()) name = j;
    }
    if (name < 0) source_.fail(first_, "can't read this declaration");
    int last = source_.previous(name - 1);
    while (last >= 0 && (token(last).is("*") || token(last).is("&"))) last = source_.previous(last - 1);
    return last;
  }

  /// @param open the parenthesis after an attribute
  void read_alignment(int open) const {
    for (int k = open; k <= token(open).partner; ++k)
      if (token(k).kind == Token::Kind::number)
        std::from_chars(token(k).text.data(), token(k).text.data() + token(k).text.size(), *alignment_);
  }

  std::string read_specifiers(int last) {
    std::string specifiers;
    for (; at_ <= last; at_ = source_.next(at_ + 1)) {
      if (is_storage_word(token(at_).text)) continue;
      if (is_attribute(token(at_))) {
        at_ = token(source_.next(at_ + 1)).partner;
        continue;
      }
      if (token(at_).is_name() && !specifiers.empty() && specifiers.back() != ':') specifiers += ' ';
      specifiers += token(at_).text;  // `::` is two tokens, and must stay together
    }
    return specifiers + ' ';
  }

  Declarator read_declarator(const std::string& specifiers) {
    Declarator declarator{specifiers, "", false};
    for (; !ends_declarator(); at_ = source_.next(at_ + 1)) {
      if (token(at_).is("=") || token(at_).is("{")) {
        declarator.is_initialised = true;
        while (!ends_declarator())
          at_ = (token(at_).is("{") || token(at_).is("(") ? token(at_).partner : at_) + 1;
        break;
      }
      if (token(at_).is("[")) {
        declarator.type += source_.text_of(at_, token(at_).partner);
        at_ = token(at_).partner;
      } else if (token(at_).is_name()) {
        declarator.name = std::string(token(at_).text);
      } else {
        declarator.type += std::string(token(at_).text);
      }
    }
    return declarator;
  }

  const Source& source_;
  int first_, end_, at_;
  std::size_t* alignment_;
};

}  // namespace

std::vector<Declarator> read_declarators(const Source& source, int first, int end, std::size_t* alignment) {
  return DeclarationReader(source, first, end, alignment).read();
}

}  // namespace warplab::translator
