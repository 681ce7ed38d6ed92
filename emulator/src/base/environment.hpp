#pragma once

namespace warplab::emulator {

/// The number that a variable of the environment is set to, in decimals or with 0x, or `otherwise` where it
/// is not set or empty. Any other value is reported, with what is done instead, and taken for
/// `otherwise`.
unsigned long long environment_number(const char* variable, unsigned long long lowest,
                                      unsigned long long highest, unsigned long long otherwise,
                                      const char* instead);

}  // namespace warplab::emulator
