// Plays NVIDIA's management library: a device that slows down while it is watched, and one that has a clock
// only.
#include <cstring>

namespace {
int reads = 0;
int silent = 0;
}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int nvmlInit_v2() { return 0; }
EXPORTED int nvmlShutdown() { return 0; }

EXPORTED int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
  constexpr int not_found = 6;
  if (std::strcmp(bus, "0000:0f:00.0") == 0)
    *device = &reads;
  else if (std::strcmp(bus, "0000:10:00.0") == 0)
    *device = &silent;
  else
    return not_found;
  return 0;
}

EXPORTED int nvmlDeviceGetClockInfo(void* device, int kind, unsigned* mhz) {
  constexpr int of_multiprocessors = 1, invalid = 2;
  if (kind != of_multiprocessors) return invalid;
  *mhz = device == &reads && ++reads > 1 ? 1500 : 1980;
  return 0;
}

EXPORTED int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  constexpr int not_supported = 3;
  *milliwatts = 412500;
  return device == &reads ? 0 : not_supported;
}

EXPORTED int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* celsius) {
  constexpr int not_supported = 3;
  *celsius = 61;
  return device == &reads && sensor == 0 ? 0 : not_supported;
}
