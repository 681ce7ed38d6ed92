// What Nsight Compute prints becomes the lens's model. The pages are of three launches on an H200: a naive
// and a tiled transpose of 1024x1024 ints, and a kernel with atomics, divergence and more. Columns and
// instructions that nobody reads were taken out.
#include "lens/nvidia/nsight_csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <stdexcept>

#include "tests/common/scratch_folder.hpp"

namespace warplab::lens {
namespace {

std::string page(const std::string& name) {
  return content_of(WARPLAB_SOURCE_DIR "/tests/lens_report/data/" + name);
}

std::vector<Launch> launches_of_one_call(const std::string& raw, const std::string& source) {
  return launches_by_call(raw, source, 1).at(0);
}

std::vector<Launch> recorded() {
  return launches_of_one_call(page("nsight_raw.csv"), page("nsight_source.csv"));
}

const Line& line_of(const Launch& launch, int number) {
  const auto found = std::find_if(launch.lines.begin(), launch.lines.end(), [&](const Line& line) {
    return line.line == number && line.file == "probe.cu";
  });
  if (found == launch.lines.end()) throw std::out_of_range("no line " + std::to_string(number));
  return *found;
}

TEST(NsightCsv, KnowsEachLaunchAndItsShape) {
  const std::vector<Launch> launches = recorded();
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].kernel, "transpose_naive<int>");
  EXPECT_EQ(launches[1].kernel, "transpose_tiled");
  EXPECT_EQ(launches[2].kernel, "mixed");
  EXPECT_EQ(launches[1].grid, (std::array<unsigned, 3>{32, 32, 1}));
  EXPECT_EQ(launches[2].block, (std::array<unsigned, 3>{256, 1, 1}));
  EXPECT_EQ(launches[1].static_shared_bytes, 4096u);
  EXPECT_EQ(launches[2].dynamic_shared_bytes, 256u);
  EXPECT_EQ(launches[0].source, Source::nsight_compute);
  EXPECT_TRUE(launches[0].recorded());
  EXPECT_FALSE(launches[0].scaled());
}

TEST(NsightCsv, CountsGlobalMemoryByLine) {
  const Launch naive = recorded()[0];
  EXPECT_EQ(naive.counts.global_load.requests, 32768u);
  EXPECT_EQ(naive.counts.global_load.sectors, 131072u);
  EXPECT_EQ(naive.counts.global_store.sectors, 1048576u);
  EXPECT_EQ(naive.counts.global_store.ideal_sectors, 131072u);
  EXPECT_EQ(naive.counts.global_store.lanes, 1048576u);
  EXPECT_EQ(naive.counts.global_store.bytes, 4194304u);
  EXPECT_EQ(line_of(naive, 7).counts.global_store.sectors, 1048576u);
  EXPECT_EQ(line_of(naive, 7).counts.global_load.sectors, 0u);
  EXPECT_EQ(line_of(naive, 8).counts.global_load.sectors, 131072u);
}

TEST(NsightCsv, CountsSharedMemoryAndBarriersByLine) {
  const Launch tiled = recorded()[1];
  EXPECT_EQ(tiled.counts.shared_load.wavefronts + tiled.counts.shared_store.wavefronts, 1081344u);
  EXPECT_EQ(tiled.counts.shared_load.ideal_wavefronts + tiled.counts.shared_store.ideal_wavefronts, 65536u);
  EXPECT_EQ(line_of(tiled, 13).counts.shared_store.wavefronts, 32768u);
  EXPECT_EQ(line_of(tiled, 16).counts.shared_load.bank_conflicts(), 1015808u);
  EXPECT_EQ(line_of(tiled, 14).counts.barriers, 32768u);
}

