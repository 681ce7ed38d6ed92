#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"

namespace warplab {

/// Where kernels run. harness/rung/backend.hpp says which of them this build tree was configured for.
enum class Backend { cuda, emulator };

/// One strategy of a lab: a row of its table of rungs. The file is
/// `<lab>_<name>.cu`, the launcher `<lab>_<name>`.
struct Rung {
  enum class Access { given, task, withheld };
  std::string name;  ///< "tiled_padded"
  std::string idea;  ///< one line for `--list`
  Access access = Access::given;
  std::vector<DType> dtypes;
  std::optional<Extent3> block = {};  ///< the default block, where a user may choose one
  /// "" for any device, "sm_80" for compute capability 8.0 and later, "sm_90a" for 9.0 only: nvcc's names.
  std::string needs = {};
  bool takes_block = false;  ///< accepts --block
  bool takes_grid = false;   ///< accepts --grid
  std::string peer_of = {};  ///< a peer, not a strategy of ours: the library it calls, such as "CUB"
  std::map<DType, std::string> needs_for = {};  ///< as `needs`, for elements of one type that need more
};

}  // namespace warplab
