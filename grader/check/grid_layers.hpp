#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/course/course.hpp"
#include "grader/judge/rung_builder.hpp"
#include "lens/report.hpp"

namespace warplab {

/// How far down the grids of a solution went while it was graded, by kernel. Graded code has few blocks per
/// layer of a grid (grid_in_layers()), so that a case of a thousand rows shows whether a kernel reads
/// blockIdx.z; but a kernel whose grids all fit one layer is right without it.
class GridLayers {
 public:
  /// Launches of one call.
  void add(const std::vector<lens::Launch>& launches);
  /// A sentence for each kernel that had several blocks down and never a second layer.
  std::vector<std::string> in_one_layer() const;

 private:
  struct Most {
    unsigned down = 0, layers = 0;
  };
  std::map<std::string, Most> kernels_;  ///< by their names without template arguments
};

/// Whether a task's files, or the headers of the lab that they include, read blockIdx.z.
bool reads_layers(const Lab& lab, const FileTexts& files);

}  // namespace warplab
