#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/case.hpp"
#include "harness/problem.hpp"

namespace warplab {

/// As many samples, and as many of a paired rung, fit a worker's reply.
inline constexpr int max_repetitions = 2000;

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
  bool sweep_suite = false;
  std::string input, output, json, csv;
  bool in_process = false;
  bool verify_only = false;  ///< run each rung once, and measure no time
  double timeout_s = 120;
  bool lens = false;                       ///< --lens, or a flag that implies it
  std::uint64_t lens_blocks = 64;          ///< of each launch, to record; 0 for all
  bool lens_only = false;                  ///< run no other blocks, and verify nothing; implies lens
  std::string lens_map;                    ///< implies lens
  std::string lens_tree;                   ///< likewise
  std::string pictures;                    ///< a folder
  std::map<std::string, std::string> lab;  ///< the lab's own flags that were given, by name
};

/// Reads the command line of the program of `problem`.
/// @throws BadInput naming the flag, its value and what is accepted
Options parse_options(const Problem& problem, int argc, const char* const* argv);

/// "4096x64" as extents. @throws BadInput, with `flag` in its text, unless these are `names.size()` numbers
/// from 0 to 2^63 - 1
std::vector<std::int64_t> parse_size(const std::string& text, const std::vector<std::string>& names);

/// "32", "32x8" or "8x8x4" as threads per block (at most 1024 in all) or blocks per grid. @throws BadInput
Extent3 parse_block(const std::string& text);
Extent3 parse_grid(const std::string& text);

/// Which of `choices` a flag of a lab names. @throws BadInput naming the flag, its value and the choices
std::size_t parse_choice(const std::string& flag, const std::string& text,
                         std::span<const char* const> choices);
/// A whole number in [low, high] that a flag of a lab takes. @throws BadInput
std::int64_t parse_number(const std::string& flag, const std::string& text, std::int64_t low,
                          std::int64_t high);

}  // namespace warplab
