#include "grader/course/limits.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

const Problem& problem() { return *problem_registry().at("vector_add"); }

Case of_1024() {
  Case c = problem().default_case(Backend::emulator);
  c.extent("n") = 1024;
  return c;
}

/// A launch with something of everything that is counted.
lens::Launch work() {
  lens::Launch launch;
  launch.blocks = 4;
  launch.block = {256, 1, 1};
  launch.counts.global_load = {64, 256, 256, 2048, 8192};
  launch.counts.global_store = {32, 128, 128, 1024, 4096};
  launch.counts.shared_load = {32, 96, 32, 1024, 4096};
  launch.counts.shared_store = {32, 32, 32, 1024, 4096};
  launch.counts.constant = {8, 8};
  launch.counts.branches = {64, 32};
  launch.counts.barriers = 32;
  launch.max_barriers = 4;
  launch.max_waits = 5;
  launch.busiest_warp = 6;
  return launch;
}

/// Many warps that take branches alike, use shared memory without conflicts and meet nobody.
lens::Launch idle() {
  lens::Launch launch;
  launch.blocks = 640;
  launch.block = {1024, 1, 1};
  launch.counts.branches = {100000, 0};
  launch.counts.constant = {1000, 1000};
  launch.counts.shared_load = {1000, 1000, 1000, 32000, 128000};
  return launch;
}

double value(const std::string& measure, const std::vector<lens::Launch>& launches) {
  return value_of(measure, launches, problem(), of_1024());
}

TEST(LimitMeasures, AreNoSmallerBesideAnIdleLaunch) {
  for (const LimitMeasure& measure : limit_measures())
    if (std::string(measure.name) != "shared_reads") {  // asks for more, which the idle launch reads
      EXPECT_GE(value(measure.name, {work(), idle()}), value(measure.name, {work()})) << measure.name;
    }
}

TEST(LimitMeasures, CountPer32ElementsAndOfTheWorstThread) {
  EXPECT_EQ(value("moved", {work()}), 1);
  EXPECT_EQ(value("requests", {work()}), 4);
  EXPECT_EQ(value("conflicts", {work()}), 2);
  EXPECT_EQ(value("shared", {work()}), 4);
  EXPECT_EQ(value("divergent", {work()}), 1);
  EXPECT_EQ(value("barriers", {work()}), 4);
  EXPECT_EQ(value("waits", {work()}), 5);
  EXPECT_EQ(value("constants", {work()}), 0);
}

TEST(LimitMeasures, AddUpTheStepsOfLaunchesThatFollowOneAnother) {
  EXPECT_EQ(value("busiest", {work(), idle(), work()}), 12);
  EXPECT_EQ(done_by_few(12, {work(), work()}), "");
  EXPECT_NE(done_by_few(11, {work(), work()}), "");
}

TEST(LimitMeasures, TakeLanesOfSharedAtomicsForConflicts) {
  lens::Launch atomics = work();
  atomics.counts.shared_atomics = {32, 0, 1024, 1024, 32};
  EXPECT_EQ(value("conflicts", {atomics}), 2 + 31);
}

TEST(LimitMeasures, AskForAsynchronousCopiesOfTheInputs) {
  EXPECT_EQ(value("copied", {work()}), unmeasured);
  lens::Launch copies = work();
  const double bytes = 2.0 * 1024 * static_cast<double>(size_of(of_1024().dtype));
  copies.counts.shared_copy.bytes = static_cast<std::uint64_t>(bytes);
  EXPECT_EQ(value("copied", {copies}), unmeasured);  // not of global memory
  copies.work = lens::Work{.copied_sectors = static_cast<std::uint64_t>(bytes) / 32};
  EXPECT_EQ(value("copied", {copies}), 1);
  copies.counts.shared_copy.bytes /= 2;
  EXPECT_EQ(value("copied", {copies}), 2);
  copies.counts.shared_copy.bytes *= 2;
  copies.work->copied_sectors /= 4;
  EXPECT_EQ(value("copied", {copies}), 4);
}

