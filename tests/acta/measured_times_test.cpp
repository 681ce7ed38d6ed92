#include "acta/measured_times.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "acta/gpu_specification.hpp"
#include "queue_demand.hpp"
#include "tests/common/scratch_folder.hpp"

namespace warplab::acta {
namespace {

MeasuredTimes some_times() {
  MeasuredTimes times("A GPU, commit 1, 2026-11-25");
  times.set("ring", "sum_vectors", {512, 2}, 0.5);
  times.set("ring", "sum_vectors", {1024, 4}, 0.25);
  times.set("ring_cp_async", "sum_vectors", {64, 1}, 2);
  return times;
}

TEST(MeasuredTimes, AreReadAsTheyWereWritten) {
  const ScratchFolder folder;
  const MeasuredTimes read = MeasuredTimes::read(folder.write("t.csv", some_times().to_csv()));
  EXPECT_EQ(read.to_csv(), some_times().to_csv());
  EXPECT_EQ(read.about(), "A GPU, commit 1, 2026-11-25");
  EXPECT_EQ(read.time("ring", "sum_vectors", {512, 2}), 0.5);
  EXPECT_EQ(read.time("ring", "sum_vectors", {512, 3}), std::nullopt);
}

TEST(MeasuredTimes, HaveAFastestSizePerRungAndKernel) {
  EXPECT_EQ(some_times().fastest("ring", "sum_vectors"), (Choice{1024, 4}));
  EXPECT_EQ(some_times().fastest("ring_cp_async", "sum_vectors"), (Choice{64, 1}));
  EXPECT_EQ(some_times().fastest("ring", "dot_product"), std::nullopt);
}

TEST(MeasuredTimes, NameTheFileAndLineOfWhatIsWrong) {
  const ScratchFolder folder;
  const auto refusal = [&](const std::string& text) -> std::string {
    const auto file = folder.write("t.csv", text);
    try {
      (void)MeasuredTimes::read(file);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).substr(file.string().size());
    }
    return "";
  };
  const std::string head = "# A GPU\nrung,kernel,tile,slots,ms\n";
  EXPECT_EQ(refusal(""), ": line 1 must be '# ' and the GPU");
  EXPECT_EQ(refusal("# A GPU\ntile\n"), ": line 2 must be 'rung,kernel,tile,slots,ms'");
  EXPECT_EQ(refusal(head), ": it has no times");
  for (const char* row :
       {"ring,dot,64,1", "ring,dot,0,1,2", "ring,dot,64,0,2", "ring,dot,64,1,-2", "a,b,c,d,e"})
    EXPECT_EQ(refusal(head + row + "\n"),
              std::string(": line 3 is '") + row + "'; it must be rung,kernel,tile,slots,ms");
}

// The rung acta cannot read a file where it runs, so it has an H100's figures built in.
TEST(QueueGpu, BuiltInFiguresAreThoseOfTheH100sTable) {
  const GpuSpecification gpu = read_specification(WARPLAB_SOURCE_DIR "/labs/13_tma_queues/devices/h100.json");
  EXPECT_EQ(queue_gpu_probed.push, gpu.tma_cycles);
  EXPECT_EQ(queue_gpu_probed.copy, gpu.copy_cycles);
  EXPECT_EQ(queue_gpu_probed.wait, gpu.barrier_cycles);
  EXPECT_EQ(queue_gpu_probed.start, gpu.shared_latency_cycles);
  EXPECT_EQ(queue_gpu_probed.l2_latency, gpu.l2_latency_cycles);
  EXPECT_EQ(queue_gpu_probed.dram_latency, gpu.dram_latency_cycles);
  EXPECT_EQ(queue_gpu_probed.l2_bytes_per_second, 1e9 * gpu.l2_gigabytes_per_second);
  EXPECT_EQ(queue_gpu_probed.shared_bytes_per_cycle, gpu.shared_bytes_per_cycle);
  EXPECT_EQ(queue_gpu_probed.products_per_cycle, gpu.multiplications_per_cycle * gpu.warp_pools);
}

}  // namespace
}  // namespace warplab::acta
