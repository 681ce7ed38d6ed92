#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "emulator/src/checker/checker.hpp"

namespace warplab::emulator::lens {

using warplab::lens::FindingKind;
using warplab::lens::Hint;

/// Mistakes by kind and place; what is seen again at the same place is only counted.
class MistakeList {
 public:
  /// Counts one more at this place. @return the entry to fill in, if it is new or what is known of the place
  /// is of threads less far apart; null where too many are
  Mistake* add(FindingKind kind, const void* code, const void* other, int distance = 0);

  /// A read of what nobody had written turned out to race with the write: that is the mistake then.
  void explain_poison(const void* code) { explained_.push_back(code); }

  std::vector<Mistake> list() const;

 private:
  static constexpr std::size_t most = 200;
  std::vector<Mistake> mistakes_;
  std::map<std::tuple<FindingKind, const void*, const void*>, std::size_t> place_;
  std::vector<const void*> explained_;
};

}  // namespace warplab::emulator::lens
