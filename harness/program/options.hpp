#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "harness/problem/problem.hpp"

namespace warplab {

/// The command line of a lab's program.
struct Options {
  bool help = false;
  std::string help_text;
  bool list = false;
  std::vector<std::string> rungs;  ///< empty: all
  std::optional<std::vector<std::int64_t>> size;
  std::optional<Extent3> block, grid;
  std::optional<int> blocks_down;  ///< of one layer of a grid; none: as many as CUDA allows
  std::optional<DType> dtype;
  int repeat = 0;  ///< 0: until the spread settles
  std::optional<std::uint64_t> seed;
  bool published_suite = false;
  std::string table;  ///< the only published table to replay; "": all
  bool sweep_suite = false;
  std::string input, output, json, csv;
  bool in_process = false;
  bool verify_only = false;  ///< run each rung once, and measure no time
  double timeout_s = 120;
  bool lens = false;                       ///< --lens, or a flag that implies it
  std::uint64_t lens_blocks = 64;          ///< of each launch, to record; 0 for all
  bool lens_only = false;                  ///< run no other blocks, and verify nothing; implies lens
  bool lens_as_compiled = false;           ///< what nvcc makes of each line; implies lens
  std::string lens_map;                    ///< implies lens
  std::string lens_tree;                   ///< likewise
  std::string pictures;                    ///< a folder
  std::map<std::string, std::string> lab;  ///< the lab's own flags that were given, by name
};

/// Reads the command line of the program of `problem`.
/// @throws BadInput naming the flag, its value and what is accepted
Options parse_options(const Problem& problem, int argc, const char* const* argv);

}  // namespace warplab
