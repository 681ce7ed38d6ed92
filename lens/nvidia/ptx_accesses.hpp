#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lens/report.hpp"

namespace warplab::lens {

/// The accesses to memory that nvcc leaves in kernels, by source line. They are read from its PTX, which is
/// as nvcc's optimiser leaves it: accesses that it merged, unrolled or moved to another line look so. What
/// ptxas changes after that is not seen.
class PtxAccesses {
 public:
  /// @param ptx what `nvcc -ptx -lineinfo` writes; other text has no accesses
  explicit PtxAccesses(std::string_view ptx);

  /// Gives each line of a launch its accesses: those of the launch's own instance of a template where the
  /// lines name it, else of any one. Lines of kernels that the PTX does not have stay as they are.
  void annotate(Launch& launch) const;

 private:
  using Place = std::pair<std::string, int>;  // file and line
  /// A kernel, or a function that was not inlined.
  struct Function {
    std::string name;  ///< "transpose<int>(int const*, int)"; of templates without the type that they return
    bool is_kernel = false;
    /// By their places: first that of the code itself, then those that it was inlined at.
    std::map<std::vector<Place>, std::vector<CompiledAccess>> accesses;
    std::set<std::string> calls;  ///< symbols
  };

  const Function* find_kernel(const Launch& launch) const;
  /// A kernel and the functions that it calls, and so on.
  std::vector<const Function*> with_callees(const Function& kernel) const;

  std::map<std::string, Function> functions_;  ///< by their symbols
};

/// "2 global loads of 16 bytes, 1 shared store of 4 bytes"; of none, what that means.
std::string compiled_text(const std::vector<CompiledAccess>& accesses);

}  // namespace warplab::lens
