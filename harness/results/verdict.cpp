#include "harness/results/verdict.hpp"

namespace warplab {

std::string status_text(const std::optional<RungStatus>& status) {
  if (!status) return "not measured";
  if (status == RungStatus::todo) return "to do";
  if (status == RungStatus::not_built) return "not built";
  return name_of(*status);
}

bool is_failure(const std::optional<RungStatus>& status) {
  return status == RungStatus::failed || status == RungStatus::not_built;
}

std::string verdict_text(const std::optional<RungStatus>& status, bool verified) {
  if (!status || status == RungStatus::failed) return "FAILED";
  if (status == RungStatus::ok) return verified ? "yes" : "not checked";
  return status_text(status);
}

}  // namespace warplab
