#include "grader/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <regex>
#include <sstream>

#include "grader/doctor/gpu_doctor.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using enum DoctorItem::State;

constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double build_gib = 2;   // what a build of all labs takes on disk, with room to spare
constexpr double memory_gib = 2;  // for two compilers at a time

std::string install(const Machine& machine, const std::string& package) {
  if (!machine.has_apt()) return "install what Debian calls " + package + ", by your package manager";
  return (machine.is_root() ? "apt-get install " : "sudo apt-get install ") + package;
}

std::string first_version(const std::string& text) {
  static const std::regex version(R"(\d+(\.\d+)+|\d+)");
  std::smatch found;
  return std::regex_search(text, found, version) ? found[0].str() : "";
}

DoctorItem program(const Machine& machine, const char* name, const char* package, const char* without,
                   const char* flag = "--version") {
  const std::optional<std::string> said = machine.output_of({name, flag});
  if (said) {
    const std::string version = first_version(*said);
    return {well, name + (version.empty() ? "" : " " + version), ""};
  }
  return {lacking, fmt::format("{} is not installed: {}", name, without), install(machine, package)};
}

/// One that labs cannot be built without.
DoctorItem tool(const Machine& machine, const char* name, const char* package, const Version& least) {
  DoctorItem item = program(machine, name, package, "labs cannot be built");
  if (item.state != well) {
    item.state = broken;
  } else if (version_of(item.what) < least) {
    item.state = broken;
    item.what += fmt::format(", and {} or later is needed", text_of(least));
    item.remedy = "use Debian 12 or Ubuntu 24.04, or https://cmake.org/download";
  }
  return item;
}

/// What the emulator's build tree was configured with; "" if there is no such tree.
std::string compiler_of_tree(const Machine& machine, const fs::path& root) {
  static const std::regex entry(R"((?:^|\n)CMAKE_CXX_COMPILER:\w+=([^\n]+))");
  const std::string cache = machine.text_of(root / "build/emulator/CMakeCache.txt").value_or("");
  std::smatch found;
  return std::regex_search(cache, found, entry) ? found[1].str() : "";
}

DoctorItem compiler(const Machine& machine, const fs::path& root) {
  if (const std::string name = compiler_of_tree(machine, root); !name.empty()) {
    const std::string version = first_version(machine.output_of({name, "-dumpversion"}).value_or(""));
    if (version.empty())
      return {broken, "build/emulator was configured with " + name + ", which is gone",
              "cmake --fresh --preset emulator"};
    return {well, fmt::format("{} {}, which build/emulator was configured with", name, version), ""};
  }
  std::string newest;
  for (const std::string& name : {machine.variable("CXX"), std::string("g++"), std::string("g++-14"),
                                  std::string("g++-13"), std::string("g++-12")}) {
    if (name.empty()) continue;
    const std::string version = first_version(machine.output_of({name, "-dumpversion"}).value_or(""));
    if (!version.empty() && version_of(version).major >= 12) return {well, name + " " + version, ""};
    if (newest.empty() && !version.empty()) newest = name + " " + version;
  }
  if (newest.empty()) return {broken, "no g++ is installed: labs cannot be built", install(machine, "g++")};
  return {broken, newest + " is too old: g++ 12 or later is needed", install(machine, "g++-12")};
}

DoctorItem room(const char* what, std::uint64_t bytes, double least, const char* remedy) {
  const double amount = static_cast<double>(bytes) / gib;
  if (amount >= least) return {well, fmt::format("{:.1f} GiB of {}", amount, what), ""};
  return {lacking, fmt::format("{:.1f} GiB of {}: a build may need {:g}", amount, what, least), remedy};
}

Diagnosis::Part emulator_of(const Machine& machine, const fs::path& root) {
  Diagnosis::Part part{"The emulator", {}};
  part.items.push_back(tool(machine, "cmake", "cmake", {3, 24}));
  part.items.push_back(tool(machine, "ninja", "ninja-build", {1, 0}));
  part.items.push_back(compiler(machine, root));
  part.items.push_back(
      room("free disk", machine.free_disk_bytes(root), build_gib,
           "delete build folders that are not needed: rm -r build/asan build/emulator-debug"));
  part.items.push_back(room("free memory", machine.available_memory_bytes(), memory_gib,
                            "build one file at a time: cmake --build --preset emulator -j 1"));
  return part;
}

