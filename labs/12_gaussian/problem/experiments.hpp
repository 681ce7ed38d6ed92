#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/problem.hpp"

namespace warplab {

/// Builds the rows. The picture is that of the tables; for filters that would take minutes, one of fewer
/// pixels; on the emulator a small one, and no filters above 9.
class GaussianRows {
 public:
  std::vector<Experiment> rows;

  // BEGIN WITHHELD
  void add_tables() {
    constexpr double table_2[6][11] = {
        {0.061, 0.065, 0.063, 0.064, 0.064, 0.065, 0.069, 0.064, 0.074, 0.073, 0.065},
        {0.087, 0.083, 0.081, 0.080, 0.080, 0.082, 0.087, 0.089, 0.079, 0.091, 0.076},
        {0.281, 0.276, 0.279, 0.275, 0.268, 0.265, 0.214, 0.217, 0.182, 0.191, 0.159},
        {1.917, 1.858, 1.792, 1.627, 1.582, 1.472, 1.228, 1.184, 1.005, 1.048, 0.862},
        {16.634, 15.590, 13.880, 13.250, 12.670, 11.455, 10.349, 9.297, 8.268, 8.665, 6.222},
        {149.89, 138.39, 132.24, 125.40, 112.23, 101.87, 92.49, 83.38, 74.03, 77.40, 56.51}};
    constexpr double table_3[5][5] = {{0.006, 0.009, 0.010, 0.010, 0.010},
                                      {0.038, 0.050, 0.071, 0.079, 0.091},
                                      {0.370, 0.385, 0.495, 0.592, 0.655},
                                      {2.249, 3.211, 4.184, 5.110, 5.6154},
                                      {20.070, 28.670, 37.320, 46.370, 50.940}};
    constexpr int sides[] = {3, 9, 27, 81, 243, 729};
    for (int row = 0; row < 6; ++row)
      for (int column = 0; column < 11; ++column)
        add("000 table 2", "hybrid_fused", sides[row], 1, 100 - 10 * column, table_2[row][column]);
    add("000 section 4.2.2", "hybrid_split", 81, 1, 20, 1.078);
    add("000 section 4.2.2", "hybrid_split", 243, 1, 20, 8.900);
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 5; ++column)
        add("000 table 3", "hybrid_fused", sides[row], 8, 100 - 25 * column, table_3[row][column]);
  }
  // END WITHHELD

  /// Section 4.4.1: with 1, 4 and 8 filters of 81x81, only on Tensor Cores and only on CUDA cores.
  void add_only_one_kind_of_core() {
    if (emulated) return;
    for (const auto& [filters, tensor, cuda] :
         {std::tuple{1, 2.218, 1.028}, {4, 2.226, 4.207}, {8, 2.249, 8.295}}) {
      const std::string label = std::to_string(filters) + (filters == 1 ? " filter" : " filters");
      // BEGIN WITHHELD
      rows.push_back({"000 section 4.4.1, Tensor Cores",
                      label,
                      "wmma_intermediate",
                      case_of(81, filters, 1),
                      {{"rtx_4070_s", tensor}},
                      note_of(81)});
      // END WITHHELD
      rows.push_back({"000 section 4.4.1, CUDA cores",
                      label,
                      "cuda_cores_float",
                      case_of(81, filters, 0),
                      {{"rtx_4070_s", cuda}},
                      note_of(81) + "; with sums in half, which are off by many grey levels"});
    }
  }

 private:
  static constexpr bool emulated = backend == Backend::emulator;
  struct Size {
    std::int64_t width, height;
    const char* share;  // of the published picture's pixels
  };

  static Size size_of(int side) {
    if (emulated) return {96, 64, "1/3906"};
    if (side > 243) return {480, 270, "1/185"};
    if (side > 81) return {960, 540, "1/46"};
    if (side > 27) return {1920, 1080, "1/11.6"};
    return {6000, 4000, ""};
  }
  static Case case_of(int side, int filters, double balance) {
    Case c;
    c.size = {{"width", size_of(side).width}, {"height", size_of(side).height}};
    c.dtype = DType::u8;
    c.set_param("channels", 4);
    c.set_param("side", side);
    c.set_param("filters", filters);
    c.set_param("kind", 0, "gaussian");
    c.params.push_back({"balance", balance, "", true});
    return c;
  }
  static std::string note_of(int side) {
    const Size size = size_of(side);
    if (!*size.share) return "";
    return "published for 6000x4000 pixels; here " + std::to_string(size.width) + "x" +
           std::to_string(size.height) + ", " + size.share + " of them";
  }
  // BEGIN WITHHELD
  void add(const char* table, const char* rung, int side, int filters, int percent, double seconds) {
    if (emulated && side > 9) return;
    rows.push_back({table,
                    std::to_string(side) + "x" + std::to_string(side) + ", " + std::to_string(percent) + " %",
                    rung,
                    case_of(side, filters, percent / 100.0),
                    {{"rtx_4070_s", seconds}},
                    note_of(side)});
  }
  // END WITHHELD
};

/// Tables 2 and 3 of report 000 and the figures in its text, on an RTX 4070, as rows for `--suite
/// published`.  balance, in percent, is the share of Tensor Cores. It prints milliseconds; section
/// 4.4.1 has the same figures in seconds, and only those are possible. Published is the time with
/// `time.h` around kernels and waiting.
inline std::vector<Experiment> gaussian_experiments() {
  GaussianRows experiments;
  // BEGIN WITHHELD
  experiments.add_tables();
  // END WITHHELD
  experiments.add_only_one_kind_of_core();
  return std::move(experiments.rows);
}

}  // namespace warplab
