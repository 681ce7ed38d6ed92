// What `warplab doctor` concludes, of machines that are not here.
#include "grader/doctor/doctor.hpp"

#include <gtest/gtest.h>

#include <map>

#include "grader/doctor/gpu_doctor.hpp"

namespace warplab {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

/// A machine of words: by default Ubuntu 24.04 with all that is needed, and no GPU.
class FakeMachine : public Machine {
 public:
  std::map<std::string, std::string> programs = {{"cmake --version", "cmake version 3.28.3\n"},
                                                 {"ninja --version", "1.11.1\n"},
                                                 {"g++ -dumpversion", "13\n"},
                                                 {"bwrap --version", "bubblewrap 0.9.0\n"},
                                                 {"doxygen --version", "1.9.8\n"},
                                                 {"dot -V", ""},
                                                 {"git --version", "git version 2.43.0\n"},
                                                 {"ccache --version", "ccache version 4.9.1\n"}};
  std::map<std::filesystem::path, std::string> files;
  std::map<std::string, std::string> variables;
  std::map<SandboxLevel, std::string> obstacles;
  std::string architecture = "x86_64";
  bool device = false, root = false, apt = true, archives = true, machine_code = true;
  std::uint64_t disk = 50 * gib, memory = 8 * gib;

  /// Puts an H100 into it, with driver and toolkit.
  void gpu(const std::string& cuda_of_driver, const std::string& toolkit) {
    device = true;
    programs["nvidia-smi"] =
        "| NVIDIA-SMI 580.65  Driver Version: 580.65  CUDA Version: " + cuda_of_driver + " |";
    programs["nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader"] =
        "NVIDIA H100 80GB HBM3, 580.65.06, 9.0\n";
    programs["nvcc --version"] = "Cuda compilation tools, release " + toolkit + ", V" + toolkit + ".48\n";
    programs["nvcc --list-gpu-arch"] = "compute_75\ncompute_80\ncompute_90\ncompute_100\n";
    programs["ncu --version"] = "Version 2025.3\n";
    files["/proc/driver/nvidia/version"] = "NVRM\n";
  }

