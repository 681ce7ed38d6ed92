#pragma once

#include <filesystem>
#include <string>

namespace warplab::report {

/// A handout with its generated tables of rungs filled in. A table comes after a mark that names one
/// committed run, one input and the columns:
///
///     <!-- rungs of results/NAME | SIZE TYPE[, PARAMETER VALUE]... | COLUMN, COLUMN... -->
///     | rung | look at |
///
/// The table's first column (the rung or peer, in backquotes), its order and its last column are the author's
/// and stay. Columns, each a ratio to an ideal unless it is a count or a time:
///
///     launches, blocks, threads, barriers, atomics    counts of the emulator
///     moved         bytes of the sectors asked for, over the bytes that must move
///     requests      requests of global memory, over those of 16 bytes per lane
///     wavefronts    wavefronts of shared memory, over those without bank conflicts
///     divergent     branches on which a warp's lanes part, over all
///     atomics_per_element          single operations, over the elements of the input
///     shared_per_multiply_add      wavefronts of shared memory, over the multiply-adds of a warp
///     time          median in milliseconds
///     rate          GB/s or GFLOP/s, as the run's speed of light has it
///     fraction      the rate over the run's speed of light
///     of PEER       the peer's time over the rung's: above 1 the rung is faster
///
/// A mark may take its counts from another run, of an input that require_comparable() accepts:
///
///     <!-- rungs of RUN | INPUT | COLUMNS | counted in RUN | INPUT -->
///
/// A line below the table names the run that its figures are from. What was not measured is a dash.
/// @param root the folder that `results/` lies in
/// @throws BadInput if a mark, its run or a rung of the table is not there, or counts and times are of inputs
/// that do not compare
std::string with_rung_tables(const std::string& handout, const std::string& lab,
                             const std::filesystem::path& root);

}  // namespace warplab::report
