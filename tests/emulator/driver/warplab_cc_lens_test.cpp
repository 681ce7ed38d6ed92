// warplab-cc: what the lens counts and finds in a user's own programs.
#include <nlohmann/json.hpp>

#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

const char* const stride = R"(__global__ void stride(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[8 * i];
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 8 * 1024 * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(in, 0, 8 * 1024 * sizeof(int));
  stride<<<8, 128>>>(in, out);
  stride<<<4, 128>>>(in, out);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(in);
  cudaFree(out);
  return failed;
}
)";

TEST_F(WarplabCc, CountsWhatInlinePtxDoesToMemory) {
  folder_.write("ptx.cu", R"cuda(__global__ void load(const uint4* in, unsigned* out) {
  __shared__ uint4 tile[2][32];
  const unsigned lane = threadIdx.x, row = (unsigned)__cvta_generic_to_shared(&tile[0][lane]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(row), "l"(in + lane) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  unsigned a, b, c, d, e, f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(e), "=r"(f) : "r"(row));
  out[lane] = a + b + c + d + e + f;
}
int main() {
  uint4* in;
  unsigned* out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 512);
  load<<<1, 32>>>(in, out);
  cudaFree(in);
  cudaFree(out);
}
)cuda");
  ASSERT_EQ(compile("ptx.cu -o ptx").output, "");
  ASSERT_EQ(run("WARPLAB_LENS=1 WARPLAB_LENS_JSON=lens.json ./ptx").exit_code, 0);
  const auto lens = nlohmann::json::parse(content_of(folder_ / "lens.json"))[0]["lens"];
  EXPECT_EQ(lens["global_load"]["requests"], 1);
  EXPECT_EQ(lens["global_load"]["sectors"], 16);
  EXPECT_EQ(lens["shared_load"]["requests"], 2);
  EXPECT_EQ(lens["shared_load"]["wavefronts"], 4 + 2) << "one for each matrix of 8 rows";
}

TEST_F(WarplabCc, CountsArithmeticUnlessAGpuWouldComputeFaster) {
  folder_.write("roots.cu", R"cuda(
__global__ void roots(float* x) {
  float sum = 0;
  for (int i = 0; i < 10000; ++i) sum += sqrtf(sum + 1);
  *x = sum;
}
int main() {
  float* x;
  cudaMalloc(&x, 4);
  roots<<<1, 1>>>(x);
  return cudaDeviceSynchronize();
}
)cuda");
  const auto what_limits = [&](const std::string& flags) {
    EXPECT_EQ(compile("roots.cu -o roots " + flags).output, "");
    const std::string output = run("WARPLAB_DEVICE=h100 WARPLAB_LENS=1 ./roots").output;
    const std::size_t by = output.find("H100 80GB HBM3, by ");
    EXPECT_NE(by, std::string::npos) << output;
    return output.substr(std::min(by, output.size()), 24);
  };
  EXPECT_EQ(what_limits(""), "H100 80GB HBM3, by waits");
  EXPECT_EQ(what_limits("-prec-sqrt=true"), "H100 80GB HBM3, by waits");
  EXPECT_EQ(what_limits("-use_fast_math"), "H100 80GB HBM3, by launc");
  EXPECT_EQ(what_limits("-prec-sqrt=false"), "H100 80GB HBM3, by launc");
}

const char* const graph_and_peer = R"(#include <cstdio>
__global__ void add(int* x, int what) { *x += what; }
__global__ void take(int* to, const int* from) { *to += *from; }
int main(int n, char**) {
  int count = 0, *x = nullptr, *y = nullptr, what = 40, host = 0;
  cudaGetDeviceCount(&count);
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&x, &what};
  cudaKernelNodeParams add_what = {};
  add_what.func = (void*)add;
  add_what.gridDim = add_what.blockDim = dim3(1);
  add_what.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &add_what);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  if (count > 1) cudaSetDevice(1);
  cudaMalloc(&y, sizeof(int));
  cudaMemset(y, 0, sizeof(int));
  if (n > 1) cudaDeviceEnablePeerAccess(0, 0);
  take<<<1, 1>>>(y, x);
  const int error = cudaMemcpy(&host, y, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d devices: %d\n", count, host);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(x);
  cudaFree(y);
  return error != 0;
}
)";

