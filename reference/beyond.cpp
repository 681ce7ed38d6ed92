#include "reference/beyond.hpp"

namespace warplab::reference {

std::int64_t index_beyond(std::int64_t i, std::int64_t n, Beyond rule) {
  if (i >= 0 && i < n) return i;
  if (rule == Beyond::clamp) return i < 0 ? 0 : n - 1;
  if (rule != Beyond::reflect) return -1;
  while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
  return n > 1 ? i : 0;
}

}  // namespace warplab::reference
