#include "lens/text/request_text.hpp"

#include <fmt/format.h>

#include <bit>

namespace warplab::lens {

bool is_shared(RequestKind kind) {
  return kind == RequestKind::shared_load || kind == RequestKind::shared_store;
}

std::string request_text(const RequestSample& sample) {
  const auto counted = [](auto count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
  };
  const int lanes = std::popcount(sample.mask);
  const bool shared = is_shared(sample.kind);
  const bool store = sample.kind == RequestKind::global_store || sample.kind == RequestKind::shared_store;
  return fmt::format("{} {}{} {}{} {} {} memory: {}", counted(lanes, "lane"), store ? "store" : "load",
                     lanes == 1 ? "s" : "", counted(sample.bytes, "byte"), lanes == 1 ? "" : " each",
                     store ? "to" : "from", shared ? "shared" : "global",
                     counted(sample.cost, shared ? "wavefront" : "sector"));
}

const char* style_of(const BankService& service) {
  if (service.waited) return "late";
  return service.lanes.size() > 1 ? "shared-word" : "asked";
}

}  // namespace warplab::lens
