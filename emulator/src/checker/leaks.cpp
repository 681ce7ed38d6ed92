#include "emulator/src/checker/leaks.hpp"

#include <map>
#include <string>
#include <utility>

#include "emulator/src/base/errors.hpp"
#include "emulator/src/base/source_lines.hpp"
#include "emulator/src/memory/memory.hpp"

namespace warplab::emulator::lens {
namespace {

// The call that allocated; null where it is not known.
const void* call_of(const LiveAllocation& live) {
  return live.caller == nullptr ? nullptr : static_cast<const std::byte*>(live.caller) - 1;
}

std::string sentence(const LiveAllocation& first, std::size_t count, std::size_t bytes) {
  const std::string number = std::to_string(first.number);
  const char* const opposite = first.is_registered            ? "cudaHostUnregister"
                               : first.space == Space::pinned ? "cudaFreeHost"
                                                              : "cudaFree";
  const std::string cause =
      std::string("; is a ") + opposite + " missing, or the pointer overwritten or lost?";
  if (count == 1)
    return std::to_string(bytes) + (bytes == 1 ? " byte of " : " bytes of ") + first.function + " (number " +
           number + ") are never freed" + cause;
  return std::to_string(count) + " allocations of " + first.function + ", " + std::to_string(bytes) +
         " bytes in all (the first is number " + number + "), are never freed" + cause;
}

std::vector<LiveAllocation>& remembered() {
  static auto& all = *new std::vector<LiveAllocation>;
  return all;
}

}  // namespace

void remember_leaks() {
  constexpr std::size_t most = 10'000;
  if (sticky() != cudaSuccess) return;  // a program can't free on a broken device
  std::vector<LiveAllocation>& all = remembered();
  for (LiveAllocation& live : live_allocations())
    if (all.size() < most) all.push_back(std::move(live));
}

std::vector<warplab::lens::Finding> find_leaks() {
  struct Leak {
    LiveAllocation first;
    std::size_t count = 0, bytes = 0;
  };
  std::vector<Leak> leaks;
  std::map<std::pair<const void*, std::string>, std::size_t> leak_at;
  std::vector<LiveAllocation> all = remembered();
  if (sticky() == cudaSuccess)
    for (LiveAllocation& live : live_allocations()) all.push_back(std::move(live));
  for (const LiveAllocation& live : all) {
    if (live.space == Space::symbol || live.space == Space::host) continue;
    const auto [found, is_new] = leak_at.try_emplace({live.caller, live.function}, leaks.size());
    if (is_new) leaks.push_back({live});
    ++leaks[found->second].count;
    leaks[found->second].bytes += live.bytes;
  }
  std::vector<const void*> calls;
  for (const Leak& leak : leaks) calls.push_back(call_of(leak.first));
  const std::map<const void*, SourceLine> lines = source_lines(calls);
  std::vector<warplab::lens::Finding> findings;
  for (const Leak& leak : leaks) {
    warplab::lens::Finding finding;
    finding.kind = warplab::lens::FindingKind::leak;
    finding.hint = warplab::lens::Hint::memory_never_freed;
    finding.text = sentence(leak.first, leak.count, leak.bytes);
    finding.times = leak.count;
    if (const auto line = lines.find(call_of(leak.first)); line != lines.end() && !line->second.in_headers) {
      finding.file = line->second.file;
      finding.line = line->second.line;
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace warplab::emulator::lens