TEST(NsightCsv, CountsAtomicsAndDivergence) {
  const Launch mixed = recorded()[2];
  EXPECT_EQ(mixed.counts.global_atomics.requests, 10240u);
  EXPECT_EQ(mixed.counts.global_atomics.sectors, 16384u);
  EXPECT_EQ(mixed.counts.shared_atomics.requests, 8192u);
  EXPECT_EQ(mixed.counts.branches.divergent, 8192u);
  EXPECT_EQ(mixed.counts.global_load.requests, 270336u);
  EXPECT_FALSE(mixed.note.empty()) << "a line's requests include predicated-off warps";
}

TEST(NsightCsv, TakesTheOccupancyAndItsLimit) {
  const std::vector<Launch> launches = recorded();
  EXPECT_EQ(launches[0].occupancy.theoretical, 1.0);
  EXPECT_EQ(launches[0].occupancy.blocks_per_multiprocessor, 2);
  EXPECT_EQ(launches[0].occupancy.limited_by, "threads");
  EXPECT_EQ(launches[2].occupancy.theoretical, 0.625);
  EXPECT_EQ(launches[2].occupancy.limited_by, "registers");
}

TEST(NsightCsv, TakesRatesThatTheReportHas) {
  const std::vector<Launch> launches = recorded();
  EXPECT_GT(launches[0].rates.at("registers_per_thread"), 0);
  // Of 131,072 + 1,048,576 sectors 262,144 would do; of 1,081,344 wavefronts 65,536.
  EXPECT_NEAR(launches[0].rates.at("excess_sectors_percent"), 77.78, 0.01);
  EXPECT_NEAR(launches[1].rates.at("excess_wavefronts_percent"), 93.94, 0.01);
  EXPECT_GT(launches[0].rates.at("waves_per_sm"), 0);
  EXPECT_GT(launches[0].rates.at("shared_kb"), 0) << "a driver takes 1 kB of each block";
  EXPECT_EQ(launches[0].rates.at("excess_sectors_count"), 131072 + 1048576 - 262144);
  EXPECT_FALSE(launches[0].rates.contains("l2_hit_percent")) << "this report was made without that section";
}

/// A raw page of one launch with these metrics.
std::string raw_page(const std::vector<std::pair<std::string, std::string>>& metrics) {
  std::string names = R"("ID","Kernel Name","Block Size","Grid Size")", units = R"("","","","")",
              values = R"csv("0","void k(int)","(32, 1, 1)","(1, 1, 1)")csv";
  for (const auto& [name, value] : metrics) {
    names += ",\"" + name + '"';
    units += ",\"\"";
    values += ",\"" + value + '"';
  }
  return names + "\n" + units + "\n" + values + "\n";
}

TEST(NsightCsv, TakesTheClockFromCyclesAndTime) {
  const auto rates = [](const std::vector<std::pair<std::string, std::string>>& metrics) {
    return launches_of_one_call(raw_page(metrics), "").at(0).rates;
  };
  const auto both =
      rates({{"gpc__cycles_elapsed.max", "1,755,000"}, {"gpu__time_duration.sum", "1,000,000"}});
  EXPECT_DOUBLE_EQ(both.at("clock_ghz"), 1.755);
  EXPECT_DOUBLE_EQ(both.at("duration_s"), 1e-3);
  EXPECT_FALSE(rates({{"gpu__time_duration.sum", "1,000,000"}}).contains("clock_ghz"));
  EXPECT_FALSE(
      rates({{"gpc__cycles_elapsed.max", "7"}, {"gpu__time_duration.sum", "0"}}).contains("clock_ghz"));
}

TEST(NsightCsv, TakesTheCompressionOfTheSecondCacheByEitherName) {
  for (const char* name :
       {"lts__average_gcomp_input_sector_success_rate.pct", "lrc__average_ilc_input_sector_success_rate.pct"})
    EXPECT_EQ(launches_of_one_call(raw_page({{name, "12.5"}}), "").at(0).rates.at("l2_compression_percent"),
              12.5)
        << name;
}

TEST(NsightCsv, WithoutSourceLinesThereAreTotalsAndAReason) {
  const Launch naive = launches_of_one_call(page("nsight_raw.csv"), "")[0];
  EXPECT_EQ(naive.counts.global_store.sectors, 1048576u);
  EXPECT_TRUE(naive.lines.empty());
  EXPECT_NE(naive.not_measured.at("shared_load").find("-lineinfo"), std::string::npos);
}

