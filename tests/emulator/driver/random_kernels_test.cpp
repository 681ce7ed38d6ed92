// Kernels of random statements give the same by regions, on fibers and under the lens, which finds no mistake
// in them. Others each day: they follow from a seed, which WARPLAB_KERNEL_SEED=N sets.
#include <nlohmann/json.hpp>

#include "tests/common/today.hpp"
#include "tests/emulator/driver/random_kernel.hpp"
#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

constexpr int kernels = WARPLAB_RANDOM_KERNELS;

std::string program_of(std::uint64_t seed) {
  std::string text = RandomKernel::declarations(), calls;
  for (int k = 0; k < kernels; ++k) {
    const std::string name = "k" + std::to_string(k);
    text += RandomKernel(seed * 1000 + static_cast<std::uint64_t>(k)).text(name);
    calls += "  run(" + name + ", \"" + name + "\");\n";
  }
  return text + R"(void run(void (*kernel)(unsigned*, unsigned, unsigned), const char* name) {
  unsigned host[192], *device = nullptr;
  cudaMalloc(&device, sizeof host);
  kernel<<<3, 64>>>(device, 5, 2);
  const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  unsigned hash = 0;
  for (unsigned value : host) hash = hash * 31 + value;
  std::printf("%s %s %u\n", name, cudaGetErrorName(error), hash);
}
int main() {
)" + calls +
         "}\n";
}

/// The lines that the program printed.
std::string results_in(const std::string& output) {
  std::string results;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    if (line.find(" cuda") != std::string::npos && line.starts_with("k")) results += line + "\n";
    at = end + 1;
  }
  return results;
}

TEST_F(WarplabCc, RandomKernelsGiveTheSameHoweverTheyRun) {
  const std::uint64_t seed = todays_seed("WARPLAB_KERNEL_SEED");
  const std::string program = program_of(seed), told = "WARPLAB_KERNEL_SEED=" + std::to_string(seed);
  folder_.write("random.cu", program);
  const Outcome compiled = compile("random.cu -o random");
  ASSERT_EQ(compiled.exit_code, 0) << told << "\n" << compiled.output << program;
  const std::string on_fibers = results_in(run("WARPLAB_FIBERS=1 ./random").output);
  EXPECT_EQ(std::ranges::count(on_fibers, '\n'), kernels);
  EXPECT_EQ(on_fibers.find("Error"), std::string::npos) << on_fibers;
  EXPECT_EQ(results_in(run("./random").output), on_fibers) << told << "\n" << program;
  const Outcome watched = run("WARPLAB_LENS=1 WARPLAB_LENS_BLOCKS=3 WARPLAB_LENS_JSON=lens.json ./random");
  EXPECT_EQ(results_in(watched.output), on_fibers) << told << "\n" << program;
  const auto launches = nlohmann::json::parse(content_of(folder_ / "lens.json"));
  EXPECT_EQ(launches.size(), static_cast<std::size_t>(kernels));
  for (const auto& launch : launches)
    EXPECT_EQ(launch.at("lens").at("findings").dump(), "[]") << launch.at("kernel") << told << "\n"
                                                             << program;
}

}  // namespace
}  // namespace warplab::test