TEST_F(WarplabCc, GraphsAndPeersWorkWithTheLensToo) {
  folder_.write("peer.cu", graph_and_peer);
  ASSERT_EQ(compile("peer.cu -o peer").output, "");
  for (const std::string lens : {"", "WARPLAB_LENS=1 "}) {
    EXPECT_TRUE(says(run(lens + "./peer"), "1 devices: 40\n"));
    EXPECT_TRUE(says(run(lens + "WARPLAB_DEVICES=2 ./peer allowed"), "2 devices: 40\n"));
    const Outcome refused = run(lens + "WARPLAB_DEVICES=2 ./peer");
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(says(refused, "memory of device 0")) << refused.output;
    EXPECT_TRUE(says(refused, "/peer.cu:3: reads address")) << refused.output;
    EXPECT_TRUE(lens.empty() || says(refused, "reads 4 bytes in memory of device 0, which"))
        << refused.output;
  }
  EXPECT_TRUE(says(run("WARPLAB_DEVICES=many ./peer"),
                   "WARPLAB_DEVICES is 'many', not a number from 0 to 8; there is one device"));
}

TEST_F(WarplabCc, TheLensKnowsTheDeviceThatItIsTold) {
  folder_.write("blocks.cu",
                "__global__ void nothing(int* x) { x[threadIdx.x] = 0; }\nint main() {\n  int* x;\n"
                "  cudaMalloc(&x, 1024);\n  nothing<<<1, 256>>>(x);\n  cudaFree(x);\n}\n");
  ASSERT_EQ(compile("blocks.cu -o blocks").exit_code, 0);
  for (const auto& [device, blocks] : {std::pair{"h100", 8}, {"t4", 4}, {"rtx4070", 6}}) {
    ASSERT_EQ(
        run("WARPLAB_DEVICE=" + std::string(device) + " WARPLAB_LENS=1 WARPLAB_LENS_JSON=lens.json ./blocks")
            .exit_code,
        0);
    const auto launches = nlohmann::json::parse(content_of(folder_ / "lens.json"));
    EXPECT_EQ(launches[0]["lens"]["blocks_per_multiprocessor"], blocks) << device;
  }
}

TEST_F(WarplabCc, OneSourceWithoutALensLeavesItToTheOthers) {
  folder_.write("fails.cu",
                "#ifdef WARPLAB_INSTRUMENTED\n#error not for the lens\n#endif\n"
                "__global__ void f(int* x) { x[0] = 1; }\n");
  folder_.write("works.cu", stride);
  const Outcome compiled = compile("-c fails.cu works.cu");
  EXPECT_EQ(compiled.exit_code, 0);
  EXPECT_TRUE(says(compiled, "fails.o runs, but the lens")) << compiled.output;
  EXPECT_FALSE(says(compiled, "works.o runs, but")) << compiled.output;
  ASSERT_EQ(compile("works.o -o works").output, "");
  EXPECT_TRUE(says(run("WARPLAB_LENS=1 ./works"), "stride")) << "what works.o holds";
}

