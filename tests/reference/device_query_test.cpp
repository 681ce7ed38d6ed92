// The oracle of the device query, on devices whose figures can be checked by hand or in a data sheet.
#include "reference/device_query.hpp"

#include <gtest/gtest.h>

namespace warplab::reference {
namespace {

/// As an H100 80GB HBM3 describes itself, in part.
DeviceFacts h100() {
  DeviceFacts d;
  d.name = "H100";
  d.compute_major = 9;
  d.compute_minor = 0;
  d.clock_khz = 1980000;
  d.memory_clock_khz = 2619000;
  d.memory_bus_bits = 5120;
  d.multiprocessors = 132;
  d.max_threads_per_multiprocessor = 2048;
  d.constant_memory_bytes = 65536;
  d.shared_memory_per_block_bytes = 49152;
  d.l2_cache_bytes = 52428800;
  return d;
}

TEST(DeviceQueryReference, FiguresOfAnH100AreThoseOfItsDataSheet) {
  const DeviceFigures f = device_figures(h100());
  EXPECT_EQ(f.cores_per_multiprocessor, 128);
  EXPECT_EQ(f.cores, 16896);
  EXPECT_EQ(f.tensor_core_generation, 4);
  EXPECT_DOUBLE_EQ(f.bandwidth_gb_per_s, 3352.32);  // 2 * 2.619e9 * 640 bytes
  EXPECT_DOUBLE_EQ(f.fp32_gflop_per_s, 66908.16);   // 2 * 16896 * 1.98e9
  EXPECT_EQ(f.constant_memory_kib, 64);
  EXPECT_EQ(f.shared_memory_per_block_kib, 48);
  EXPECT_EQ(f.l2_cache_mib, 50);
  EXPECT_EQ(f.resident_threads, 270336);
}

TEST(DeviceQueryReference, MemoryIsInPowersOfTwo) {
  DeviceFacts d;
  d.global_memory_bytes = 3 * (std::int64_t{1} << 29);
  EXPECT_EQ(device_figures(d).global_memory_gib, 1.5);
}

TEST(DeviceQueryReference, WhatIsMissingLeavesItsFiguresUnknown) {
  DeviceFacts d = h100();
  d.memory_clock_khz = -1;
  d.clock_khz = 0;
  DeviceFigures f = device_figures(d);
  EXPECT_EQ(f.bandwidth_gb_per_s, -1);
  EXPECT_EQ(f.memory_clock_mhz, -1);
  EXPECT_EQ(f.fp32_gflop_per_s, -1);
  EXPECT_EQ(f.cores, 16896);
  d.compute_minor = 7;  // no such architecture
  f = device_figures(d);
  EXPECT_EQ(f.cores_per_multiprocessor, -1);
  EXPECT_EQ(f.cores, -1);
  EXPECT_EQ(f.tensor_core_generation, -1);
  EXPECT_EQ(device_figures({}).resident_threads, -1);
}

TEST(DeviceQueryReference, CoresAndTensorCoresFollowTheArchitecture) {
  const auto figures = [](int major, int minor) {
    DeviceFacts d;
    d.compute_major = major;
    d.compute_minor = minor;
    return device_figures(d);
  };
  EXPECT_EQ(figures(5, 2).cores_per_multiprocessor, 128);
  EXPECT_EQ(figures(5, 2).tensor_core_generation, 0);
  EXPECT_EQ(figures(6, 0).cores_per_multiprocessor, 64);
  EXPECT_EQ(figures(7, 0).cores_per_multiprocessor, 64);
  EXPECT_EQ(figures(7, 0).tensor_core_generation, 1);
  EXPECT_EQ(figures(7, 5).tensor_core_generation, 2);
  EXPECT_EQ(figures(8, 0).cores_per_multiprocessor, 64);
  EXPECT_EQ(figures(8, 6).cores_per_multiprocessor, 128);
  EXPECT_EQ(figures(8, 6).tensor_core_generation, 3);
  EXPECT_EQ(figures(8, 9).tensor_core_generation, 4);
  EXPECT_EQ(figures(12, 0).tensor_core_generation, 5);
}

TEST(DeviceQueryReference, TheTableHasAColumnForEachDeviceAndCutsWhatIsTooLong) {
  DeviceFacts long_name = h100();
  long_name.name = "a name of more than sixteen letters";
  const std::vector<DeviceFacts> devices{h100(), long_name};
  const std::string table =
      device_table(devices, {device_figures(devices[0]), device_figures(devices[1])}, 24, 16);
  EXPECT_EQ(table.size(), 17u * (24 + 2 * 16 + 1));
  EXPECT_EQ(table.substr(0, 57), "Device                  H100            a name of more  \n");
  EXPECT_EQ(table.substr(57, 57), "Multiprocessors         132             132             \n");
  EXPECT_EQ(table.substr(2 * 57, 57), "Global memory           not known       not known       \n");
  EXPECT_EQ(table.substr(3 * 57, 57), "Constant memory         64 KiB          64 KiB          \n");
}

TEST(DeviceQueryReference, ATableOfNoDevicesHasItsLabels) {
  const std::string table = device_table({}, {}, 24, 16);
  EXPECT_EQ(table.size(), 17u * 25);
  EXPECT_EQ(table.substr(0, 25), "Device                  \n");
}

}  // namespace
}  // namespace warplab::reference