  std::optional<std::string> output_of(const std::vector<std::string>& command) const override {
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + word;
    const auto found = programs.find(line);
    return found == programs.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> text_of(const std::filesystem::path& file) const override {
    const auto found = files.find(file);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  std::string variable(const std::string& name) const override {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  }
  bool has_nvidia_device() const override { return device; }
  bool is_root() const override { return root; }
  bool has_apt() const override { return apt; }
  std::uint64_t free_disk_bytes(const std::filesystem::path&) const override { return disk; }
  std::uint64_t available_memory_bytes() const override { return memory; }
  std::string obstacle_of(SandboxLevel level) const override {
    const auto found = obstacles.find(level);
    return found == obstacles.end() ? "" : found->second;
  }
  std::string processor() const override { return architecture; }
  bool reads_machine_code() const override { return machine_code; }
  bool reads_archives() const override { return archives; }
};

/// The item that has these words; the text of all is shown if there is none.
DoctorItem found(const FakeMachine& machine, const std::string& words) {
  const Diagnosis diagnosis = diagnose(machine, "/tree");
  for (const auto* part : {&diagnosis.emulator, &diagnosis.gpu, &diagnosis.grading, &diagnosis.extras})
    for (const DoctorItem& item : part->items)
      if (item.what.find(words) != std::string::npos) return item;
  ADD_FAILURE() << "nothing says '" << words << "':\n" << to_text(diagnosis);
  return {};
}

TEST(Doctor, FindsAMachineWithoutAGpuFitForTheEmulator) {
  const Diagnosis diagnosis = diagnose(FakeMachine(), "/tree");
  EXPECT_TRUE(diagnosis.emulator.works());
  EXPECT_FALSE(diagnosis.gpu.works());
  EXPECT_TRUE(diagnosis.labs_run());
  const std::string text = to_text(diagnosis);
  EXPECT_EQ(text.find("lacks"), std::string::npos) << text;
  EXPECT_EQ(text.find("FAILS"), std::string::npos) << text;
  EXPECT_NE(text.find("The GPU: none here"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("labs run on the emulator\n")) << text;
}

TEST(Doctor, NamesWhatIsMissingAndTheCommandThatInstallsIt) {
  FakeMachine machine;
  machine.programs.erase("ninja --version");
  machine.programs.erase("dot -V");
  EXPECT_EQ(found(machine, "ninja is not installed").state, DoctorItem::State::broken);
  EXPECT_EQ(found(machine, "ninja is not installed").remedy, "sudo apt-get install ninja-build");
  EXPECT_EQ(found(machine, "dot is not installed").state, DoctorItem::State::lacking);
  EXPECT_FALSE(diagnose(machine, "/tree").labs_run());
  machine.root = true;
  EXPECT_EQ(found(machine, "ninja is not installed").remedy, "apt-get install ninja-build");
  machine.apt = false;
  EXPECT_EQ(found(machine, "ninja is not installed").remedy,
            "install what Debian calls ninja-build, by your package manager");
}

TEST(Doctor, SaysThatNothingIsJudgedOnOtherProcessors) {
  FakeMachine machine;
  machine.architecture = "aarch64";
  EXPECT_EQ(found(machine, "x86-64 only, and this processor is aarch64").state, DoctorItem::State::broken);
  const Diagnosis diagnosis = diagnose(machine, "/tree");
  EXPECT_FALSE(diagnosis.grading.works());
  EXPECT_TRUE(diagnosis.labs_run());
}

TEST(Doctor, KnowsToolsThatAreTooOld) {
  FakeMachine machine;
  machine.programs["cmake --version"] = "cmake version 3.22.1\n";
  machine.programs["g++ -dumpversion"] = "11\n";
  EXPECT_EQ(found(machine, "cmake 3.22.1, and 3.24 or later is needed").state, DoctorItem::State::broken);
  EXPECT_EQ(found(machine, "g++ 11 is too old").remedy, "sudo apt-get install g++-12");
  machine.programs["g++-12 -dumpversion"] = "12\n";
  EXPECT_EQ(found(machine, "g++-12 12").state, DoctorItem::State::well);
}

TEST(Doctor, NamesTheCompilerThatTheTreeWasConfiguredWith) {
  FakeMachine machine;
  machine.variables["CXX"] = "g++-14";
  machine.programs["g++-14 -dumpversion"] = "14\n";
  EXPECT_EQ(found(machine, "g++-14 14").state, DoctorItem::State::well);
  machine.files["/tree/build/emulator/CMakeCache.txt"] =
      "//CXX compiler\nCMAKE_CXX_COMPILER:FILEPATH=/usr/bin/g++-12\nCMAKE_CXX_COMPILER_AR:FILEPATH=ar\n";
  EXPECT_EQ(found(machine, "/usr/bin/g++-12, which is gone").remedy, "cmake --fresh --preset emulator");
  machine.programs["/usr/bin/g++-12 -dumpversion"] = "12\n";
  EXPECT_EQ(found(machine, "/usr/bin/g++-12 12, which build/emulator").state, DoctorItem::State::well);
}

TEST(Doctor, SaysWhereDiskAndMemoryAreShort) {
  FakeMachine machine;
  machine.disk = gib / 2;
  machine.memory = gib;
  EXPECT_EQ(found(machine, "0.5 GiB of free disk").state, DoctorItem::State::lacking);
  EXPECT_NE(found(machine, "1.0 GiB of free memory").remedy.find("-j 1"), std::string::npos);
}

TEST(Doctor, FindsAGpuThatFitsItsDriverAndToolkit) {
  FakeMachine machine;
  machine.gpu("13.0", "12.9");
  machine.files["/tree/build/cuda/CMakeCache.txt"] = "CMAKE_CUDA_ARCHITECTURES:STRING=90\n";
  const Diagnosis diagnosis = diagnose(machine, "/tree");
  EXPECT_TRUE(diagnosis.gpu.works()) << to_text(diagnosis);
  EXPECT_TRUE(to_text(diagnosis).ends_with("labs run on the GPU and on the emulator\n"));
  EXPECT_EQ(found(machine, "compute capability 9.0").state, DoctorItem::State::well);
  EXPECT_EQ(found(machine, "supports CUDA 13.0, the toolkit is 12.9").state, DoctorItem::State::well);
  EXPECT_EQ(found(machine, "build/cuda is for 90").state, DoctorItem::State::well);
}

TEST(Doctor, SaysWhichOfDriverAndToolkitIsTooOld) {
  FakeMachine machine;
  machine.gpu("12.4", "13.0");
  EXPECT_EQ(found(machine, "cannot run what this toolkit builds").state, DoctorItem::State::broken);
  EXPECT_NE(found(machine, "cannot run").remedy.find("CUDA 12.x"), std::string::npos);
  EXPECT_FALSE(diagnose(machine, "/tree").gpu.works());
  machine.gpu("13.0", "13.1");
  EXPECT_EQ(found(machine, "work together, but for code").state, DoctorItem::State::lacking);
  machine.gpu("13.0", "12.2");
  EXPECT_EQ(found(machine, "toolkit 12.2 is too old: 12.4 or later").state, DoctorItem::State::broken);
}

TEST(Doctor, ComparesTheGpuWithWhatTheToolkitBuildsAndWhatWasBuilt) {
  FakeMachine machine;
  machine.gpu("13.0", "13.0");
  machine.programs["nvcc --list-gpu-arch"] = "compute_100\ncompute_120\n";
  EXPECT_EQ(found(machine, "builds nothing any more").state, DoctorItem::State::broken);
  machine.programs["nvcc --list-gpu-arch"] = "compute_75\ncompute_80\n";
  EXPECT_EQ(found(machine, "builds nothing yet").state, DoctorItem::State::lacking);
  machine.files["/tree/build/cuda/CMakeCache.txt"] = "CMAKE_CUDA_ARCHITECTURES:STRING=100\n";
  EXPECT_EQ(found(machine, "build/cuda is for 100").remedy,
            "cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=90");
}

TEST(Doctor, KnowsWhichCodeRunsOnWhichGpu) {
  EXPECT_TRUE(runs_on("90", {9, 0}));
  EXPECT_TRUE(runs_on("80", {9, 0})) << "compiled by the driver";
  EXPECT_FALSE(runs_on("80-real", {9, 0}));
  EXPECT_TRUE(runs_on("80-real", {8, 6}));
  EXPECT_FALSE(runs_on("86-real", {8, 0}));
  EXPECT_FALSE(runs_on("100", {9, 0}));
  EXPECT_TRUE(runs_on("75;100-virtual", {12, 0}));
  EXPECT_TRUE(runs_on("90a", {9, 0}));
  EXPECT_FALSE(runs_on("90a", {10, 0}));
}

TEST(Doctor, TellsWhyNvidiaSmiListsNothing) {
  FakeMachine machine;
  machine.device = true;
  EXPECT_NE(found(machine, "its driver is not loaded").remedy.find("nvidia-driver"), std::string::npos);
  machine.files["/proc/driver/nvidia/version"] = "NVRM\n";
  EXPECT_EQ(found(machine, "nvidia-smi finds no GPU").state, DoctorItem::State::broken);
  EXPECT_TRUE(diagnose(machine, "/tree").labs_run());
}

TEST(Doctor, FindsNvccWhereCudaHomePoints) {
  FakeMachine machine;
  machine.gpu("13.0", "13.0");
  machine.programs["/opt/cuda/bin/nvcc --version"] = machine.programs["nvcc --version"];
  machine.programs.erase("nvcc --version");
  EXPECT_EQ(found(machine, "there is no nvcc").state, DoctorItem::State::broken);
  machine.variables["CUDA_HOME"] = "/opt/cuda";
  EXPECT_EQ(found(machine, "the toolkit is 13.0").state, DoctorItem::State::well);
}

TEST(Doctor, SaysWhoMayProfile) {
  FakeMachine machine;
  machine.gpu("13.0", "13.0");
  machine.files["/proc/driver/nvidia/params"] = "Foo: 0\nRmProfilingAdminOnly: 1\n";
  EXPECT_NE(found(machine, "lets only root profile").remedy.find("NVreg_RestrictProfilingToAdminUsers=0"),
            std::string::npos);
  EXPECT_TRUE(diagnose(machine, "/tree").gpu.works());
  machine.root = true;
  EXPECT_EQ(found(machine, "profiling is permitted").state, DoctorItem::State::well);
  machine.root = false;
  machine.files["/proc/driver/nvidia/params"] = "RmProfilingAdminOnly: 0\n";
  EXPECT_EQ(found(machine, "profiling is permitted").state, DoctorItem::State::well);
  machine.programs.erase("ncu --version");
  EXPECT_EQ(found(machine, "ncu) is not installed").state, DoctorItem::State::lacking);
}

TEST(Doctor, TellsWhatKeepsASandboxFromWorking) {
  FakeMachine machine;
  machine.obstacles[SandboxLevel::bubblewrap] = "user namespaces are refused";
  EXPECT_NE(found(machine, "'bubblewrap' does not work: user namespaces").remedy.find("sysctl"),
            std::string::npos);
  EXPECT_TRUE(diagnose(machine, "/tree").grading.works());
  machine.programs.erase("bwrap --version");
  EXPECT_EQ(found(machine, "'bubblewrap' does not work").remedy, "sudo apt-get install bubblewrap");
  machine.obstacles[SandboxLevel::confined] = "it needs root";
  EXPECT_EQ(found(machine, "no sandbox works").state, DoctorItem::State::broken);
  EXPECT_FALSE(diagnose(machine, "/tree").grading.works());
  EXPECT_TRUE(diagnose(machine, "/tree").labs_run()) << "labs need no sandbox";
  machine.archives = false;
  EXPECT_EQ(found(machine, "without libarchive").state, DoctorItem::State::lacking);
  machine.machine_code = false;
  EXPECT_EQ(found(machine, "without Zydis").state, DoctorItem::State::broken);
}

TEST(Doctor, LooksAtThisMachineToo) {
  const Diagnosis diagnosis = diagnose(ThisMachine(), WARPLAB_SOURCE_DIR);
  EXPECT_TRUE(diagnosis.emulator.works()) << "this was built here\n" << to_text(diagnosis);
}

}  // namespace
}  // namespace warplab