DoctorItem sandbox(const Machine& machine, SandboxLevel level, const char* is) {
  const std::string obstacle = machine.obstacle_of(level);
  if (obstacle.empty()) return {well, fmt::format("the sandbox '{}' works: {}", name_of(level), is), ""};
  std::string remedy;
  if (level == SandboxLevel::bubblewrap)
    remedy =
        machine.output_of({"bwrap", "--version"})
            ? "sudo sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
            : install(machine, "bubblewrap");
  else if (!machine.is_root())
    remedy = "grade as root: sudo build/emulator/bin/warplab grade ...";
  return {lacking, fmt::format("the sandbox '{}' does not work: {}", name_of(level), obstacle), remedy};
}

Diagnosis::Part grading_of(const Machine& machine) {
  Diagnosis::Part part{"Grading", {}};
  part.items.push_back(sandbox(machine, SandboxLevel::bubblewrap, "the strongest"));
  part.items.push_back(sandbox(machine, SandboxLevel::confined, "for containers"));
  if (std::ranges::all_of(part.items, [](const DoctorItem& item) { return item.state != well; })) {
    part.items.push_back({broken, "no sandbox works: submissions could do anything", ""});
  }
  if (machine.processor() != "x86_64")
    part.items.push_back(
        {broken,
         fmt::format("submissions are judged on x86-64 only, and this processor is {}; labs, the lens and "
                     "the labs' own tests work",
                     machine.processor()),
         "grade on another machine (docs/platforms.md)"});
  if (machine.reads_machine_code())
    part.items.push_back({well, "machine code of submissions is read before it runs", ""});
  else
    part.items.push_back({broken, "warplab was built without Zydis: it runs no submissions",
                          install(machine, "libzydis-dev") + ", then build again"});
  if (machine.reads_archives())
    part.items.push_back({well, "archives are read and written", ""});
  else
    part.items.push_back({lacking, "warplab was built without libarchive: it reads only folders",
                          install(machine, "libarchive-dev") + ", then build again"});
  return part;
}

Diagnosis::Part extras_of(const Machine& machine) {
  return {"Extras",
          {program(machine, "doxygen", "doxygen", "the documentation's site cannot be made"),
           program(machine, "dot", "graphviz", "the site has no diagrams", "-V"),
           program(machine, "git", "git", "results do not name the commit"),
           program(machine, "ccache", "ccache", "builds take longer than they need")}};
}

void append(std::string& text, const Diagnosis::Part& part) {
  text += part.title + (part.works()         ? "\n"
                        : part.items.empty() ? ": none here, and none is needed\n"
                                             : ": does not work here\n");
  for (const DoctorItem& item : part.items) {
    const char* const state = item.state == well ? "ok" : item.state == lacking ? "lacks" : "FAILS";
    text += fmt::format("  {:<7}{}\n", state, item.what);
    if (!item.remedy.empty()) text += fmt::format("           {}\n", item.remedy);
  }
  text += '\n';
}

}  // namespace

bool Diagnosis::Part::works() const {
  return !items.empty() &&
         std::ranges::none_of(items, [](const DoctorItem& item) { return item.state == broken; });
}

Diagnosis diagnose(const Machine& machine, const fs::path& root) {
  Diagnosis diagnosis;
  diagnosis.emulator = emulator_of(machine, root);
  diagnosis.gpu = gpu_of(machine, root);
  // A GPU's labs are built by the same tools; its host compiler may be older.
  if (!diagnosis.gpu.items.empty())
    for (std::size_t i = 0; i < 2; ++i)
      if (diagnosis.emulator.items[i].state == broken)
        diagnosis.gpu.items.push_back(diagnosis.emulator.items[i]);
  diagnosis.grading = grading_of(machine);
  diagnosis.extras = extras_of(machine);
  return diagnosis;
}

std::string to_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const Diagnosis::Part* part :
       {&diagnosis.emulator, &diagnosis.gpu, &diagnosis.grading, &diagnosis.extras})
    append(text, *part);
  const bool gpu = diagnosis.gpu.works(), emulator = diagnosis.emulator.works();
  text += gpu && emulator ? "labs run on the GPU and on the emulator\n"
          : gpu           ? "labs run on the GPU\n"
          : emulator      ? "labs run on the emulator\n"
                          : "labs cannot run on this machine; fix the items marked FAILS above\n";
  return text;
}

}  // namespace warplab
