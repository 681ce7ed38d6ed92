#include "warplab_emulator/undecided_keys.hpp"

#include <limits>
#include <mutex>

namespace warplab::emulator {
namespace {

constexpr int undecided = std::numeric_limits<int>::max();

std::mutex mutex;         // blocks run on several OS threads
std::vector<int> places;  // by key
int next_place = 0;
int candidate = -1;  // the undecided key that was compared last: a pivot is compared again and again

bool is_key(int number) { return number >= 0 && number < static_cast<int>(places.size()); }

int order(int a, int b) { return a < b ? -1 : a > b ? 1 : 0; }

}  // namespace

void begin_undecided_keys(int count) {
  const std::lock_guard lock(mutex);
  places.assign(static_cast<std::size_t>(count), undecided);
  next_place = 0;
  candidate = -1;
}

int compare_undecided_keys(int a, int b) noexcept {
  const std::lock_guard lock(mutex);
  if (a == b || !is_key(a) || !is_key(b)) return order(a, b);
  int &of_a = places[static_cast<std::size_t>(a)], &of_b = places[static_cast<std::size_t>(b)];
  if (of_a == undecided && of_b == undecided) (a == candidate ? of_a : of_b) = next_place++;
  if (of_a == undecided)
    candidate = a;
  else if (of_b == undecided)
    candidate = b;
  return order(of_a, of_b);
}

std::vector<int> places_of_undecided_keys() {
  const std::lock_guard lock(mutex);
  for (int& place : places)
    if (place == undecided) place = next_place++;
  return places;
}

}  // namespace warplab::emulator