TEST(NsightCsv, AKernelWithoutLinesMayStandBetweenOthers) {
  std::string raw = page("nsight_raw.csv");
  raw.insert(raw.find("\"1\",\"535\""), R"csv("9","535","probe","127.0.0.1","library_kernel(int)")csv"
                                        "\n");
  const std::vector<Launch> launches = launches_of_one_call(raw, page("nsight_source.csv"));
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[1].kernel, "library_kernel");
  EXPECT_TRUE(launches[1].lines.empty());
  EXPECT_FALSE(launches[1].not_measured.at("branches").empty());
  EXPECT_EQ(line_of(launches[0], 7).counts.global_store.sectors, 1048576u);
  EXPECT_EQ(line_of(launches[2], 14).counts.barriers, 32768u);
}

/// The raw page of launches of these kernels.
std::string raw_page_of(const std::vector<std::string>& kernels) {
  std::string raw = "\"ID\",\"Kernel Name\"\n\"\",\"\"\n";
  for (const std::string& kernel : kernels) raw += "\"0\",\"" + kernel + "\"\n";
  return raw;
}

/// A section of the source page, with barriers on line 7.
std::string section_of(const std::string& file, const std::string& kernel, const std::string& address,
                       int barriers) {
  const std::string count = std::to_string(barriers);
  return "\"File Path\",\"" + file + "\"\n\"Function Name\",\"" + kernel +
         "\"\n\"Line No\",\"Source\",\"Address\",\"Source\",\"Instructions Executed\"\n" +
         "\"7\",\"__syncthreads();\",\"-\",\"-\",\"" + count + "\"\n\"\",\"\",\"" + address +
         "\",\"BAR.SYNC 0\",\"" + count + "\"\n";
}

TEST(NsightCsv, KnowsAKernelThatThePagesWriteInTwoWays) {
  const std::vector<Launch> launches = launches_of_one_call(
      raw_page_of({"library(int)", "void tiled<1, a::Row<20>, 0>(const Element *, int)", "library(int)"}),
      section_of("tiled.cu",
                 "void b::tiled<(a::Border)1, c::a::Row<(int)20>, (bool)0>(const T2::Element *, int)", "0x10",
                 8));
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[1].counts.barriers, 8u);
  EXPECT_TRUE(launches[0].lines.empty() && launches[2].lines.empty());
}

TEST(NsightCsv, WhatAKernelLaunchedIsCountedWithIt) {
  const std::string launch = section_of("in_place.hpp", "void base(int *)", "0x30", 1) +
                             section_of("in_place.hpp", "void sort(int *)", "0x40", 2) +
                             section_of("order.hpp", "void base(int *)", "0x50", 4) +
                             section_of("order.hpp", "void sort(int *)", "0x40", 2);  // inlined: counted once
  const std::vector<Launch> launches = launches_of_one_call(
      raw_page_of({"void sort(int *)", "library(int)", "void sort(int *)", "void base(int *)"}),
      launch + launch + section_of("in_place.hpp", "void base(int *)", "0x30", 16));
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[0].counts.barriers, 7u);
  EXPECT_EQ(launches[0].lines.size(), 2u);
  EXPECT_TRUE(launches[1].lines.empty());
  EXPECT_EQ(launches[2].counts.barriers, 7u);
  EXPECT_EQ(launches[3].counts.barriers, 16u);
}

TEST(NsightCsv, AKernelEndsWhereTheNextOnesLinesBegin) {
  const std::vector<Launch> launches = launches_of_one_call(
      raw_page_of({"first<1>(int)", "first<2>(int)", "library(int)", "second(int)"}),
      section_of("a.cu", "first<(int)1>(int)", "0x10", 1) +
          section_of("a.cu", "first<(int)2>(int)", "0x10", 2) + section_of("b.cu", "second(int)", "0x10", 4) +
          section_of("c.cu", "second(int)", "0x20", 8));
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[0].counts.barriers, 1u);
  EXPECT_EQ(launches[1].counts.barriers, 2u);
  EXPECT_TRUE(launches[2].lines.empty());
  EXPECT_EQ(launches[3].counts.barriers, 12u);
}

