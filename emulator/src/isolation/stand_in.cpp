// Texts and formats that guarded code hands to functions: whether it may read all of them.
#include "emulator/src/isolation/stand_in.hpp"

#include <string_view>

namespace warplab::emulator::strict {

std::size_t checked_length(const char* text, const void* code) {
  std::size_t length = 0;
  do require(text + length, 1, false, code);
  while (text[length++] != '\0');
  return length - 1;
}

void check_format(const char* format, Arguments& arguments, const void* code) {
  const std::string_view text(format, checked_length(format, code));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    long precision = -1;
    bool dot = false, wide = false;
    for (++i;
         i < text.size() && std::string_view("-+ #0123456789.*hlzjt").find(text[i]) != std::string_view::npos;
         ++i) {
      if (text[i] == '.') dot = true, precision = 0;
      if (text[i] == '*') {
        const int given = va_arg(arguments.list, int);
        if (dot) precision = given;
      }
      if (dot && text[i] >= '0' && text[i] <= '9') precision = precision * 10 + (text[i] - '0');
      wide |= text[i] == 'l' || text[i] == 'z' || text[i] == 'j' || text[i] == 't';
    }
    if (i >= text.size()) break;
    switch (text[i]) {
      case '%':
        break;
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
      case 'c':
        wide ? (void)va_arg(arguments.list, long) : (void)va_arg(arguments.list, int);
        break;
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'e':
      case 'E':
        (void)va_arg(arguments.list, double);
        break;
      case 'p':
        (void)va_arg(arguments.list, const void*);
        break;
      case 's': {
        const char* const string = va_arg(arguments.list, const char*);
        if (precision < 0) {
          checked_length(string, code);
        } else {
          for (long k = 0; k < precision; ++k) {
            require(string + k, 1, false, code);
            if (string[k] == '\0') break;
          }
        }
        break;
      }
      default:  // %n writes, and others nobody needs
        require(nullptr, 1, true, code);
    }
  }
}

}  // namespace warplab::emulator::strict
