#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lens/nvidia/ptx_accesses.hpp"
#include "lens/report.hpp"

namespace warplab {

/// What nvcc makes of the lines that the lens counted. It needs nvcc, but no GPU.
class AsCompiled {
 public:
  /// @throws NotAvailable with the way to get it, where nvcc is not installed
  AsCompiled();

  /// Adds to the lines of launches which accesses nvcc makes there. Where nvcc refuses a file, the launch has
  /// a note. What is compiled is each .cu file that the lines name and, for kernels in headers, the file
  /// called `source` beside them.
  /// @param source "transpose_tiled.cu"; it need not exist
  void annotate(const std::string& source, std::vector<lens::Launch>& launches);

 private:
  struct Compiled {
    lens::PtxAccesses accesses{""};
    std::string refusal;  ///< what nvcc said, where it did not compile the file
  };
  const Compiled& compiled(const std::filesystem::path& file);

  std::string nvcc_;
  std::map<std::filesystem::path, Compiled> known_;
};

}  // namespace warplab
