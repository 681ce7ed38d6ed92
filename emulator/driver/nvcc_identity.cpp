#include "emulator/driver/nvcc_identity.hpp"

#include <filesystem>

#include "emulator/driver/configuration.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

/// "-L/folder" of what programs link.
std::string library_folder() {
  for (const std::string& word : configuration().link)
    if (word.starts_with("-L")) return word;
  return "";
}

}  // namespace

std::string version_text() {
  return "warplab-cc: CUDA on the CPU, with the command line of\n"
         "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 13.0, V13.0.0\n";
}

std::string identity_text() {
  const fs::path include = configuration().include.back();
  const std::string top = include.parent_path().string();
  const std::string libraries = "\"" + library_folder() + "\" -lwarplab_emulator";
  return "#$ TOP=" + top + "\n#$ NVVMIR_LIBRARY_DIR=" + top +
         "/nvvm/libdevice\n#$ PATH=" + fs::path(configuration().compiler).parent_path().string() +
         "\n#$ INCLUDES=\"-I" + include.string() + "\"\n#$ LIBRARIES=" + libraries +
         "\n#$ kernels as for -arch compute_90\n#$ \"" + fs::read_symlink("/proc/self/exe").string() +
         "\" -o \"a.out\" " + libraries + "\n";
}

}  // namespace warplab::driver
