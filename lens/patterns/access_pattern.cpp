#include "lens/patterns/access_pattern.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace warplab::lens {

AccessPattern pattern_of(const RequestSample& sample) {
  AccessPattern pattern;
  std::vector<unsigned> lanes;
  std::set<std::uint64_t> distinct;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(sample.mask >> lane & 1)) continue;
    lanes.push_back(lane);
    distinct.insert(sample.address[lane]);
  }
  pattern.lanes = static_cast<unsigned>(lanes.size());
  pattern.addresses = static_cast<unsigned>(distinct.size());
  if (lanes.empty()) return pattern;
  pattern.past_sector = static_cast<unsigned>(*distinct.begin() % 32);
  if (lanes.size() < 2) return pattern;

  const auto step = [&](std::size_t i) {  // signed, from one lane that took part to the next
    return static_cast<std::int64_t>(sample.address[lanes[i + 1]] - sample.address[lanes[i]]);
  };
  const auto apart = [&](std::size_t i) { return static_cast<std::int64_t>(lanes[i + 1] - lanes[i]); };
  bool even = step(0) % apart(0) == 0;
  for (std::size_t i = 0; even && i + 1 < lanes.size(); ++i) even = step(i) * apart(0) == step(0) * apart(i);
  if (even) {
    pattern.stride = step(0) / apart(0);
    return pattern;
  }
  unsigned run = 1;
  std::optional<unsigned> length;
  bool same = lanes.size() == 32;
  for (std::size_t i = 0; i + 1 < lanes.size(); ++i) {
    if (step(i) == static_cast<std::int64_t>(sample.bytes)) {
      ++run;
      continue;
    }
    same = same && (!length || *length == run);
    length = run;
    run = 1;
  }
  if (same && length && *length == run && run > 1) pattern.run = run;
  return pattern;
}

}  // namespace warplab::lens
