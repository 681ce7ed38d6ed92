// Lab 01: what its program prints, saves and compares, and what it says when something is wrong.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/host/bad_input.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/01_device_query/device_facts.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(WARPLAB_SOURCE_DIR) / "labs/01_device_query/devices";
const std::string program = std::string(WARPLAB_BINARY_DIR) + "/bin/device_query";

struct Outcome {
  int exit_code;
  std::string output;  // and errors
};

Outcome run(const std::string& arguments, const std::string& environment = "") {
  FILE* const pipe = popen((environment + " '" + program + "' " + arguments + " 2>&1").c_str(), "r");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// A file that is gone when the test ends.
struct TemporaryFile {
  fs::path path = fs::path(testing::TempDir()) / ("device_query_test_" + std::to_string(getpid()) + ".json");
  explicit TemporaryFile(const std::string& content = "") { std::ofstream(path) << content; }
  ~TemporaryFile() { fs::remove(path); }
};

TEST(DeviceQueryText, HasTheLayoutOfTheReport) {
  const std::vector<Device> devices = read_devices(shipped / "v100.json");
  ASSERT_EQ(devices.size(), 1u);
  const std::string text = device_text(devices[0], 0);
  const std::string expected =
      "--- General Information for device 0 ---\n"
      "Name: Tesla V100-PCIE-16GB\n"
      "Compute capability: 7.0\n"
      "Clock rate: 1380000\n"
      "--- Memory Information for device 0 ---\n"
      "Total global mem: 16914055168\n"
      "Total constant Mem: 65536\n"
      "--- MP Information for device 0 ---\n"
      "Multiprocessor count: 80\n"
      "Shared mem per mp: not known\n"  // the report prints here what a block may have
      "Registers per mp: 65536\n"
      "Threads in warp: 32\n"
      "Max threads per block: 1024\n"
      "Max thread dimensions: (1024, 1024, 64)\n"
      "Max grid dimensions: (2147483647, 65535, 65535)\n"
      "--- Further Information for device 0 ---\n"
      "Shared mem per block: 49152\n";
  EXPECT_EQ(text.substr(0, expected.size()), expected);
  EXPECT_NE(text.find("\nCUDA cores: 5120\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nTensor Cores: generation 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nTheoretical bandwidth: not known\n"), std::string::npos) << text;
}

TEST(DeviceQueryProgram, ComparesThePublishedDevicesWithoutADevice) {
  const Outcome outcome = run(
      "--compare '" + (shipped / "titan_x.json").string() + "' '" + (shipped / "v100.json").string() + "'",
      "WARPLAB_DEVICES=0 CUDA_VISIBLE_DEVICES=''");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  const std::string table_1 =
      "Device                  GeForce GTX TITAN X           Tesla V100-PCIE-16GB          \n"
      "Multiprocessors         24                            80                            \n"
      "Global memory           11.93 GiB                     15.75 GiB                     \n"
      "Constant memory         64 KiB                        64 KiB                        \n"
      "Shared memory per block 48 KiB                        48 KiB                        \n"
      "Threads per block       1024                          1024                          \n"
      "Block dimensions        (1024, 1024, 64)              (1024, 1024, 64)              \n"
      "Grid dimensions         (2147483647, 65535, 65535)    (2147483647, 65535, 65535)    \n";
  EXPECT_EQ(outcome.output.substr(0, table_1.size()), table_1);
}

TEST(DeviceQueryProgram, PrintsEveryDeviceThenTheRungs) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("--- General Information for device 0 ---\nName: "), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("\nThreads in warp: 32\n"), std::string::npos) << outcome.output;
  for (const char* rung : {"query", "derive", "compare"})
    EXPECT_NE(outcome.output.find(rung), std::string::npos) << rung << "\n" << outcome.output;
}

TEST(DeviceQueryProgram, ComparesWhatItHasSaved) {
  const TemporaryFile file;
  const Outcome saved = run("--save '" + file.path.string() + "'");
  ASSERT_EQ(saved.exit_code, 0) << saved.output;
  const std::vector<Device> devices = read_devices(file.path);
  ASSERT_EQ(devices.size(), static_cast<std::size_t>(device_count()));
  const Device here = ask_device(0);
  EXPECT_EQ(devices[0].facts.name, here.facts.name);
  EXPECT_EQ(devices[0].emulated, here.emulated);
  for (const FactName& fact : fact_names)
    EXPECT_EQ(devices[0].facts.*fact.member, here.facts.*fact.member) << fact.key;
  const Outcome compared = run("--compare '" + file.path.string() + "'");
  EXPECT_EQ(compared.exit_code, 0) << compared.output;
  EXPECT_NE(compared.output.find(here.facts.name), std::string::npos) << compared.output;
}

