// What a build without a decoder of machine code has in place of the validator.
#include "common/host/bad_input.hpp"
#include "grader/validator/validator.hpp"

namespace warplab::validator {

std::optional<Violation> violation_of(std::string, const ModuleRules&) {
  throw NotAvailable(
      "submissions are run only after their machine code was read, and warplab was built without Zydis; "
      "install libzydis-dev and configure again");
}

}  // namespace warplab::validator