TEST_F(WarplabCc, ALostUpdateWantsAnAtomicAndATreeABarrier) {
  folder_.write("races.cu", R"(__global__ void histogram(const int* d, int* bins) {
  bins[d[threadIdx.x]]++;
}
__global__ void tree(const int* d, int* sum) {
  __shared__ int s[128];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  for (int k = 64; k > 0; k /= 2)
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  if (threadIdx.x == 0) *sum = s[0];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(d, 0, 128 * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  histogram<<<1, 128>>>(d, out);
  tree<<<1, 128>>>(d, out);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFree(out);
}
)");
  ASSERT_EQ(compile("races.cu -o races").exit_code, 0);
  run("WARPLAB_LENS=1 WARPLAB_LENS_BLOCKS=all WARPLAB_LENS_JSON=lens.json ./races");
  const auto launches = nlohmann::json::parse(content_of(folder_ / "lens.json"));
  ASSERT_EQ(launches.size(), 2u);
  const auto& updates = launches[0]["lens"]["findings"];
  ASSERT_EQ(updates.size(), 1u) << updates;
  EXPECT_NE(updates[0]["text"].get<std::string>().find("make it one atomic operation"), std::string::npos)
      << updates;
  const auto& trees = launches[1]["lens"]["findings"];
  ASSERT_EQ(trees.size(), 1u) << trees;
  EXPECT_NE(trees[0]["text"].get<std::string>().find("no __syncthreads() in between"), std::string::npos)
      << trees[0] << ": between lanes __syncwarp() would do, and fixes a part";
}

TEST_F(WarplabCc, ALoadPastL1MayWaitForAnotherBlock) {
  folder_.write("barrier.cu", R"cuda(#include <cstdio>
__global__ void rounds(int* arrived, int n) {
  for (int round = 1; round <= n; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (__ldcg(arrived) < round * static_cast<int>(gridDim.x)) {}
      __threadfence();
    }
    __syncthreads();
  }
}
int main() {
  int *arrived, n = 3, result = 0;
  cudaMalloc(&arrived, sizeof *arrived);
  cudaMemset(arrived, 0, sizeof *arrived);
  void* arguments[] = {&arrived, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds), 2, 32, arguments);
  cudaMemcpy(&result, arrived, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d arrived\n", result);
  cudaFree(arrived);
}
)cuda");
  ASSERT_EQ(compile("barrier.cu -o barrier").output, "");
  EXPECT_EQ(run("./barrier").output, "6 arrived\n");
  const Outcome counted = run("WARPLAB_LENS=1 ./barrier");
  EXPECT_TRUE(says(counted, "6 arrived\n") && !says(counted, "endless")) << counted.output;
}

TEST_F(WarplabCc, TheLensPrintsATableOfLines) {
  folder_.write("stride.cu", stride);
  ASSERT_EQ(compile("stride.cu -o stride").exit_code, 0);
  const Outcome outcome = run("WARPLAB_LENS=1 ./stride");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(says(outcome, "stride.cu")) << outcome.output;
  EXPECT_TRUE(says(outcome, "out[i] = in[8 * i];")) << outcome.output;
  EXPECT_TRUE(says(outcome, "32.0")) << outcome.output;
  EXPECT_EQ(run("./stride").output, "") << "the lens is silent unless it is asked for";
}

TEST_F(WarplabCc, TheLensWritesAListOfLaunches) {
  folder_.write("stride.cu", stride);
  nlohmann::json first;
  for (const char* level : {"-O0", "-O1", "-O3"}) {
    ASSERT_EQ(compile(std::string("stride.cu -o stride ") + level).exit_code, 0);
    ASSERT_EQ(run("WARPLAB_LENS=1 WARPLAB_LENS_BLOCKS=all WARPLAB_LENS_JSON=lens.json ./stride").exit_code,
              0);
    const auto launches = nlohmann::json::parse(content_of(folder_ / "lens.json"));
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0]["grid"], (nlohmann::json{8, 1, 1}));
    EXPECT_EQ(launches[1]["block"], (nlohmann::json{128, 1, 1}));
    EXPECT_EQ(launches[0]["lens"]["global_load"]["requests"], 32);
    EXPECT_EQ(launches[0]["lens"]["global_load"]["sectors"], 32 * 32);
    EXPECT_EQ(launches[0]["lens"]["global_load"]["ideal_sectors"], 32 * 4);
    EXPECT_EQ(launches[1]["lens"]["global_store"]["sectors"], 16 * 4);
    EXPECT_EQ(launches[0]["lens"]["findings"], nlohmann::json::array());
    if (first.is_null()) first = launches;
    EXPECT_EQ(launches, first) << "the counts depend on " << level;
  }
}

}  // namespace
}  // namespace warplab::test
