#include "lens/patterns/bank_schedule.hpp"

#include <gtest/gtest.h>

#include "tests/lens_report/sample_launches.hpp"

namespace {

using namespace warplab::lens;
using test::request;

constexpr RequestKind of_shared = RequestKind::shared_load;

TEST(BankSchedule, ServesARowAtOnce) {
  const BankSchedule s = schedule_banks(request(of_shared, 4, 1, 1, [](unsigned lane) { return 4 * lane; }));
  EXPECT_EQ(s.wavefronts, 1u);
  ASSERT_EQ(s.services.size(), 32u);
  for (const BankService& service : s.services) {
    EXPECT_EQ(service.lanes, std::vector<unsigned>{service.bank});
    EXPECT_FALSE(service.waited);
  }
}

TEST(BankSchedule, ServesAColumnOneLaneAfterAnother) {
  const BankSchedule s =
      schedule_banks(request(of_shared, 4, 32, 1, [](unsigned lane) { return 128 * lane; }));
  EXPECT_EQ(s.wavefronts, 32u);
  for (const BankService& service : s.services) {
    EXPECT_EQ(service.bank, 0u);
    EXPECT_EQ(service.lanes, std::vector<unsigned>{service.wavefront});
    EXPECT_EQ(service.waited, service.wavefront > 0);
  }
}

TEST(BankSchedule, GivesAWordToAllWhoWantIt) {
  const BankSchedule s = schedule_banks(request(of_shared, 4, 1, 1, [](unsigned) { return 64; }));
  ASSERT_EQ(s.services.size(), 1u);
  EXPECT_EQ(s.services[0].lanes.size(), 32u);
  EXPECT_EQ(s.services[0].bank, 16u);
  const BankSchedule bytes = schedule_banks(request(of_shared, 1, 1, 1, [](unsigned lane) { return lane; }));
  EXPECT_EQ(bytes.services.size(), 8u);
  EXPECT_EQ(bytes.wavefronts, 1u);
}

TEST(BankSchedule, TakesWideAccessesInHalvesAndQuarters) {
  const BankSchedule halves =
      schedule_banks(request(of_shared, 8, 2, 2, [](unsigned lane) { return 8 * lane; }));
  EXPECT_EQ(halves.wavefronts, 2u);
  const BankSchedule quarters =
      schedule_banks(request(of_shared, 16, 4, 4, [](unsigned lane) { return 16 * lane; }));
  EXPECT_EQ(quarters.wavefronts, 4u);
  ASSERT_EQ(quarters.services.size(), 128u);
  for (const BankService& service : quarters.services) {
    EXPECT_EQ(service.wavefront, service.lanes[0] / 8);
    EXPECT_FALSE(service.waited);
  }
}

TEST(BankSchedule, JoinsPartsWhereTheCostSaysSo) {
  const auto same = [](unsigned) { return 32; };
  EXPECT_EQ(schedule_banks(request(of_shared, 8, 1, 1, same)).wavefronts, 1u);
  EXPECT_EQ(schedule_banks(request(RequestKind::shared_store, 8, 2, 2, same)).wavefronts, 2u);
  EXPECT_EQ(schedule_banks(request(of_shared, 16, 2, 2, same)).wavefronts, 2u);
}

TEST(BankSchedule, LeavesOutLanesThatTookNoPart) {
  const BankSchedule s = schedule_banks(request(
      of_shared, 8, 1, 1, [](unsigned lane) { return 8 * lane; }, 0xFFu));
  EXPECT_EQ(s.wavefronts, 1u);
  EXPECT_EQ(s.services.size(), 16u);
  EXPECT_EQ(schedule_banks(request(
                               of_shared, 4, 0, 0, [](unsigned) { return 0; }, 0))
                .wavefronts,
            0u);
}

}  // namespace
