#include "emulator/src/base/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "emulator/src/base/errors.hpp"

namespace warplab::emulator {

unsigned long long environment_number(const char* variable, unsigned long long lowest,
                                      unsigned long long highest, unsigned long long otherwise,
                                      const char* instead) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return otherwise;
  std::string_view text = value;
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  unsigned long long number = 0;
  const auto [last, error] = std::from_chars(text.data(), end, number, is_hexadecimal ? 16 : 10);
  if (error == std::errc() && last == end && lowest <= number && number <= highest) return number;
  report("%s is '%s', not a number from %llu to %llu; %s", variable, value, lowest, highest, instead);
  return otherwise;
}

}  // namespace warplab::emulator
