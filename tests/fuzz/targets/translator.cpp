#include "emulator/translator/translate.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void warplab::fuzz::take(std::string_view input) {
  const std::string code(input);
  translator::translate(code);
  translator::translate(code, translator::Mode::lens);
}
