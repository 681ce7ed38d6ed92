#include "lens/nvidia/nsight_csv.hpp"
#include "tests/fuzz/fuzz_target.hpp"

// The two tables in one input, parted by a line of four hyphens.
void warplab::fuzz::take(std::string_view input) {
  static constexpr std::string_view border = "\n----\n";
  const std::size_t at = input.find(border);
  lens::launches_by_call(input.substr(0, at),
                         at == std::string_view::npos ? "" : input.substr(at + border.size()), 1);
}
