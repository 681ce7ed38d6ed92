#include "harness/program/as_compiled.hpp"

#include <fmt/format.h>

#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/file_content.hpp"
#include "common/io/temporary_folder.hpp"
#include "harness/program/cuda_tools.hpp"
#include "harness/worker/child_process.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

constexpr double most_s = 300;  // that nvcc may take for a file

/// The first of its lines that tells an error, else the first one.
std::string first_error(const std::string& said) {
  const std::size_t error = std::min(said.find("error"), said.size());
  const std::size_t at = error == said.size() ? 0 : said.rfind('\n', error) + 1;
  return said.substr(at, said.find('\n', at) - at);
}

}  // namespace

AsCompiled::AsCompiled() : nvcc_(find_cuda_tool("nvcc")) {
  if (nvcc_.empty())
    throw NotAvailable(
        "--lens-as-compiled asks nvcc which accesses it makes, and nvcc is neither in PATH nor in "
        "/usr/local/cuda/bin: install the CUDA Toolkit; no GPU is needed");
}

const AsCompiled::Compiled& AsCompiled::compiled(const fs::path& file) {
  const auto [at, is_new] = known_.try_emplace(file);
  if (!is_new) return at->second;
  const TemporaryFolder scratch(fs::temp_directory_path() / "warplab-nvcc-");
  const fs::path ptx = scratch.path() / "kernels.ptx";
  // The architecture that has all instructions of the labs.
  ChildProcess process({nvcc_, "-std=c++20", "-arch=sm_90a", "-rdc=true", "-DWARPLAB_BACKEND_CUDA",
                        "-lineinfo", "-I", WARPLAB_SOURCE_DIR, "-ptx", "-o", ptx, file});
  if (process.wait(most_s) == ChildProcess::Event::timeout)
    at->second.refusal = fmt::format("it did not end within {:g} s", most_s);
  else if (!fs::exists(ptx))
    at->second.refusal = first_error(process.err.take() + process.out.take());
  else
    at->second.accesses = lens::PtxAccesses(file_content(ptx));
  return at->second;
}

void AsCompiled::annotate(const std::string& source, std::vector<lens::Launch>& launches) {
  for (lens::Launch& launch : launches) {
    std::set<fs::path> files;
    for (const lens::Line& line : launch.lines) {
      const fs::path file = line.file;
      for (const fs::path& each : {file, file.parent_path() / source})
        if (each.extension() == ".cu" && fs::exists(each)) files.insert(each);
    }
    for (const fs::path& file : files) {
      const Compiled& known = compiled(file);
      known.accesses.annotate(launch);
      if (!known.refusal.empty())
        launch.note = fmt::format("nvcc does not compile {}: {}", file.filename().string(), known.refusal);
    }
  }
}

}  // namespace warplab
