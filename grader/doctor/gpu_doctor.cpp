#include "grader/doctor/gpu_doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace warplab {
namespace {

namespace fs = std::filesystem;
using enum DoctorItem::State;

constexpr Version min_toolkit{12, 4};

std::string match(const std::string& text, const char* pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "";
}

struct Gpu {
  std::string name, driver;
  Version capability;
};

std::vector<Gpu> gpus_of(const Machine& machine) {
  std::vector<Gpu> gpus;
  std::istringstream lines(
      machine
          .output_of({"nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"})
          .value_or(""));
  static const std::regex line_of_gpu(R"((.+), ([0-9.]+), ([0-9.]+)\s*)");
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, found, line_of_gpu))
      gpus.push_back({found[1], found[2], version_of(found[3])});
  return gpus;
}

struct Toolkit {
  std::string nvcc;
  Version version;
};

Toolkit toolkit_of(const Machine& machine) {
  std::vector<std::string> places{"nvcc"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = machine.variable(variable); !folder.empty())
      places.push_back(folder + "/bin/nvcc");
  places.emplace_back("/usr/local/cuda/bin/nvcc");
  for (const std::string& nvcc : places)
    if (const auto said = machine.output_of({nvcc, "--version"}))
      return {nvcc, version_of(match(*said, R"(release ([0-9.]+))"))};
  return {};
}

/// A CUDA driver runs what was built with a toolkit of its own major version or an earlier one.
DoctorItem fit_of(const Version& driver, const Version& toolkit) {
  const std::string both =
      fmt::format("the driver supports CUDA {}, the toolkit is {}", text_of(driver), text_of(toolkit));
  if (toolkit <= driver) return {well, both, ""};
  if (toolkit.major == driver.major)
    return {lacking, both + ": they work together, but for code that the driver has to compile (PTX)",
            fmt::format("update the driver to one that supports CUDA {}", text_of(toolkit))};
  return {broken, both + ": the driver cannot run what this toolkit builds",
          fmt::format("update the driver, or install a toolkit of CUDA {}.x: export CUDA_HOME=FOLDER",
                      driver.major)};
}

/// Whether a toolkit builds for a GPU, from nvcc --list-gpu-arch: compute_75, compute_80, ...
std::optional<DoctorItem> support_of(const Machine& machine, const Toolkit& toolkit, const Gpu& gpu) {
  const std::string listed = machine.output_of({toolkit.nvcc, "--list-gpu-arch"}).value_or("");
  std::vector<Version> known;
  static const std::regex architecture(R"(compute_(\d+)(\d))");
  for (std::sregex_iterator at(listed.begin(), listed.end(), architecture), end; at != end; ++at)
    known.push_back({std::stoi((*at)[1]), std::stoi((*at)[2])});
  if (known.empty() || std::ranges::count(known, gpu.capability) > 0) return std::nullopt;
  const std::string what = fmt::format("{} has compute capability {}, for which toolkit {} builds nothing",
                                       gpu.name, text_of(gpu.capability), text_of(toolkit.version));
  if (gpu.capability < *std::ranges::min_element(known))
    return DoctorItem{broken, what + " any more", "install an earlier toolkit: export CUDA_HOME=FOLDER"};
  return DoctorItem{lacking, what + " yet: the driver compiles it when it is loaded",
                    "install a later toolkit"};
}

std::optional<DoctorItem> build_of(const Machine& machine, const fs::path& root, const Gpu& gpu) {
  const std::string cache = machine.text_of(root / "build/cuda/CMakeCache.txt").value_or(""),
                    architectures = match(cache, R"(CMAKE_CUDA_ARCHITECTURES:\w+=([^\n]+))");
  if (architectures.empty()) return std::nullopt;
  if (runs_on(architectures, gpu.capability))
    return DoctorItem{well, fmt::format("build/cuda is for {}, which {} runs", architectures, gpu.name), ""};
  return DoctorItem{broken,
                    fmt::format("build/cuda is for {}, and {} has compute capability {}", architectures,
                                gpu.name, text_of(gpu.capability)),
                    fmt::format("cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES={}{}", gpu.capability.major,
                                gpu.capability.minor)};
}

