#include "harness/results/verdict.hpp"

namespace warplab {

std::string verdict_text(std::string_view status, bool verified) {
  if (status == "ok") return verified ? "yes" : "not checked";
  if (status == "todo") return "to do";
  if (status == "not_built") return "not built";
  if (status == "failed" || status.empty()) return "FAILED";
  return std::string(status);
}

}  // namespace warplab
