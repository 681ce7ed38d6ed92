#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/charts/access_picture.hpp"
#include "report/results/run_file.hpp"

namespace warplab::report {

/// The shapes of blocks that the page has a picture of: threads in x and in y, 256 in all.
inline constexpr std::array<std::array<unsigned, 2>, 6> block_shapes{
    {{32, 8}, {16, 16}, {8, 32}, {4, 64}, {2, 128}, {1, 256}}};

/// What the first warp of such a block asks for: elements of 4 bytes at (threadIdx.y, threadIdx.x) of a
/// matrix in global memory, whose rows are whole sectors; and at (threadIdx.x, threadIdx.y) of a tile in
/// shared memory, whose rows have 32 words. Computed, not recorded.
std::vector<Access> accesses_of_block(std::array<unsigned, 2> shape);

/// Whether a rung ran in blocks of two dimensions: as somebody asked for, or as one of its launches recorded.
bool ran_in_two_dimensions(const Row& row);

/// A part of a page: a choice of shapes, and the picture of the one that is chosen. It needs no script.
std::string block_shapes_html();

}  // namespace warplab::report
