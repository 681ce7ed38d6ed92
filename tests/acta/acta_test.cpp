#include "acta/acta.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>

#include "../common/scratch_folder.hpp"
#include "acta/own_algorithm.hpp"
#include "acta/published_algorithm.hpp"
#include "round_gpu.hpp"

namespace warplab::acta {
namespace {

/// Sizes queue q as q + 1 slots of 64 elements, and counts its calls.
Algorithm counting(const std::shared_ptr<int>& calls) {
  return [calls](const GpuSpecification&, const Workload& workload) {
    ++*calls;
    std::vector<QueueSize> sizes;
    for (const Queue& queue : workload.queues)
      sizes.push_back(sized(queue, 64, static_cast<int>(sizes.size()) + 1));
    return sizes;
  };
}

template <class F>
std::string refusal(F&& action) {
  return message_of<std::invalid_argument>(std::forward<F>(action));
}

TEST(Acta, SizesQueuesInTheOrderOfRegistration) {
  const auto calls = std::make_shared<int>();
  Acta acta(round_gpu(), counting(calls));
  acta.init(Intensity::medium, 8, 10);
  acta.register_queue(1000, 4, QueueKind::streaming);
  acta.register_queue(130, 8, QueueKind::stationary);
  EXPECT_EQ(acta.size_queue(), (QueueSize{64, 1, 4, 16}));
  EXPECT_EQ(acta.size_queue(), (QueueSize{64, 2, 8, 3}));
  EXPECT_EQ(acta.size_queue().element_bytes, 4u);  // the first again
  EXPECT_EQ(*calls, 1);
}

TEST(Acta, ComputesAgainAfterInitAndAfterAnotherQueue) {
  const auto calls = std::make_shared<int>();
  Acta acta(round_gpu(), counting(calls));
  acta.init(Intensity::medium, 8, 10);
  acta.register_queue(1000, 4, QueueKind::streaming);
  acta.size_queue();
  acta.register_queue(1000, 8, QueueKind::streaming);
  EXPECT_EQ(acta.size_queue().element_bytes, 4u);
  EXPECT_EQ(*calls, 2);
  acta.init(Intensity::low, 8, 10);
  EXPECT_EQ(refusal([&] { acta.size_queue(); }), "ACTA: size_queue came before any queue was registered");
  acta.register_queue(1000, 2, QueueKind::streaming);
  EXPECT_EQ(acta.size_queue().element_bytes, 2u);
  EXPECT_EQ(*calls, 3);
}

TEST(Acta, SizesTheQueuesOfThePapersListing) {
  for (const Algorithm& algorithm : {Algorithm(published_sizes), Algorithm(own_sizes)}) {
    Acta acta(round_gpu(), algorithm);
    acta.init(Intensity::medium, 8, 10);
    acta.register_queue(20'480, 4, QueueKind::streaming);
    acta.register_queue(20'480, 4, QueueKind::stationary);
    const QueueSize a = acta.size_queue(), b = acta.size_queue();
    EXPECT_EQ(a.tiles * a.tile, 20'480u);
    EXPECT_GE(a.slots, 2);
    EXPECT_LE(a.bytes() + b.bytes(), 65'536u);
  }
}

TEST(Acta, RefusesQueuesThatCannotBe) {
  Acta acta(round_gpu(), own_sizes);
  EXPECT_EQ(refusal([&] { acta.register_queue(1, 4, QueueKind::streaming); }),
            "ACTA: register_queue came before init");
  acta.init(Intensity::medium, 8, 10);
  EXPECT_EQ(refusal([&] { acta.register_queue(0, 4, QueueKind::streaming); }),
            "ACTA: a queue of 0 elements; its length must be from 1 to 2^40");
  EXPECT_EQ(refusal([&] { acta.register_queue((1ULL << 40) + 1, 4, QueueKind::streaming); }),
            "ACTA: a queue of 1099511627777 elements; its length must be from 1 to 2^40");
  EXPECT_EQ(refusal([&] { acta.register_queue(1, 0, QueueKind::streaming); }),
            "ACTA: a queue of elements of 0 bytes; an element must have from 1 to 16");
}

TEST(Acta, RefusesKernelsThatTheGpuCannotRun) {
  Acta acta(round_gpu(), own_sizes);
  EXPECT_EQ(refusal([&] { acta.init(Intensity::medium, 0, 10); }),
            "ACTA: a kernel of 0 consumer warps; it must be from 1 to 31, beside the producer's");
  EXPECT_EQ(refusal([&] { acta.init(Intensity::medium, 8, 11); }),
            "ACTA: a kernel on 11 multiprocessors; round GPU has from 1 to 10");
}

TEST(Acta, RefusesQueuesThatDoNotFitWithTheSmallestTiles) {
  GpuSpecification gpu = round_gpu();
  gpu.shared_bytes = {1024};
  Acta acta(gpu, own_sizes);
  acta.init(Intensity::medium, 8, 10);
  for (int q = 0; q < 5; ++q) acta.register_queue(1000, 4, QueueKind::streaming);
  EXPECT_EQ(
      refusal([&] { acta.size_queue(); }),
      "ACTA: 5 queues take 1280 bytes of shared memory with one slot of 64 elements each; a block has 1024");
}

TEST(Acta, RefusesATableOfAbsurdFigures) {
  GpuSpecification gpu = round_gpu();
  gpu.clock_ghz = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(refusal([&] { Acta(gpu, own_sizes); }),
            "the GST: clock_ghz is nan; it must be from 0.1 to 10 (GHz)");
  EXPECT_EQ(refusal([] { Acta(GpuSpecification{}, own_sizes); }),
            "the GST: clock_ghz is 0; it must be from 0.1 to 10 (GHz)");
}

TEST(Acta, RefusesWhatAnAlgorithmMustNotChoose) {
  const auto with = [](std::vector<QueueSize> sizes) {
    return refusal([&] {
      Acta acta(round_gpu(), [&](const GpuSpecification&, const Workload&) { return sizes; });
      acta.init(Intensity::medium, 8, 10);
      acta.register_queue(1000, 1, QueueKind::streaming);
      acta.size_queue();
    });
  };
  EXPECT_EQ(
      with({{100, 2, 1, 10}}),
      "ACTA: the algorithm chose 2 slots of 100 elements of 1 bytes; a tile must be a multiple of 16 bytes");
  EXPECT_EQ(with({{65'536, 2, 1, 1}}),
            "ACTA: the algorithm chose queues of 131072 bytes of shared memory; a block has 65536");
  EXPECT_EQ(with({}), "ACTA: the algorithm sized 0 of 1 queues");
  EXPECT_EQ(refusal([] { Acta(round_gpu(), nullptr); }), "ACTA: no algorithm was given");
}

}  // namespace
}  // namespace warplab::acta
