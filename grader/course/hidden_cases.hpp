#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/secret.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// Cases that a release does not have, of one kind. A student is told the kind.
struct HiddenKind {
  std::string kind;  ///< "sizes that no tile divides"
  std::vector<Case> cases;
  bool fits = false;  ///< blocks and tiles divide the sizes: it is of the first of a task's two steps
};

/// What `tests/hidden/<lab>.json` asks of a rung, with sizes and inputs drawn from the secret:
///
///     {"lab": "transpose",
///      "kinds": [{"kind": "sizes that no tile divides", "count": 3,
///                 "size": {"rows": [33, 300], "cols": 997}, "params": {"side": [3, 5, 9]},
///                 "rungs": ["tiled"], "dtypes": ["int"], "grid": [[3], [7, 2]], "block": [[32, 8]]}]}
///
/// A number is taken as it is, two are bounds (both included), more are a choice. Grids and blocks are
/// choices of one to three numbers each; without them the launcher chooses. Without "rungs" a kind is
/// for all; without "dtypes" its cases take the rung's types in turn, beginning with one that is drawn. With
/// "fits": 64 a size within bounds is a multiple of 64, and the kind `fits`.
/// @throws BadInput naming the file and what is wrong with it
std::vector<HiddenKind> hidden_cases(const Problem& problem, const Rung& rung,
                                     const std::filesystem::path& file, const Secret& secret);

}  // namespace warplab
