// Texts and formats that guarded code hands to functions: whether it may read all of them.
#include "emulator/src/isolation/stand_in.hpp"

#include <optional>
#include <string_view>

namespace warplab::emulator::isolation {

std::size_t checked_length(const char* text, const void* code) {
  std::size_t length = 0;
  do require(text + length, 1, false, code);
  while (text[length++] != '\0');
  return length - 1;
}

namespace {

/// One conversion of a format, after its '%'. glibc reads more than is accepted here.
struct Conversion {
  bool width_is_given = false, precision_is_given = false;  ///< '*': by an argument
  long precision = -1;
  bool wide = false;  ///< a long, or another type of eight bytes
  char kind = '\0';
};

/// flags, width, precision, length, kind: in this order, each once.
/// @param at after the '%'; when it returns, after the conversion
std::optional<Conversion> conversion_at(std::string_view text, std::size_t& at) {
  Conversion c;
  const auto is_next = [&](std::string_view any) {
    return at < text.size() && any.find(text[at]) != std::string_view::npos;
  };
  const auto number = [&] {
    long value = 0;
    for (; is_next("0123456789") && value < 1'000'000; ++at) value = value * 10 + (text[at] - '0');
    return value;
  };
  while (is_next("-+ #0")) ++at;
  if (is_next("*"))
    ++at, c.width_is_given = true;
  else
    number();
  if (is_next(".")) {
    ++at;
    c.precision = 0;
    if (is_next("*"))
      ++at, c.precision_is_given = true;
    else
      c.precision = number();
  }
  if (is_next("zjt")) {
    ++at, c.wide = true;
  } else if (is_next("h")) {
    ++at;
    if (is_next("h")) ++at;
  } else if (is_next("l")) {
    ++at, c.wide = true;
    if (is_next("l")) ++at;
  }
  if (at == text.size()) return std::nullopt;
  c.kind = text[at++];
  return c;
}

void check_text(const char* string, long precision, const void* code) {
  if (precision < 0) {
    checked_length(string, code);
    return;
  }
  for (long k = 0; k < precision; ++k) {
    require(string + k, 1, false, code);
    if (string[k] == '\0') break;
  }
}

/// Takes a conversion's arguments. @return whether it is one that guarded code may use
bool check_conversion(Conversion c, Arguments& arguments, const void* code) {
  if (c.width_is_given) (void)va_arg(arguments.list, int);
  if (c.precision_is_given) c.precision = va_arg(arguments.list, int);
  switch (c.kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      c.wide ? (void)va_arg(arguments.list, long) : (void)va_arg(arguments.list, int);
      return true;
    case 'c':
      (void)va_arg(arguments.list, int);
      return !c.wide;
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'e':
    case 'E':
    case 'a':
    case 'A':
      (void)va_arg(arguments.list, double);
      return true;
    case 'p':
      (void)va_arg(arguments.list, const void*);
      return true;
    case 's':
      if (c.wide) return false;  // of wide characters, whose end is another
      check_text(va_arg(arguments.list, const char*), c.precision, code);
      return true;
    default:  // %n writes, and others nobody needs
      return false;
  }
}

}  // namespace

void check_format(const char* format, Arguments& arguments, const void* code) {
  const std::string_view text(format, checked_length(format, code));
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string_view::npos;) {
    ++at;
    if (at < text.size() && text[at] == '%') {
      ++at;
      continue;
    }
    const std::optional<Conversion> conversion = conversion_at(text, at);
    if (!conversion || !check_conversion(*conversion, arguments, code)) require(nullptr, 1, true, code);
  }
}

}  // namespace warplab::emulator::isolation