TEST(DeviceQueryProgram, SaysInOneSentenceThatThereIsNoDevice) {
  const Outcome outcome = run("", "WARPLAB_DEVICES=0 CUDA_VISIBLE_DEVICES=''");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.output.find("device_query: there is no CUDA device here"), 0u) << outcome.output;
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
}

TEST(DeviceQueryProgram, NamesTheFileThatItCannotRead) {
  const std::string good = to_json(read_devices(shipped / "v100.json"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::pair<std::string, std::string> damages[] = {
      {good.substr(0, good.size() / 2), "is not valid JSON"},
      {"", "is not valid JSON"},
      {"[1, 2]", "is JSON, but not a list of devices"},
      {changed("\"schema\": 1", "\"schema\": 2"), "is JSON, but not a list of devices"},
      {"{\"schema\": 1, \"devices\": []}", "lists no device"},
      {changed("\"warp_size\"", "\"warp\""), "device 0 lacks \"warp_size\""},
      {changed("\"multiprocessors\": 80", "\"multiprocessors\": \"80\""),
       "device 0: \"multiprocessors\" must be"},
      {changed("\"multiprocessors\": 80", "\"multiprocessors\": -80"),
       "device 0: \"multiprocessors\" must be"},
      {changed("\"multiprocessors\": 80", "\"multiprocessors\": 99999999999999999999"),
       "device 0: \"multiprocessors\" must be"},
      {changed("\"Tesla V100-PCIE-16GB\"", "7"), "device 0 has no name"},
  };
  for (const auto& [text, complaint] : damages) {
    const TemporaryFile file(text);
    const Outcome outcome = run("--compare '" + file.path.string() + "'");
    EXPECT_EQ(outcome.exit_code, 2) << complaint << "\n" << outcome.output;
    EXPECT_EQ(outcome.output.find("device_query: " + file.path.string() + ": " + complaint), 0u)
        << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }
  const Outcome missing = run("--compare /no/such/file.json");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.output, "device_query: /no/such/file.json: cannot be read\n");
}

TEST(DeviceQueryProgram, RefusesWhatItCannotDo) {
  EXPECT_EQ(run("--compare").exit_code, 2);
  EXPECT_EQ(run("--save").exit_code, 2);
  EXPECT_EQ(run("--save /no/such/folder/devices.json").exit_code, 2);
  const Outcome unknown = run("--no-such-flag");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.output.find("---"), std::string::npos) << "a bad command line prints no device\n"
                                                           << unknown.output;
}

TEST(DeviceQueryFacts, SurviveTheWayToRowsAndBack) {
  reference::DeviceFacts facts = read_devices(shipped / "titan_x.json")[0].facts;
  facts.name = std::string(100, 'x');
  std::int64_t row[field_count];
  std::uint8_t name[name_bytes];
  to_row(facts, row, name);
  EXPECT_EQ(row[multiprocessors], 24);
  EXPECT_EQ(row[max_grid_x], 2147483647);
  EXPECT_EQ(row[memory_clock_khz], unknown);
  const reference::DeviceFacts back = from_row(row, name);
  EXPECT_EQ(back.name, std::string(name_bytes - 1, 'x'));
  for (const FactName& fact : fact_names) EXPECT_EQ(back.*fact.member, facts.*fact.member) << fact.key;
}

TEST(DeviceQueryFigures, ClaimNoCoresForTheEmulator) {
  Device device = read_devices(shipped / "v100.json")[0];
  EXPECT_EQ(figures_of(device).cores, 5120);
  device.emulated = true;
  EXPECT_EQ(figures_of(device).cores, unknown);
  EXPECT_EQ(figures_of(device).tensor_core_generation, unknown);
  EXPECT_EQ(figures_of(device).constant_memory_kib, 64);
}

TEST(DeviceQueryQuery, RefusesADeviceThatDoesNotExist) {
  const Problem& problem = problem_of("device_query");
  const Rung& rung = rung_of(problem, "query");
  Case c = problem.default_case(Backend::emulator);
  c.size = {{"devices", 1}};
  c = problem.for_rung(c, rung);
  const std::vector<HostArray> expected = problem.expected(c, problem.inputs(c));
  HostArray number(DType::i32, {1});
  for (const int wrong : {-1, device_count()}) {
    number.as<int>()[0] = wrong;
    const RungOutcome outcome = run_rung(problem, rung, c, {number}, expected);
    EXPECT_EQ(outcome.status, RungStatus::refused) << outcome.why;
    EXPECT_EQ(outcome.why.find("device " + std::to_string(wrong) + " does not exist"), 0u) << outcome.why;
  }
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(device_query);
