#include "emulator/src/base/device_profile.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

#include "emulator/src/base/errors.hpp"

namespace warplab::emulator {
namespace {

constexpr std::size_t operator""_KiB(unsigned long long number) { return number << 10; }

#define WARPLAB_DEVICE(key, name, major, minor, multiprocessors, threads, blocks, shared, per_block, \
                       reserved, l2, memory, clock, memory_clock, bus, ratio)                        \
  {key,                                                                                              \
   name,                                                                                             \
   major,                                                                                            \
   minor,                                                                                            \
   multiprocessors,                                                                                  \
   threads,                                                                                          \
   blocks,                                                                                           \
   shared##_KiB,                                                                                     \
   per_block##_KiB,                                                                                  \
   reserved,                                                                                         \
   l2##_KiB,                                                                                         \
   std::size_t{memory} << 30,                                                                        \
   clock * 1000,                                                                                     \
   memory_clock * 1000,                                                                              \
   bus,                                                                                              \
   ratio},
constexpr DeviceProfile profiles[] = {
#include "emulator/src/base/device_profiles.inc"
};
#undef WARPLAB_DEVICE

struct Choice {
  const DeviceProfile* profile = nullptr;
  bool unknown = false;
};

Choice choose() {
  const char* const asked = std::getenv("WARPLAB_DEVICE");
  if (asked == nullptr || *asked == '\0') return {};
  const auto* const found =
      std::find_if(std::begin(profiles), std::end(profiles),
                   [&](const DeviceProfile& profile) { return std::string(asked) == profile.key; });
  if (found != std::end(profiles)) return {found, false};
  std::string known;
  for (const DeviceProfile& profile : profiles)
    known += (known.empty() ? "" : ", ") + std::string(profile.key);
  report("unknown device '%s' in WARPLAB_DEVICE; known devices: %s", asked, known.c_str());
  return {nullptr, true};
}

const Choice& choice() {
  static const Choice made = choose();
  return made;
}

}  // namespace

const DeviceProfile* chosen_profile() { return choice().profile; }
bool asks_for_unknown_device() { return choice().unknown; }

}  // namespace warplab::emulator
