#include "harness/rung/device_info.hpp"

#include <gtest/gtest.h>

namespace warplab {
namespace {

DeviceInfo device_of(int major, int minor) {
  DeviceInfo device;
  device.compute_major = major;
  device.compute_minor = minor;
  return device;
}

std::string lacking(const Rung& rung, int major, int minor, DType dtype = DType::f32) {
  return what_is_lacking(rung, dtype, device_of(major, minor));
}

TEST(WhatIsLacking, IsNothingForARungThatNeedsNothing) { EXPECT_EQ(lacking({}, 7, 5), ""); }

TEST(WhatIsLacking, LaterDevicesRunWhatAnEarlierOneRuns) {
  Rung rung;
  rung.needs = "sm_80";
  EXPECT_EQ(lacking(rung, 7, 5), "needs sm_80 or later; this is sm_75");
  for (const auto& [major, minor] : {std::pair{8, 0}, {8, 9}, {9, 0}, {12, 0}})
    EXPECT_EQ(lacking(rung, major, minor), "") << major << "." << minor;
}

TEST(WhatIsLacking, CodeOfOneArchitectureRunsOnNoOther) {
  Rung rung;
  rung.needs = "sm_90a";
  EXPECT_EQ(lacking(rung, 9, 0), "");
  EXPECT_EQ(lacking(rung, 8, 9), "needs sm_90a; this is sm_89");
  EXPECT_EQ(lacking(rung, 10, 0), "needs sm_90a; this is sm_100");
}

TEST(WhatIsLacking, OneTypeMayNeedMoreThanTheOthers) {
  Rung rung;
  rung.needs_for = {{DType::bf16, "sm_80"}};
  EXPECT_EQ(lacking(rung, 7, 5, DType::f16), "");
  EXPECT_EQ(lacking(rung, 7, 5, DType::bf16), "needs sm_80 or later for bfloat16; this is sm_75");
  EXPECT_EQ(lacking(rung, 8, 0, DType::bf16), "");
}

TEST(WhatIsLacking, NamesTheEmulator) {
  Rung rung;
  rung.needs = "sm_90a";
  DeviceInfo device = device_of(8, 0);
  device.emulator = true;
  EXPECT_EQ(what_is_lacking(rung, DType::f32, device), "needs sm_90a; this is sm_80 on the emulator");
}

}  // namespace
}  // namespace warplab
