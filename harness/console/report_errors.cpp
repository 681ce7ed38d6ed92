#include "harness/console/report_errors.hpp"

#include <cstdio>
#include <exception>

#include "common/host/bad_input.hpp"

namespace warplab {

int report_errors(const std::string& program, const std::function<int()>& run) {
  const auto fail = [&](const std::exception& error, int code) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    return code;
  };
  try {
    return run();
  } catch (const BadInput& error) {
    return fail(error, exit_bad_input);
  } catch (const NotAvailable& error) {
    return fail(error, exit_not_available);
  } catch (const std::exception& error) {
    return fail(error, exit_fault);
  }
}

}  // namespace warplab