DoctorItem profiler_of(const Machine& machine) {
  const auto ncu = machine.output_of({"ncu", "--version"});
  if (!ncu)
    return {lacking, "Nsight Compute (ncu) is not installed: on a GPU there are times, and no counts",
            "install nsight-compute, which is part of the CUDA toolkit"};
  const std::string parameters = machine.text_of("/proc/driver/nvidia/params").value_or("");
  if (match(parameters, R"(RmProfilingAdminOnly: (\d))") == "1" && !machine.is_root())
    return {lacking, "the driver lets only root profile (RmProfilingAdminOnly is 1)",
            "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
            "/etc/modprobe.d/nvidia-profiling.conf && sudo update-initramfs -u && sudo reboot"};
  return {well, "profiling is permitted", ""};
}

std::optional<DoctorItem> no_gpu(const Machine& machine) {
  if (!machine.has_nvidia_device()) return std::nullopt;
  if (machine.text_of("/proc/driver/nvidia/version"))
    return DoctorItem{broken, "the driver is loaded, but nvidia-smi finds no GPU that works",
                      "nvidia-smi, and sudo dmesg | grep -i nvrm, say why"};
  return DoctorItem{
      broken, "there is an NVIDIA GPU, and its driver is not loaded",
      machine.has_apt()
          ? "sudo apt-get install nvidia-driver (Ubuntu: sudo ubuntu-drivers install), then reboot"
          : "install NVIDIA's driver, then reboot"};
}

}  // namespace

Version version_of(const std::string& text) {
  static const std::regex version(R"((\d+)(?:\.(\d+))?)");
  std::smatch found;
  if (!std::regex_search(text, found, version)) return {};
  return {std::stoi(found[1]), found[2].matched ? std::stoi(found[2]) : 0};
}

std::string text_of(const Version& version) { return fmt::format("{}.{}", version.major, version.minor); }

bool runs_on(const std::string& architectures, const Version& capability) {
  static const std::regex architecture(R"((\d+)(\d)([af]?)(-real|-virtual)?)");
  for (std::sregex_iterator at(architectures.begin(), architectures.end(), architecture), end; at != end;
       ++at) {
    const Version built{std::stoi((*at)[1]), std::stoi((*at)[2])};
    if (built == capability) return true;
    if ((*at)[3].length() > 0) continue;  // only of one architecture
    const bool is_real = (*at)[4] != "-virtual", is_virtual = (*at)[4] != "-real";
    if (is_real && built.major == capability.major && built.minor < capability.minor) return true;
    if (is_virtual && built < capability) return true;
  }
  return architectures == "native" || architectures.starts_with("all");
}

Diagnosis::Part gpu_of(const Machine& machine, const fs::path& root) {
  Diagnosis::Part part{"The GPU", {}};
  const auto add = [&](std::optional<DoctorItem> item) {
    if (item) part.items.push_back(*std::move(item));
  };
  const std::vector<Gpu> gpus = gpus_of(machine);
  if (gpus.empty()) {
    add(no_gpu(machine));
    return part;
  }
  for (const Gpu& gpu : gpus)
    add(DoctorItem{
        well,
        fmt::format("{}, compute capability {}, driver {}", gpu.name, text_of(gpu.capability), gpu.driver),
        ""});
  const Toolkit toolkit = toolkit_of(machine);
  if (toolkit.nvcc.empty()) {
    add(DoctorItem{broken, "there is no nvcc, on the PATH, in CUDA_HOME or in /usr/local/cuda",
                   "install the CUDA toolkit 12.4 or later: https://developer.nvidia.com/cuda-downloads"});
    return part;
  }
  if (toolkit.version < min_toolkit)
    add(DoctorItem{broken,
                   fmt::format("toolkit {} is too old: {} or later is needed", text_of(toolkit.version),
                               text_of(min_toolkit)),
                   "install a later toolkit: https://developer.nvidia.com/cuda-downloads"});
  const Version driver =
      version_of(match(machine.output_of({"nvidia-smi"}).value_or(""), R"(CUDA Version: *([0-9.]+))"));
  if (driver.major > 0) add(fit_of(driver, toolkit.version));
  for (const Gpu& gpu : gpus) {
    add(support_of(machine, toolkit, gpu));
    add(build_of(machine, root, gpu));
  }
  add(profiler_of(machine));
  return part;
}

}  // namespace warplab
