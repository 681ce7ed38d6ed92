#include "emulator/src/checker/mistake_list.hpp"

#include <algorithm>

namespace warplab::emulator::lens {

Mistake* MistakeList::add(FindingKind kind, const void* code, const void* other, int distance) {
  const std::less<const void*> before;
  const auto key =
      other != nullptr && before(other, code) ? std::tuple(kind, other, code) : std::tuple(kind, code, other);
  const auto [found, is_new] = place_.try_emplace(key, mistakes_.size());
  if (!is_new) {
    if (found->second >= mistakes_.size()) return nullptr;
    Mistake& known = mistakes_[found->second];
    ++known.times;
    if (known.distance >= distance) return nullptr;
    known.code = code;
    known.other = other;
    known.through = nullptr;
    known.distance = distance;
    return &known;
  }
  if (mistakes_.size() == most) {
    place_.erase(found);
    return nullptr;
  }
  Mistake& mistake = mistakes_.emplace_back();
  mistake.kind = kind;
  mistake.code = code;
  mistake.other = other;
  mistake.distance = distance;
  return &mistake;
}

std::vector<Mistake> MistakeList::list() const {
  std::vector<Mistake> all;
  for (const Mistake& mistake : mistakes_)
    if (mistake.kind != FindingKind::uninitialised_read ||
        std::find(explained_.begin(), explained_.end(), mistake.code) == explained_.end())
      all.push_back(mistake);
  return all;
}

}  // namespace warplab::emulator::lens
