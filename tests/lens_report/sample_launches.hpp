#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lens/report.hpp"

namespace warplab::lens::test {

/// A request whose lane i of `mask` touches `bytes` bytes at address(i). Its cost and
/// ideal are given, not computed.
inline RequestSample request(RequestKind kind, unsigned bytes, unsigned cost, unsigned ideal,
                             const std::function<std::uint64_t(unsigned)>& address,
                             std::uint32_t mask = ~0u) {
  RequestSample sample;
  sample.kind = kind;
  sample.mask = mask;
  sample.bytes = bytes;
  sample.cost = cost;
  sample.ideal = ideal;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) sample.address[lane] = address(lane);
  return sample;
}

/// The naive transpose of 1024x1024 ints with blocks of 32x32: 32,768 warps, each of which reads a row and
/// writes a column.
inline Launch naive_transpose(const std::string& file = "transpose_naive.cu") {
  Launch launch;
  launch.kernel = "transpose_naive_kernel<int>";
  launch.grid = {32, 32, 1};
  launch.block = {32, 32, 1};
  launch.blocks = 1024;
  launch.blocks_recorded = 64;
  Line line{file, 26, "transpose_naive_kernel<int>", {}, {}};
  constexpr std::uint64_t warps = 32768;
  line.counts.global_load = {warps, 4 * warps, 4 * warps, 32 * warps, 128 * warps};
  line.counts.global_store = {warps, 32 * warps, 4 * warps, 32 * warps, 128 * warps};
  line.counts.branches = {warps, 0};
  line.counts.active_lanes = 3 * 32 * warps;
  line.counts.warp_events = 3 * warps;
  line.samples = {request(RequestKind::global_load, 4, 4, 4, [](unsigned lane) { return 4 * lane; }),
                  request(RequestKind::global_store, 4, 32, 4, [](unsigned lane) { return 4096 * lane; })};
  launch.counts = line.counts;
  launch.lines = {line};
  launch.occupancy = {1.0, 2, "threads"};
  return launch;
}

/// The tiled transpose of the same matrix: its tile is read down a column, from one bank.
inline Launch tiled_transpose(const std::string& file = "transpose_tiled.cu") {
  Launch launch = naive_transpose(file);
  launch.kernel = "transpose_tiled_kernel<int>";
  launch.static_shared_bytes = 4096;
  constexpr std::uint64_t warps = 32768;
  Line in{file, 32, launch.kernel, {}, {}}, out{file, 35, launch.kernel, {}, {}};
  in.counts.global_load = {warps, 4 * warps, 4 * warps, 32 * warps, 128 * warps};
  in.counts.shared_store = {warps, warps, warps, 32 * warps, 128 * warps};
  in.counts.active_lanes = 64 * warps, in.counts.warp_events = 2 * warps;
  in.samples = {request(RequestKind::global_load, 4, 4, 4, [](unsigned lane) { return 4 * lane; }),
                request(RequestKind::shared_store, 4, 1, 1, [](unsigned lane) { return 4 * lane; })};
  out.counts.global_store = {warps, 4 * warps, 4 * warps, 32 * warps, 128 * warps};
  out.counts.shared_load = {warps, 32 * warps, warps, 32 * warps, 128 * warps};
  out.counts.active_lanes = 64 * warps, out.counts.warp_events = 2 * warps;
  out.samples = {request(RequestKind::shared_load, 4, 32, 1, [](unsigned lane) { return 128 * lane; }),
                 request(RequestKind::global_store, 4, 4, 4, [](unsigned lane) { return 4 * lane; })};
  launch.lines = {in, out};
  launch.counts = {};
  launch.counts.global_load = in.counts.global_load;
  launch.counts.shared_store = in.counts.shared_store;
  launch.counts.global_store = out.counts.global_store;
  launch.counts.shared_load = out.counts.shared_load;
  launch.counts.barriers = warps;
  launch.counts.active_lanes = 128 * warps, launch.counts.warp_events = 4 * warps;
  return launch;
}

}  // namespace warplab::lens::test
