#include "lens/patterns/bank_schedule.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace warplab::lens {
namespace {

constexpr unsigned banks = 32, word_bytes = 4;

/// The wavefronts of lanes that go together, numbered from 0.
BankSchedule together(const RequestSample& sample, std::uint32_t mask) {
  BankSchedule schedule;
  std::map<std::uint64_t, std::size_t> known;  // services by word
  std::array<unsigned, banks> queue{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const std::uint64_t last = (sample.address[lane] + std::max(sample.bytes, 1u) - 1) / word_bytes;
    for (std::uint64_t word = sample.address[lane] / word_bytes; word <= last; ++word) {
      const auto [at, is_new] = known.emplace(word, schedule.services.size());
      if (is_new) {
        const auto bank = static_cast<unsigned>(word % banks);
        const unsigned place = queue[bank]++;
        schedule.services.push_back({place, bank, {}, place > 0});
        schedule.wavefronts = std::max(schedule.wavefronts, place + 1);
      }
      std::vector<unsigned>& lanes = schedule.services[at->second].lanes;
      if (lanes.empty() || lanes.back() != lane) lanes.push_back(lane);
    }
  }
  return schedule;
}

}  // namespace

BankSchedule schedule_banks(const RequestSample& sample) {
  const unsigned part = sample.bytes <= 4 ? 32 : sample.bytes == 8 ? 16 : 8;
  std::vector<BankSchedule> parts;
  unsigned total = 0;
  for (unsigned first = 0; first < 32; first += part) {
    const std::uint32_t lanes = part == 32 ? ~0u : ((1u << part) - 1) << first;
    parts.push_back(together(sample, sample.mask & lanes));
    total += parts.back().wavefronts;
  }
  for (std::size_t i = 0; i + 1 < parts.size() && total > sample.cost; i += 2) {
    const std::uint32_t lanes = (part == 16 ? ~0u : 0xFFFFu << (i * part));
    BankSchedule both = together(sample, sample.mask & lanes);
    if (both.wavefronts != 1 || parts[i].wavefronts + parts[i + 1].wavefronts != 2) continue;
    parts[i] = std::move(both);
    parts[i + 1] = {};
    --total;
  }
  BankSchedule whole;
  for (BankSchedule& each : parts) {
    for (BankService& service : each.services) {
      service.wavefront += whole.wavefronts;
      whole.services.push_back(std::move(service));
    }
    whole.wavefronts += each.wavefronts;
  }
  return whole;
}

}  // namespace warplab::lens
