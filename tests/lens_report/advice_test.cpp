#include "lens/text/advice.hpp"

#include <gtest/gtest.h>

#include "lens/occupancy.hpp"
#include "tests/lens_report/sample_launches.hpp"

namespace {

using namespace warplab::lens;
using test::request;

/// A line with 100 requests like this one.
Line line_of(const RequestSample& sample) {
  Line line;
  line.samples = {sample};
  const std::uint64_t cost = 100 * sample.cost, ideal = 100 * sample.ideal;
  Counts& c = line.counts;
  switch (sample.kind) {
    case RequestKind::global_load:
      c.global_load = {100, cost, ideal, 3200, 3200 * sample.bytes};
      break;
    case RequestKind::global_store:
      c.global_store = {100, cost, ideal, 3200, 3200 * sample.bytes};
      break;
    case RequestKind::shared_load:
      c.shared_load = {100, cost, ideal, 3200, 3200 * sample.bytes};
      break;
    case RequestKind::shared_store:
      c.shared_store = {100, cost, ideal, 3200, 3200 * sample.bytes};
      break;
  }
  return line;
}

std::string advice_on(RequestKind kind, unsigned bytes, unsigned cost, unsigned ideal,
                      const std::function<std::uint64_t(unsigned)>& address) {
  return advice(line_of(request(kind, bytes, cost, ideal, address)));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr RequestKind load = RequestKind::global_load, store = RequestKind::global_store;
constexpr RequestKind shared = RequestKind::shared_load;

TEST(Advice, SaysNothingWhereAllIsWell) {
  EXPECT_EQ(advice_on(load, 4, 4, 4, [](unsigned i) { return 4 * i; }), "");
  EXPECT_EQ(advice_on(shared, 4, 1, 1, [](unsigned i) { return 4 * i; }), "");
  EXPECT_EQ(advice(Line{}), "");
}

TEST(Advice, KnowsAStride) {
  const std::string text = advice_on(store, 4, 32, 4, [](unsigned i) { return 4096 * i; });
  EXPECT_TRUE(has(text, "4,096 bytes apart")) << text;
  EXPECT_TRUE(has(text, "threadIdx.x")) << text;
}

TEST(Advice, KnowsAnArrayOfStructures) {
  const std::string text = advice_on(load, 4, 12, 4, [](unsigned i) { return 12 * i; });
  EXPECT_TRUE(has(text, "12 bytes apart")) << text;
  EXPECT_TRUE(has(text, "structure of arrays")) << text;
}

TEST(Advice, KnowsAMisalignedRow) {
  const std::string text = advice_on(load, 4, 5, 4, [](unsigned i) { return 4 * i + 100; });
  EXPECT_TRUE(has(text, "4 bytes past the start of a sector")) << text;
}

TEST(Advice, KnowsANarrowBlock) {
  const std::string text = advice_on(load, 4, 16, 4, [](unsigned i) { return 4 * (i % 2) + 4096 * (i / 2); });
  EXPECT_TRUE(has(text, "16 rows with 2 lanes on each")) << text;
}

TEST(Advice, KnowsLanesWithGapsBetweenThem) {
  Line line = line_of(request(load, 4, 4, 2, [](unsigned i) { return 4 * i; }));
  for (auto& sample : line.samples) sample.mask = 0xAAAAAAAA;
  EXPECT_TRUE(has(advice(line), "16 of the warp's 32 lanes take part, with gaps between them"))
      << advice(line);
}

TEST(Advice, KnowsAScatteredAccess) {
  const std::string text = advice_on(load, 4, 31, 4, [](unsigned i) { return i * i * 400; });
  EXPECT_TRUE(has(text, "no regular order")) << text;
}

TEST(Advice, WorksWithoutASample) {
  Line line = line_of(request(load, 4, 32, 4, [](unsigned i) { return 4096 * i; }));
  line.samples.clear();
  EXPECT_TRUE(has(advice(line), "neighbouring")) << advice(line);
}

TEST(Advice, NamesTheBanksThatAStrideLeaves) {
  const std::string column = advice_on(shared, 4, 32, 1, [](unsigned i) { return 128 * i; });
  EXPECT_TRUE(has(column, "32 words apart, so all want the same one of the 32 banks")) << column;
  EXPECT_TRUE(has(column, "32 words become 33")) << column;
  const std::string pairs = advice_on(shared, 4, 2, 1, [](unsigned i) { return 8 * i; });
  EXPECT_TRUE(has(pairs, "share 16 of the 32 banks")) << pairs;
  const std::string doubles = advice_on(shared, 8, 4, 2, [](unsigned i) { return 16 * i; });
  EXPECT_TRUE(has(doubles, "4 words apart, so they share 16 of the 32 banks")) << doubles;
  const std::string scattered = advice_on(shared, 4, 5, 1, [](unsigned i) { return i * i * 4 % 640; });
  EXPECT_TRUE(has(scattered, "different words of the same bank")) << scattered;
}

TEST(Advice, KnowsConstantLocalAtomicAndDivergentLines) {
  Line line;
  line.counts.constant = {100, 3200};
  EXPECT_TRUE(has(advice(line), "Constant memory serves one word at a time"));
  line.counts = {};
  line.counts.local_load = {100, 400, 400, 3200, 12800};
  EXPECT_TRUE(has(advice(line), "local memory"));
  line.counts = {};
  line.counts.global_atomics = {100, 100, 3200, 100, 3200};
  EXPECT_TRUE(has(advice(line), "same address"));
  line.counts = {};
  line.counts.branches = {100, 50};
  EXPECT_TRUE(has(advice(line, "if (threadIdx.x % 2 == 0)"), "both branches run"));
  EXPECT_TRUE(has(advice(line, "for (int i = 0; i < n; ++i)"), "leave this loop"));
  Counts launch;
  launch.branches = {10'000, 50};
  EXPECT_EQ(advice(line, "if (threadIdx.x % 2 == 0)", &launch), "");
  line.counts.branches = {100, 5};  // the last warp of a grid, a guard
  EXPECT_EQ(advice(line, "if (i < n)"), "");
  line.counts.branches = {8, 1};  // the same of a very small array
  EXPECT_EQ(advice(line, "if (i < n)"), "");
  line.counts.branches = {8, 2};
  EXPECT_TRUE(has(advice(line, "if (i < n)"), "both branches run"));
}

TEST(Advice, SpeaksOfTheWorst) {
  Line line = line_of(request(shared, 4, 32, 1, [](unsigned i) { return 128 * i; }));
  line.counts.global_load = {100, 500, 400, 3200,
                             12800};  // 100 sectors are lost there, 3,100 wavefronts here
  EXPECT_TRUE(has(advice(line), "banks")) << advice(line);
}

TEST(Advice, TellsWhatKeepsAMultiprocessorEmpty) {
  EXPECT_EQ(advice(theoretical_occupancy({256, 1, 1}, 0), 0), "");
  const std::string memory = advice(theoretical_occupancy({256, 1, 1}, 102400), 102400);
  EXPECT_TRUE(has(memory, "Only 2 blocks fit")) << memory;
  EXPECT_TRUE(has(memory, "100.0 KiB of shared memory")) << memory;
  EXPECT_TRUE(has(advice(theoretical_occupancy({256, 1, 1}, 0, 128), 0), "registers"));
}

}  // namespace