TEST(LimitMeasures, AskForBulkCopiesOfTheInputs) {
  EXPECT_EQ(value("bulk_copied", {work()}), unmeasured);
  lens::Launch copies = work();
  const double bytes = 2.0 * 1024 * static_cast<double>(size_of(of_1024().dtype));
  copies.work = lens::Work{.bulk_copied_sectors = static_cast<std::uint64_t>(bytes) / 32};
  EXPECT_EQ(value("bulk_copied", {copies}), 1);
}

TEST(LimitMeasures, AskForCopiesThatAWaitLeavesUnderWay) {
  EXPECT_EQ(value("overlap", {work()}), unmeasured);
  lens::Launch copies = work();
  copies.counts.shared_copy.bytes = 1024;
  copies.work = lens::Work{.copied_sectors = 32, .copies_landed = 840 * 1024};
  EXPECT_EQ(value("overlap", {copies}), unmeasured);
  copies.work->copies_overlapped = 840 * 512;
  EXPECT_EQ(value("overlap", {copies}), 2);
  copies.counts.shared_copy.bytes += 256;  // copied again for show
  EXPECT_EQ(value("overlap", {copies}), 4);
  copies.counts.shared_copy.bytes += 256;
  EXPECT_EQ(value("overlap", {copies}), unmeasured);
}

TEST(LimitMeasures, CountAtomicAdditionsToAFloat) {
  EXPECT_EQ(value("float_sums", {work()}), 0);
  lens::Launch sums = work();
  sums.work = lens::Work{.busiest_sum = 3};
  EXPECT_EQ(value("float_sums", {sums}), 3);
}

TEST(LimitMeasures, AskForProductsOfTensorCores) {
  const double flops = problem().cost(of_1024()).flops;
  EXPECT_EQ(value("products", {work()}), unmeasured);
  lens::Launch products = work();
  products.work = lens::Work();
  EXPECT_EQ(value("products", {products}), unmeasured);
  products.work->mma_flops = static_cast<std::uint64_t>(flops);
  EXPECT_EQ(value("products", {products}), 1);
  products.work->wgmma_flops = static_cast<std::uint64_t>(flops);
  EXPECT_EQ(value("products", {products}), 0.5);
}

TEST(MovedByCopies, AllowsAFewBesideKernels) {
  LaunchCounts counts;
  counts.transfers = 4;
  EXPECT_EQ(moved_by_copies(counts), "");
  counts.transfers = 5;
  EXPECT_EQ(moved_by_copies(counts),
            "its launcher launches no kernel, and copies or fills device memory 5 times, and 4 times are "
            "allowed: kernels are to move the data");
  counts.launches = 1;
  EXPECT_EQ(moved_by_copies(counts), "");
  counts.transfers = 65;
  EXPECT_EQ(moved_by_copies(counts),
            "its launcher copies or fills device memory 65 times, and 64 times are allowed: kernels are to "
            "move the data");
}

TEST(LimitMeasures, TakeScatteredConstantsAndAtomicsForLoads) {
  lens::Launch scattered = work();
  scattered.counts.constant = {8, 8 + 32 * 12};
  EXPECT_EQ(value("moved", {scattered}), 2);
  EXPECT_EQ(value("requests", {scattered}), 4 + 16);
  EXPECT_EQ(value("shared", {scattered}), 4 + 12);
  EXPECT_EQ(value("constants", {scattered}), 12);
  lens::Launch atomics = work();
  atomics.counts.global_atomics = {24, 96, 768, 768, 24};
  EXPECT_EQ(value("moved", {atomics}), 1.25);
  EXPECT_EQ(value("requests", {atomics}), 5);
}

TEST(LimitMeasures, OfSharedOrConstantMemoryWantItsUse) {
  lens::Launch without = work();
  without.counts.shared_load = without.counts.shared_store = {};
  without.counts.constant = {};
  EXPECT_EQ(value("conflicts", {without}), unmeasured);
  EXPECT_EQ(value("constants", {without}), unmeasured);
}

}  // namespace
}  // namespace warplab