TEST(NsightCsv, LaunchesAreOfTheCallsWhoseRangesTheyWereIn) {
  const std::string column = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";
  std::string raw = "\"ID\",\"Kernel Name\",\"" + column + "\"\n\"\",\"\",\"\"\n";
  for (const char* row : {"a|0", "b|10", "c|1", "d|", "e|10"}) {
    const std::string name(row, 1), call(row + 2);
    raw += "\"0\",\"" + name + "(int)\",\"";
    if (!call.empty()) raw += "1  \"\"<default domain>:warplab call " + call + ":none:none\"\" ";
    raw += "\"\n";
  }
  const std::vector<std::vector<Launch>> calls = launches_by_call(raw, "", 11);
  ASSERT_EQ(calls.size(), 11u);
  ASSERT_EQ(calls[10].size(), 2u);
  EXPECT_EQ(calls[0].at(0).kernel + calls[1].at(0).kernel, "ac");
  EXPECT_EQ(calls[10][0].kernel + calls[10][1].kernel, "be");
  EXPECT_TRUE(calls[2].empty());
  EXPECT_EQ(launches_by_call(raw, "", 1).at(0).size(), 1u);
}

TEST(NsightCsv, AReportWithoutRangesIsOfItsOnlyCall) {
  const std::string raw = page("nsight_raw.csv"), source = page("nsight_source.csv");
  EXPECT_EQ(launches_by_call(raw, source, 1).at(0).size(), 3u);
  EXPECT_TRUE(launches_by_call(raw, source, 2).empty());
}

/// What a report says of a launch of which it has one metric.
Launch with(const std::string& metric, const std::string& value) {
  return launches_of_one_call("\"ID\",\"Kernel Name\",\"" + metric +
                                  "\"\n\"\",\"\",\"\"\n\"0\",\"k(int *)\",\"" + value + "\"\n",
                              "")
      .at(0);
}

// A report may be edited by hand, and a metric may be one that was not measured.
TEST(NsightCsv, ACountIsFiniteAndNotNegative) {
  const auto stored = [](const std::string& sectors) {
    return with("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sectors).counts.global_store.sectors;
  };
  EXPECT_EQ(stored("1,234.5"), 1234u);
  EXPECT_EQ(stored("18446744073709549568"), 18446744073709549568u);
  for (const char* number :
       {"nan", "-nan(ind)", "inf", "-inf", "-5", "1e300", "18446744073709551616", "-", ""})
    EXPECT_EQ(stored(number), 0u) << number;
}

TEST(NsightCsv, ALimitOfBlocksIsAnInt) {
  const auto limit = [](const std::string& blocks) {
    return with("launch__occupancy_limit_blocks", blocks).occupancy.blocks_per_multiprocessor;
  };
  EXPECT_EQ(limit("32"), 32);
  EXPECT_EQ(limit("1e18"), INT_MAX);
  EXPECT_EQ(limit("3.2e29"), 0);
  EXPECT_EQ(limit("-5"), 0);
}

TEST(NsightCsv, RefusesWhatIsNoReport) {
  EXPECT_THROW(launches_of_one_call("", ""), std::runtime_error);
  EXPECT_THROW(launches_of_one_call("==ERROR== ERR_NVGPUCTRPERM\n", ""), std::runtime_error);
  EXPECT_THROW(launches_of_one_call("\"a\",\"b\"\n\"c\",\"d\"\n", ""), std::runtime_error);
  const std::string source = page("nsight_source.csv");
  EXPECT_THROW(launches_of_one_call(page("nsight_raw.csv"), source.substr(0, source.find("transpose_tiled"))),
               std::runtime_error);
}

}  // namespace
}  // namespace warplab::lens
