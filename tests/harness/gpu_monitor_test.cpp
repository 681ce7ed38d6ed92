// The GPU's state while something runs, from a library that plays NVIDIA's.
#include "harness/program/gpu_monitor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace warplab {
namespace {

constexpr const char* slows_down = "0000:0f:00.0";
constexpr const char* has_a_clock_only = "0000:10:00.0";

TEST(GpuMonitor, AsksWhileTheWorkRunsAndAtItsEnd) {
  GpuMonitor monitor(slows_down, WARPLAB_FAKE_NVML);
  bool ran = false;
  const auto state = monitor.watch([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ran = true;
  });
  EXPECT_TRUE(ran);
  ASSERT_TRUE(state);
  EXPECT_GE(state->sm_clock_mhz.samples, 3u);
  EXPECT_EQ(state->sm_clock_mhz.median, 1500) << "the first answer is 1980 MHz, all others are 1500";
  EXPECT_EQ(state->sm_clock_mhz.max, 1980);
  EXPECT_EQ(state->power_w, 412.5);
  EXPECT_EQ(state->temperature_c, 61);
}

TEST(GpuMonitor, HasTheClockOfWorkThatEndsAtOnce) {
  const auto state = GpuMonitor(has_a_clock_only, WARPLAB_FAKE_NVML).watch([] {});
  ASSERT_TRUE(state);
  EXPECT_EQ(state->sm_clock_mhz.median, 1980);
  EXPECT_FALSE(state->power_w);
  EXPECT_FALSE(state->temperature_c);
}

TEST(GpuMonitor, RunsTheWorkWithoutFiguresWhereThereIsNoLibraryOrNoSuchDevice) {
  int calls = 0;
  const auto work = [&] { ++calls; };
  EXPECT_FALSE(GpuMonitor(slows_down, "libthat-is-not-there.so.1").watch(work));
  EXPECT_FALSE(GpuMonitor("0000:ff:00.0", WARPLAB_FAKE_NVML).watch(work));
  EXPECT_FALSE(GpuMonitor(slows_down, "libm.so.6").watch(work)) << "a library without NVML's functions";
  EXPECT_EQ(calls, 3);
}

TEST(GpuMonitor, LetsOutWhatTheWorkThrows) {
  GpuMonitor monitor(has_a_clock_only, WARPLAB_FAKE_NVML);
  EXPECT_THROW(monitor.watch([] { throw std::runtime_error("it failed"); }), std::runtime_error);
}

}  // namespace
}  // namespace warplab
