#pragma once

#include <functional>
#include <set>

#include "harness/rung/rung_request.hpp"

namespace warplab {

/// A runner that does lab 02's work on the host, for tests of what is around runners, and then lets a
/// test meddle with what it did.
class HostAdder : public RungRunner {
 public:
  using Meddle = std::function<void(const RungRequest&, RungReply&)>;
  explicit HostAdder(Meddle meddle = [](const RungRequest&, RungReply&) {}) : meddle_(std::move(meddle)) {}
  RungReply run(const RungRequest& request) override {
    ++calls;
    sizes.insert(request.problem_case.extent("n"));
    kept.insert(request.problem_case.extent("n"));
    seeds.insert(request.problem_case.seed);
    dispatch<int, float, double>(request.inputs[0].dtype, [&]<class T>() {
      const auto* a = reinterpret_cast<const T*>(request.inputs[0].data);
      const auto* b = reinterpret_cast<const T*>(request.inputs[1].data);
      auto* c = reinterpret_cast<T*>(request.outputs[0].data);
      for (std::int64_t i = 0; i < request.outputs[0].count; ++i) c[i] = a[i] + b[i];
    });
    // Counts as of a kernel that moves each element once.
    RungReply reply;
    lens::Launch launch;
    launch.block = {256, 1, 1};
    launch.blocks = launch.blocks_recorded = 1;
    const auto bytes = static_cast<std::uint64_t>(request.outputs[0].size_bytes());
    launch.counts.global_load.sectors = 2 * bytes / 32 + 2;
    launch.counts.global_store.sectors = bytes / 32 + 1;
    reply.lens = std::vector{launch};
    reply.counts = LaunchCounts{1, 1, 256, 0};
    meddle_(request, reply);
    return reply;
  }
  void renew() override { kept.clear(); }
  int calls = 0;
  std::set<std::int64_t> sizes;
  std::set<std::int64_t> kept;  ///< what a rung in a process of its own could know: sizes since it began
  std::set<std::uint64_t> seeds;

 private:
  Meddle meddle_;
};

}  // namespace warplab
