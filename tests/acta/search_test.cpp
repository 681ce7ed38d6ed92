#include "acta/search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "../common/scratch_folder.hpp"
#include "acta/kernels.hpp"
#include "acta/regret.hpp"

namespace warplab::acta {
namespace {

const SearchSpace two_queues = {{64, 128, 256}, {1, 2}, 2};

/// Least for 128 x 2 in both queues.
double bowl(const Choices& choices) {
  double time = 1;
  for (const Choice& choice : choices)
    time += std::abs(std::log2(static_cast<double>(choice.tile)) - 7) + (2 - choice.slots);
  return time;
}

TEST(Search, TriesEveryCombinationOnce) {
  int calls = 0;
  const SearchTable table = search_exhaustively(two_queues, [&](const Choices& choices) {
    ++calls;
    return bowl(choices);
  });
  EXPECT_EQ(calls, 36);
  EXPECT_EQ(table.size(), 36u);
  EXPECT_EQ(best(table).first, (Choices{{128, 2}, {128, 2}}));
  EXPECT_DOUBLE_EQ(best(table).second, 1);
}

TEST(Search, GoesOnAfterAnInterruption) {
  const ScratchFolder folder;
  const SearchOptions options = {.file = folder / "table.csv", .about = "a bowl", .save_every = 5};
  int calls = 0;
  const Cost fails_at_18 = [&](const Choices& choices) {
    if (++calls == 18) throw std::runtime_error("interrupted");
    return bowl(choices);
  };
  EXPECT_THROW(search_exhaustively(two_queues, fails_at_18, options), std::runtime_error);
  EXPECT_EQ(read_search_table(folder / "table.csv", "a bowl").size(), 15u);
  calls = 100;
  const SearchTable table = search_exhaustively(two_queues, fails_at_18, options);
  EXPECT_EQ(calls, 100 + 36 - 15);
  EXPECT_EQ(table, search_exhaustively(two_queues, bowl));
  EXPECT_EQ(table, read_search_table(folder / "table.csv", "a bowl"));
}

TEST(Search, KeepsConfigurationsThatCannotRunInItsTable) {
  const ScratchFolder folder;
  const SearchTable table = {{{{64, 1}}, 0.1}, {{{64, 2}}, std::numeric_limits<double>::infinity()}};
  folder.write("table.csv", to_csv(table, "x"));
  EXPECT_EQ(content_of(folder / "table.csv"), "# x\ntile_0,slots_0,time\n64,1,0.1\n64,2,inf\n");
  EXPECT_EQ(read_search_table(folder / "table.csv", "x"), table);
  EXPECT_EQ(message_of<std::invalid_argument>([] {
              best({{{{64, 2}}, std::numeric_limits<double>::infinity()}});
            }),
            "no configuration of the search's table can run");
}

TEST(Search, RefusesTablesThatAreNotItsOwn) {
  const ScratchFolder folder;
  const std::string path = (folder / "table.csv").string();
  folder.write("table.csv", "# dot on x\ntile_0,slots_0,time\n64,1,2\n64,2\n");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { read_search_table(path, "dot on y"); }),
            path + " begins with '# dot on x'; a table of this search begins with '# dot on y'");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { read_search_table(path, "dot on x"); }),
            path + ":4: '64,2' is not tile,slots,...,time");
}

TEST(Search, RefusesMoreCombinationsThanTheLimit) {
  EXPECT_EQ(message_of<std::invalid_argument>(
                [] { search_exhaustively(kernel_named("matrix_vector").published, bowl); }),
            "262144000000000 combinations are too many to try; the limit is 1e+06");
}

TEST(Search, OfEquallyFastTheSmallestIsBest) {
  EXPECT_EQ(best({{{{128, 2}}, 1.0}, {{{64, 3}}, 1.0}, {{{256, 1}}, 2.0}}).first, (Choices{{64, 3}}));
}

TEST(Search, DescendsToTheBestOfAManyQueuesOneAtATime) {
  const SearchSpace space = {{64, 128, 256}, {1, 2}, 9};
  const SearchTable table = descend(space, Choices(9, {64, 1}), bowl);
  EXPECT_EQ(best(table).first, Choices(9, {128, 2}));
  EXPECT_LT(table.size(), 9u * 6 * 2);
}

TEST(Kernels, HaveTheCombinationsOfTableOne) {
  std::vector<std::string> combinations;
  for (const Kernel& kernel : kernels()) combinations.push_back(kernel.published.combinations_text());
  EXPECT_EQ(combinations,
            (std::vector<std::string>{"25", "625", "625", "625", "262144000000000", "262144000000000"}));
  EXPECT_NEAR(kernels().back().published.combinations(), 2.6e14, 0.03e14);
  EXPECT_EQ((SearchSpace{{64, 128}, {1, 2, 3, 4, 5}, 20}).combinations_text(), "1.0e+20");
}

TEST(Kernels, HaveThePapersResults) {
  ASSERT_EQ(published_results().size(), kernels().size());
  int within_a_percent = 0;
  for (std::size_t k = 0; k < kernels().size(); ++k) {
    EXPECT_EQ(published_results()[k].kernel, kernels()[k].name);
    within_a_percent += published_results()[k].max_regret == 0.01;
  }
  EXPECT_EQ(within_a_percent, 4);
  EXPECT_EQ(published_versions().size(), 6u);
  EXPECT_EQ(published_versions()[3].tiles.back(), 256u);
}

TEST(Kernels, ChoicesAndSizesAreEachOthersReverse) {
  const Workload workload = kernel_named("matrix_vector").on(132);
  const Choices choices = {{512, 4}, {2048, 1}};
  const std::vector<QueueSize> sizes = sizes_of(workload, choices);
  ASSERT_EQ(sizes.size(), 9u);
  EXPECT_EQ(sizes[7], (QueueSize{512, 4, 4, 4}));
  EXPECT_EQ(sizes[8], (QueueSize{2048, 1, 4, 1}));
  EXPECT_EQ(choices_of(workload, sizes), choices);
}

TEST(Kernels, AreNamedWhereOneIsUnknown) {
  EXPECT_EQ(message_of<std::invalid_argument>([] { kernel_named("dot"); }),
            "unknown kernel 'dot'; known kernels: elementwise_k, elementwise, sumvectors, dot_product, "
            "matrix_vector, matrix_matrix");
}

TEST(Regret, IsTheTimeLostAgainstTheBest) {
  const SearchTable table = {{{{64, 1}}, 12.0}, {{{64, 2}}, 10.0}};
  EXPECT_DOUBLE_EQ(regret(table, {{64, 1}}), 0.2);
  EXPECT_DOUBLE_EQ(regret(table, {{64, 2}}), 0);
  EXPECT_EQ(message_of<std::invalid_argument>([&] {
              regret(table, {{64, 4}});
            }),
            "the search's table does not have the configuration 4 slots of 64");
}

TEST(Regret, MeanIsGeometric) {
  EXPECT_DOUBLE_EQ(mean_regret(std::array{0.0, 0.21}), 0.1);
  EXPECT_THROW(mean_regret({}), std::invalid_argument);
}

}  // namespace
}  // namespace warplab::acta
