#include "harness/program/gpu_monitor.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace warplab {
namespace {

constexpr std::chrono::milliseconds interval{20};  // a question takes well below a millisecond of one core

// NVML's own values; its header is not part of every toolkit.
constexpr int success = 0, sm_clock = 1, gpu_sensor = 0;

using Device = void*;

void keep_highest(std::optional<double>& kept, double value) { kept = std::max(kept.value_or(value), value); }

/// What was answered so far.
struct Answers {
  std::vector<double> clocks_mhz;
  std::optional<double> power_w, temperature_c;
};

}  // namespace

/// The library's functions, and the device that they are asked about.
struct GpuMonitor::Nvml {
  explicit Nvml(const char* library) : handle(dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) return;
    find(init, "nvmlInit_v2");
    find(shutdown, "nvmlShutdown");
    find(device_by_bus, "nvmlDeviceGetHandleByPciBusId_v2");
    find(clock, "nvmlDeviceGetClockInfo");
    find(power, "nvmlDeviceGetPowerUsage");
    find(temperature, "nvmlDeviceGetTemperature");
    is_open = init && shutdown && device_by_bus && clock && init() == success;
  }
  ~Nvml() {
    if (is_open) shutdown();
    if (handle) dlclose(handle);
  }
  Nvml(const Nvml&) = delete;

  bool choose(const std::string& pci_bus_id) {
    return is_open && device_by_bus(pci_bus_id.c_str(), &device) == success;
  }

  void ask(Answers& answers) const {
    unsigned value = 0;
    if (clock(device, sm_clock, &value) == success) answers.clocks_mhz.push_back(value);
    if (power && power(device, &value) == success) keep_highest(answers.power_w, value / 1e3);  // milliwatts
    if (temperature && temperature(device, gpu_sensor, &value) == success)
      keep_highest(answers.temperature_c, value);
  }

 private:
  template <class Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(handle, name));
  }

  void* handle;
  Device device = nullptr;
  bool is_open = false;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*device_by_bus)(const char*, Device*) = nullptr;
  int (*clock)(Device, int kind, unsigned* mhz) = nullptr;
  int (*power)(Device, unsigned* milliwatts) = nullptr;
  int (*temperature)(Device, int sensor, unsigned* celsius) = nullptr;
};

GpuMonitor::GpuMonitor(const std::string& pci_bus_id, const char* library)
    : nvml_(std::make_unique<Nvml>(library)) {
  if (!nvml_->choose(pci_bus_id)) nvml_.reset();
}

GpuMonitor::~GpuMonitor() = default;

std::optional<GpuState> GpuMonitor::watch(const std::function<void()>& work) {
  if (!nvml_) {
    work();
    return std::nullopt;
  }
  Answers answers;
  {
    const std::jthread asking([&](const std::stop_token& stop) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any wait;
      while (!wait.wait_for(lock, stop, interval, [] { return false; }) && !stop.stop_requested())
        nvml_->ask(answers);
    });
    work();
  }
  nvml_->ask(answers);
  if (answers.clocks_mhz.empty()) return std::nullopt;
  return GpuState{summarize(answers.clocks_mhz), answers.power_w, answers.temperature_c};
}

}  // namespace warplab
