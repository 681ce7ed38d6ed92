#include "emulator/src/transfers/operand.hpp"

#include "emulator/src/base/errors.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator {

cudaError_t open_operand(const char* function, const Operand& operand, const char* advice) {
  if (operand.bytes == 0) return cudaSuccess;
  const std::optional<Allocation> found = find_allocation(operand.address);
  if (!found) {
    report("%s: %s is %s, but must be device memory", function, operand.name,
           describe_address(operand.address).c_str());
    return cudaErrorIllegalAddress;
  }
  const auto before = static_cast<std::size_t>(static_cast<const char*>(operand.address) - found->data);
  if (found->bytes - before < operand.bytes) {
    report("%s: %s has %zu bytes, but at %s only %zu are left%s", function, operand.name, operand.bytes,
           describe_address(operand.address).c_str(), found->bytes - before, advice);
    return cudaErrorIllegalAddress;
  }
  if (is_device_only(operand.address)) open_for_device(operand.address);
  return cudaSuccess;
}

}  // namespace warplab::emulator
