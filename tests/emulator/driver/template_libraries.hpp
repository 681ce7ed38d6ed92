#pragma once

#include <ostream>
#include <string>

#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {

/// Where the headers are, and the flags that make warplab-cc take these.
struct Headers {
  const char* name;
  const char* flags;
};

inline std::ostream& operator<<(std::ostream& out, const Headers& headers) { return out << headers.name; }

class TemplateLibraries : public WarplabCc, public testing::WithParamInterface<Headers> {
 protected:
  /// Compiles one of the programs beside this file. @return what the compiler said
  std::string build(const std::string& program) const {
    return compile("-O1 " + std::string(GetParam().flags) + " " WARPLAB_LIBRARY_PROGRAMS "/" + program +
                   ".cu -o program")
        .output;
  }
};

#define WARPLAB_WITH_ALL_HEADERS()                                                               \
  INSTANTIATE_TEST_SUITE_P(Headers, TemplateLibraries, testing::Values(WARPLAB_LIBRARY_HEADERS), \
                           [](const auto& each) { return std::string(each.param.name); })

}  // namespace warplab::test
