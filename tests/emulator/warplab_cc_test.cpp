// warplab-cc: a user's own .cu files become programs, with what the lens needs beside them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::content_of;
using warplab::ScratchFolder;
using warplab::house::Outcome;

const char* const hello = R"(#include <cstdio>
__global__ void fill(int* out) { out[threadIdx.x] = 7 * threadIdx.x; }
int main() {
  int* device = nullptr;
  int host[32];
  cudaMalloc(&device, sizeof host);
  fill<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("last is %d\n", host[31]);
  cudaFree(device);
}
)";

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

class WarplabCc : public testing::Test {
 protected:
  /// In the folder, with temporary files in a folder that must be left empty.
  Outcome run(const std::string& command) const {
    fs::create_directories(folder_ / "tmp");
    return warplab::house::run("cd '" + folder_.path().string() + "' && TMPDIR='" +
                               (folder_ / "tmp").string() + "' " + command);
  }
  Outcome compile(const std::string& arguments) const {
    return run(WARPLAB_BINARY_DIR "/bin/warplab-cc " + arguments);
  }
  /// What the folder holds besides the sources, sorted.
  std::vector<std::string> made() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      if (const std::string kind = entry.path().extension();
          kind != ".cu" && kind != ".cpp" && kind != ".cuh")
        names.push_back(entry.path().filename());
    std::erase(names, "tmp");
    std::sort(names.begin(), names.end());
    return names;
  }
  using Names = std::vector<std::string>;

  const ScratchFolder folder_;
};

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.output.find(text) != std::string::npos;
}

TEST_F(WarplabCc, MakesAProgramOfOneFile) {
  folder_.write("hello.cu", hello);
  const Outcome outcome = compile("hello.cu");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(made(), (Names{"a.out", "a.out.lens.so"}));
  EXPECT_EQ(run("./a.out").output, "last is 217\n");
}

TEST_F(WarplabCc, MakesAProgramOfSeveralFilesWithTheUsersFlags) {
  folder_.write("twice.cuh",
                "#pragma once\nextern __device__ int offset;\nextern __constant__ int one[2];\n"
                "__device__ int twice(int x);\nvoid launch_twice(int* out);\n");
  folder_.write("kernel.cu",
                "#include \"twice.cuh\"\n__device__ int offset = 5;\n__constant__ int one[2] = {0, 1};\n"
                "__device__ int twice(int x) { return FACTOR * x + offset; }\n"
                "__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }\n"
                "void launch_twice(int* out) { kernel<<<1, 32>>>(out); }\n");
  folder_.write(
      "main.cu",
      "#include <cstdio>\n#include \"twice.cuh\"\nint host_part(int);\n"
      "__global__ void kernel_of_main(int* out) { out[threadIdx.x] += one[1] - offset; }\n"
      "int main() {\n  int *device, host[32];\n  cudaMalloc(&device, sizeof host);\n  launch_twice(device);\n"
      "  kernel_of_main<<<1, 32>>>(device);\n"
      "  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);\n"
      "  std::printf(\"%d\\n\", host_part(host[31]));\n}\n");
  folder_.write("host.cpp", "int host_part(int x) { return x + 1000; }\n");
  fs::create_directories(folder_ / "out");
  const Outcome outcome = compile(
      "main.cu kernel.cu host.cpp -o out/program -DFACTOR=2 -I . -O2 -g -arch=sm_90 -lineinfo -lm -Wall "
      "-Wno-psabi");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(made(), (Names{"out", "program", "program.lens.so"}));
  EXPECT_EQ(outcome.output, "") << "the lens knows all of it";
  EXPECT_EQ(run("out/program").output, "1063\n");
  const Outcome counted = run("WARPLAB_LENS=1 out/program");
  EXPECT_TRUE(says(counted, "1063") && says(counted, "kernel_of_main")) << counted.output;
}

TEST_F(WarplabCc, ASyntaxErrorNamesTheUsersLineAndLeavesNothing) {
  folder_.write("wrong.cu", "__global__ void kernel(int* out) {\n  out[0] = undeclared;\n}\nint main() {}\n");
  folder_.write("unclosed.cu", "__global__ void kernel(int* out) {\n  out[0] = 1;\n");
  folder_.write("include.cu", "\n#include \"nowhere.cuh\"\n");
  const Outcome wrong = compile("wrong.cu -o program");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(says(wrong, "wrong.cu:2:")) << wrong.output;
  EXPECT_TRUE(says(wrong, "undeclared")) << wrong.output;
  const Outcome unclosed = compile("unclosed.cu -o program");
  EXPECT_EQ(unclosed.exit_code, 1);
  EXPECT_TRUE(says(unclosed, "unclosed.cu:")) << unclosed.output;
  const Outcome include = compile("include.cu -o program");
  EXPECT_EQ(include.exit_code, 1);
  EXPECT_TRUE(says(include, "include.cu:2:")) << include.output;
  EXPECT_EQ(made(), Names{});
}

TEST_F(WarplabCc, AFailedCompilationLeavesAnEarlierProgramAlone) {
  folder_.write("hello.cu", hello);
  ASSERT_EQ(compile("hello.cu -o program").exit_code, 0);
  folder_.write("hello.cu", "int main() { return undeclared; }\n");
  EXPECT_EQ(compile("hello.cu -o program").exit_code, 1);
  EXPECT_EQ(run("./program").output, "last is 217\n");
  EXPECT_EQ(made(), (Names{"program", "program.lens.so"}));
}

TEST_F(WarplabCc, BadInputIsOneSentence) {
  folder_.write("hello.cu", hello);
  folder_.write("notes.txt", "");
  for (const auto& [arguments, text] : {std::pair{"nowhere.cu", "nowhere.cu: there is no such file"},
                                        {"", "no source file is given"},
                                        {"hello.cu -o", "-o needs a value"},
                                        {"hello.cu -o hello.cu", "would overwrite a source"},
                                        {"hello.cu -o nowhere/program", "cannot write to"},
                                        {"hello.cu -o /proc/program", "cannot write to /proc"},
                                        {"hello.cu -o tmp", "is a folder"},
                                        {"notes.txt", "is of no known kind"},
                                        {"hello.cu --frobnicate", "unknown flag --frobnicate"},
                                        {"-ptx hello.cu", "makes code for a GPU"},
                                        {"-c hello.cu hello.cu -o a.o", "-c with -o takes one source"},
                                        {"@nowhere.rsp", "no such file of options"},
                                        {"''", "'' is of no known kind"},
                                        {"hello.cu -std=c++98", "-std=c++98 is unknown; accepted are c++17"},
                                        {"hello.cu -std=20", "-std=20 is unknown"},
                                        {"tmp", "is of no known kind"}}) {
    const Outcome outcome = compile(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << ": " << outcome.output;
    EXPECT_TRUE(says(outcome, text)) << arguments << ": " << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }
  EXPECT_EQ(made(), Names{"notes.txt"});
}

TEST_F(WarplabCc, AVectorOfConstantsIsStoredAsOne) {
  folder_.write("zeros.cu",
                "__global__ void zeros(float4* x, uchar4* y) {\n"
                "  x[threadIdx.x] = make_float4(0, 0, 0, 0);\n"
                "  y[threadIdx.x] = make_uchar4(0, 0, 0, 255);\n}\n"
                "int main() {\n  float4* x;\n  uchar4* y;\n  cudaMalloc(&x, 512);\n  cudaMalloc(&y, 128);\n"
                "  zeros<<<1, 32>>>(x, y);\n  cudaFree(x);\n  cudaFree(y);\n}\n");
  ASSERT_EQ(compile("zeros.cu -o zeros").exit_code, 0);
  ASSERT_EQ(run("WARPLAB_LENS=1 WARPLAB_LENS_JSON=lens.json ./zeros").exit_code, 0);
  const auto launches = nlohmann::json::parse(content_of(folder_ / "lens.json"));
  EXPECT_EQ(launches[0]["lens"]["global_store"]["requests"], 2);
  EXPECT_EQ(launches[0]["lens"]["global_store"]["sectors"], 16 + 4);
}

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

TEST_F(WarplabCc, TakesACommandLineThatNvccWouldTake) {
  folder_.write("hello.cu", hello);
  const Outcome outcome = compile(
      "-x cu -std c++17 -arch sm_90 -gencode arch=compute_90,code=sm_90 -rdc=true --extended-lambda "
      "--expt-relaxed-constexpr --use_fast_math -Xptxas -v -maxrregcount=32 --generate-line-info "
      "-Xcompiler -fopenmp,-Wall -Xcompiler=-O1 -lcudart -lcudadevrt hello.cu -o hello");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(run("./hello").output, "last is 217\n");
  EXPECT_TRUE(says(compile("hello.cu -arch"), "-arch needs a value"));
}

TEST_F(WarplabCc, SaysInASentenceWhatTheEmulatorHasNot) {
  for (const auto& [code, what] :
       {std::pair<const char*, const char*>{"#include <thrust/sort.h>\n", "Thrust"},
        {"#include <cub/cub.cuh>\n", "CUB"},
        {"#include <cuda.h>\nCUmodule module;\n", "driver API"},
        {"__global__ void k(cudaTextureObject_t t, float* x) { *x = tex3D<float>(t, 0, 0, 0); }\n",
         "textures and arrays of three dimensions"},
        {"int f(cudaMipmappedArray_t m) { return cudaFreeMipmappedArray(m); }\n", "mipmaps"},
        {"#include <curand_kernel.h>\n__global__ void k(curandStateSobol32_t* s) {}\n",
         "random generators but for"},
        {"#include <curand.h>\nint f() { return curandGeneratePoisson(0, 0, 0, 1); }\n", "Poisson"},
        {"#include <curand.h>\nint f() { return curandSetDynamicThing(0); }\n", "such function of cuRAND"},
        {"cudaGraphConditionalHandle condition;\n", "nodes of graphs for conditions"},
        {"int f() { return cudaGraphDebugDotPrint(nullptr, nullptr, 0); }\n", "such function of graphs"},
        {"int f() { return cudaMemPoolSetAccess(nullptr, nullptr, 0); }\n", "memory pools"}}) {
    folder_.write("lacks.cu", std::string(code) + "int main() {}\n");
    const Outcome outcome = compile("lacks.cu");
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_TRUE(says(outcome, std::string("warplab-cc: the emulator has no ") + what)) << outcome.output;
  }
  folder_.write("lacks.cu", "int main() { return thrust_count; }\n");
  EXPECT_FALSE(says(compile("lacks.cu"), "warplab-cc:")) << "an error of one's own";
}

// What nvcc takes as C++17, its default, and what C++20 has changed.
const char* const cxx17 = R"(#include <cstdio>
struct Pair { Pair() = default; int first; };
__device__ float lerp(float a, float b, float t) { return fmaf(t, b, fmaf(-t, a, a)); }
__global__ void blend(float* x) { *x = lerp(1.f, 3.f, .5f); }
int main() {
  Pair pair{5};
  float *device, host;
  cudaMalloc(&device, sizeof host);
  blend<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %d %ld\n", host, pair.first, __cplusplus);
  cudaFree(device);
}
)";

TEST_F(WarplabCc, CompilesAsCxx17UnlessItIsToldOtherwise) {
  folder_.write("cxx17.cu", cxx17);
  for (const char* standard : {"", "-std=c++17", "--std c++14"}) {
    const Outcome outcome = compile(std::string("cxx17.cu -o program ") + standard);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_EQ(run("./program").output, "2 5 201703\n");
  }
  EXPECT_EQ(compile("cxx17.cu -std=c++20").exit_code, 1) << "std::lerp is another one";
}

// Declarations that nvcc 13.0 refuses ("declaration is incompatible with previous"), and such as it takes.
TEST_F(WarplabCc, AnExternSharedVariableHasOneTypeInAFile) {
  const std::string in_template =
      "template <class T> __global__ void k(T* out) {\n  extern __shared__ T tile[];\n  *out = tile[0];\n}\n";
  const std::string ints =
      "__global__ void other(int* out) { extern __shared__ int tile[]; *out = tile[0]; }\n";
  const std::string floats = "k<<<1, 1, 4>>>(static_cast<float*>(nullptr));";
  const auto in_main = [](const std::string& launches) { return "int main() {" + launches + "}\n"; };
  for (const std::string& refused :
       {in_template + in_main(floats + "k<<<1, 1, 4>>>(static_cast<int*>(nullptr));"),
        in_template + ints + in_main(floats), "extern __shared__ float tile[];\n" + ints + in_main(""),
        "namespace n {\n" + in_template + "}\nnamespace n { " + ints + "}\n" + in_main("n::" + floats),
        "__global__ void v() { extern __shared__ volatile int tile[]; }\n" + ints + in_main("")}) {
    folder_.write("tile.cu", refused);
    const Outcome outcome = compile("tile.cu");
    EXPECT_EQ(outcome.exit_code, 1) << refused;
    EXPECT_TRUE(says(outcome,
                     "error: static assertion failed: an extern __shared__ variable of this name has "
                     "another type elsewhere in this file"))
        << outcome.output;
    EXPECT_EQ(outcome.output.find("error: "), outcome.output.rfind("error: ")) << outcome.output;
    EXPECT_TRUE(says(outcome, "tile.cu:")) << outcome.output;
  }
  const std::string bytes =
      "template <class T> __global__ void b(T* out) {\n"
      "  extern __shared__ __align__(sizeof(T)) unsigned char tile[];\n"
      "  *out = reinterpret_cast<T*>(tile)[0];\n}\n";
  for (const std::string& taken :
       {bytes + in_main("b<<<1, 1, 8>>>(static_cast<float*>(nullptr)); "
                        "b<<<1, 1, 8>>>(static_cast<double*>(nullptr));"),
        in_template + "namespace { " + ints +
            "}\nnamespace n { __global__ void s() { extern __shared__ short "
            "tile[]; } }\n" +
            in_main(floats),
        ints + "__global__ void sized() { extern __shared__ int tile[32]; }\n" + in_main("")}) {
    folder_.write("tile.cu", taken);
    const Outcome outcome = compile("tile.cu");
    EXPECT_EQ(outcome.exit_code, 0) << taken << outcome.output;
  }
}

TEST_F(WarplabCc, TakesNamesAndFormsThatNvccTakes) {
  folder_.write("forms.cu", R"(#include <cstdio>
#include <type_traits>
__shared__ int tile[64];
__global__ void reverse(int* out) {
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void volume(int dim1, int dim2, int dim3, int* out) { *out = dim1 * dim2 * dim3 * blockDim.x; }
template <int n> __global__ void number(int* out) { *out = n; }
__global__ void cycles(int* out) {
  const clock_t begin = clock();
  const long long begin64 = clock64();
  while (clock64() - begin64 < 1000000) {}
  *out = clock() - begin >= 1000000;
}
int main() {
  int *device, host[4];
  cudaMalloc(&device, 64 * sizeof(int));
  const auto read = [&](int i) { cudaMemcpy(host + i, device, sizeof(int), cudaMemcpyDeviceToHost); };
  reverse<<<1, 64>>>(device);
  read(0);
  volume<<<1, 2>>>(2, 3, 4, device);
  read(1);
  const auto launch = [&](auto c) { number<c.value><<<1, c.value>>>(device); };
  launch(std::integral_constant<int, 4>{});
  read(2);
  cycles<<<1, 1>>>(device);
  read(3);
  std::printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
  cudaFree(device);
}
)");
  EXPECT_EQ(compile("forms.cu -o forms").output, "");
  EXPECT_EQ(run("./forms").output, "63 48 4 1\n");
  EXPECT_EQ(run("WARPLAB_LENS=1 ./forms").exit_code, 0);
}

TEST_F(WarplabCc, AProgramThatEndsByItsOwnErrorHearsNothingOfLostWork) {
  folder_.write("ends.cu",
                "#include <cstdlib>\n__global__ void k() {}\n"
                "int main(int n, char**) { k<<<1, 1>>>(); if (n > 1) exit(1); }\n");
  ASSERT_EQ(compile("ends.cu -o ends").output, "");
  EXPECT_TRUE(says(run("./ends"), "never waited for"));
  EXPECT_EQ(run("./ends failing").output, "");
}

TEST_F(WarplabCc, EmulatesTheDeviceThatItIsTold) {
  folder_.write("query.cu", R"(#include <cstdio>
__global__ void k() { extern __shared__ int s[]; s[threadIdx.x] = 1; }
int main() {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 1;
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
  const bool allowed = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 * 1024) == cudaSuccess;
  std::printf("%s %d.%d %d %d %d\n", p.name, p.major, p.minor, p.multiProcessorCount, blocks, allowed);
}
)");
  ASSERT_EQ(compile("query.cu -o query").output, "");
  EXPECT_EQ(run("WARPLAB_DEVICE=h100 ./query").output, "NVIDIA H100 80GB HBM3 (emulated) 9.0 132 8 1\n");
  EXPECT_EQ(run("WARPLAB_DEVICE=a100 ./query").output, "NVIDIA A100-SXM4-40GB (emulated) 8.0 108 8 1\n");
  EXPECT_TRUE(says(run("WARPLAB_DEVICE=t4 ./query"), "Tesla T4 (emulated) 7.5 40 4 0\n"));
  EXPECT_TRUE(says(run("WARPLAB_DEVICE=rtx4070 ./query"), "RTX 4070 (emulated) 8.9 46 6 0\n"));
  EXPECT_TRUE(says(run("./query"), "warplab CPU emulator 9.0 "));
  const Outcome unknown = run("WARPLAB_DEVICE=h99 ./query");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_EQ(unknown.output,
            "warplab emulator: unknown device 'h99' in WARPLAB_DEVICE; known devices: h100, h200, a100, t4, "
            "rtx4070, laptop\n");
}

// A graph with a node of a kernel, captured on one device, and a kernel that reads the memory of another one.
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

TEST_F(WarplabCc, HasPartsOfCublasAndNamesWhatIsMissing) {
  folder_.write("blas.cu", R"(#include <cublas_v2.h>
#include <cublasLt.h>
int main() {
  cublasHandle_t handle;
  float *x, result = 0;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cudaMalloc(&x, 8);
  cudaMemset(x, 0, 8);
  const bool failed = cublasSnrm2(handle, 2, x, 1, &result) != CUBLAS_STATUS_SUCCESS;
  cudaFree(x);
  return failed + cublasDestroy(handle);
}
)");
  folder_.write("solve.cu", "#include <cublas_v2.h>\nint main() { cublasStrsm(nullptr); }\n");
  folder_.write("lt.cu", "#include <cublasLt.h>\nint main() { cublasLtMatmul(nullptr); }\n");
  EXPECT_EQ(compile("--explain blas.cu").exit_code, 0);
  EXPECT_EQ(compile("blas.cu -o blas -lcublas -lcublasLt").output, "");
  EXPECT_EQ(run("./blas").output, "");
  EXPECT_TRUE(says(compile("solve.cu"), "the emulator has no such function of cuBLAS"));
  EXPECT_TRUE(says(compile("lt.cu"), "the emulator has no products of cuBLASLt"));
}

TEST_F(WarplabCc, RandomNumbersOfHostAndDeviceAreThere) {
  folder_.write("random.cu", R"(#include <curand.h>
#include <curand_kernel.h>
#include <cstdio>
__global__ void draw(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, 0, 4 * threadIdx.x, &state);
  out[threadIdx.x] = curand(&state);
}
int main() {
  unsigned *device, host[64];
  cudaMalloc(&device, sizeof host);
  draw<<<1, 32>>>(device);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandGenerate(generator, device + 32, 32);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  cudaFree(device);
  std::printf("%08x %08x\n", host[0], host[32]);
}
)");
  ASSERT_EQ(compile("random.cu -o random -lcurand").output, "");
  for (const std::string lens : {"", "WARPLAB_LENS=1 "})
    EXPECT_TRUE(says(run(lens + "./random"), "2090b348 2090b348\n")) << run(lens + "./random").output;
}

TEST_F(WarplabCc, TheNameOfAFolderIsNothingThatAProgramUses) {
  fs::create_directories(folder_ / "curand/thrust");
  folder_.write("curand/plain.cu", "#include \"part.cuh\"\n#include \"thrust/own.cuh\"\nint main() {}\n");
  folder_.write("curand/thrust/own.cuh", "\n");
  folder_.write("curand/thrust/part.cuh", "\n");
  EXPECT_EQ(compile("--explain curand/plain.cu -Icurand/thrust").exit_code, 0);
  EXPECT_EQ(compile("--explain \"$PWD/curand/plain.cu\" -I curand/thrust").exit_code, 0);
}

TEST_F(WarplabCc, ExplainsWhatAProgramUsesThatIsMissing) {
  folder_.write("part.cuh", "#include <thrust/sort.h>\n");
  folder_.write("uses.cu",
                "#include \"part.cuh\"\n// cudaTextureObject_t in a comment\n"
                "const char* text = \"cufft\";\n#define CHECK_BLAS(x) \\\n  cublasCheck(x)\nint main() {\n"
                "  cudaGraph_t graph;\n  cudaMipmappedArray_t levels;\n  cudaMipmappedArray_t others;\n}\n");
  folder_.write("hello.cu", hello);
  const Outcome outcome = compile("--explain uses.cu");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(
      outcome.output,
      "part.cuh:1: the emulator has no Thrust\nuses.cu:8: the emulator has no mipmaps, and reads of textures "
      "with a level or a gradient\n");
  EXPECT_EQ(compile("--explain hello.cu").exit_code, 0);
  EXPECT_EQ(made(), Names{});
}

// Two sources with device code of one another, as a project's Makefile and CMakeLists.txt build them.
class WarplabCcProject : public WarplabCc {
 protected:
  WarplabCcProject() {
    folder_.write("scale.cuh", "#pragma once\n__device__ float scaled(float x);\n");
    folder_.write("scale.cu", "#include \"scale.cuh\"\n__device__ float scaled(float x) { return 2 * x; }\n");
    folder_.write("main.cu", R"(#include <cstdio>
#include "scale.cuh"
__global__ void fill(float* x) { x[threadIdx.x] = scaled(threadIdx.x); }
int main() {
  float *device, host[32];
  cudaMalloc(&device, sizeof host);
  fill<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[31]);
  cudaFree(device);
}
)");
  }
  /// The program runs, and the lens knows its kernels.
  void expect_works(const std::string& program) const {
    EXPECT_EQ(run(program).output, "62\n");
    const Outcome counted = run("WARPLAB_LENS=1 " + program);
    EXPECT_TRUE(says(counted, "global store    sectors/request  4.0")) << counted.output;
  }
};

TEST_F(WarplabCcProject, ObjectsHoldWhatTheLensNeeds) {
  EXPECT_EQ(compile("-dc main.cu scale.cu -MD").output, "");
  EXPECT_TRUE(content_of(folder_ / "main.d").find("scale.cuh") != std::string::npos);
  EXPECT_EQ(compile("main.o scale.o -o linked").output, "");
  expect_works("./linked");
  EXPECT_EQ(compile("-lib scale.cu -o libscale.a").output, "");
  EXPECT_EQ(compile("main.cu libscale.a -o archived").output, "");
  expect_works("./archived");
}

TEST_F(WarplabCcProject, AnArchiveKeepsObjectsOfOneNameInSeveralFolders) {
  for (const char* folder : {"a", "b"}) {
    fs::create_directories(folder_ / folder);
    folder_.write(std::string(folder) + "/part.cu", "__global__ void fill_" + std::string(folder) +
                                                        "(int* x) { x[threadIdx.x] = 1; }\nvoid " + folder +
                                                        "(int* x) { fill_" + folder + "<<<1, 32>>>(x); }\n");
    ASSERT_EQ(compile(std::string("-c ") + folder + "/part.cu -o " + folder + "/part.o").output, "");
  }
  folder_.write("both.cu",
                "void a(int*);\nvoid b(int*);\nint main() {\n  int* x;\n  cudaMalloc(&x, 128);\n"
                "  a(x);\n  b(x);\n  cudaFree(x);\n}\n");
  ASSERT_EQ(run("ar qc libforeign.a a/part.o b/part.o").exit_code, 0);
  ASSERT_EQ(compile("-lib a/part.cu b/part.cu -o libsources.a -Xcompiler -fopenmp -lm").output, "");
  ASSERT_EQ(compile("-lib a/part.o b/part.o -o libobjects.a").output, "");
  for (const std::string library : {"libforeign.a", "libsources.a", "libobjects.a", "-L. -lobjects"}) {
    const Outcome linked = compile("both.cu " + library + " -o both");
    ASSERT_EQ(linked.output, "") << library;
    const Outcome counted = run("WARPLAB_LENS=1 ./both");
    EXPECT_TRUE(says(counted, "fill_a") && says(counted, "fill_b")) << library << counted.output;
  }
}

TEST_F(WarplabCc, FlagsForTheHostCompilerReachAllItsSteps) {
  folder_.write("flags.cu", R"(#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = VALUE; }
int main() {
  int *x, host[32];
  cudaMalloc(&x, sizeof host);
  fill<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(x);
#if defined(_OPENMP) && defined(__AVX2__)
  std::printf("%d %s\n", host[31], TEXT);
#endif
}
)");
  const std::string value = "-Xcompiler -DVALUE=5,-mavx2,-fopenmp ";
  const Outcome plain = compile(value + R"(-DTEXT='"a b"' flags.cu -o flags)");
  EXPECT_EQ(plain.output, "");
  EXPECT_EQ(run("./flags").output, "5 a b\n");
  EXPECT_TRUE(says(run("WARPLAB_LENS=1 ./flags"), "global store")) << "the lens's build has them too";
  folder_.write("words.rsp",
                "-Xcompiler \"-DVALUE=6 -mavx2\" -Xcompiler=-fopenmp -D'TEXT=\"c d\"' flags.cu\n");
  for (const char* file : {"@words.rsp", "--options-file words.rsp", "-optf=words.rsp"}) {
    EXPECT_EQ(compile(std::string(file) + " -o flags").output, "");
    EXPECT_EQ(run("./flags").output, "6 c d\n");
  }
  folder_.write("circle.rsp", "@circle.rsp\n");
  EXPECT_TRUE(says(compile("@circle.rsp"), "takes in itself"));
  EXPECT_EQ(
      compile("-forward-unknown-to-host-compiler --coverage flags.cu -o covered " + value + "-DTEXT='\"\"'")
          .output,
      "")
      << "linked with --coverage, as it was compiled";
  EXPECT_TRUE(says(compile("--coverage flags.cu"), "unknown flag --coverage"));
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

TEST_F(WarplabCcProject, AMakefileThatCallsNvccWorks) {
  folder_.write("Makefile",
                "main: main.o scale.o\n\tnvcc -arch=sm_70 -rdc=true $^ -o $@ -lcudart -lm\n"
                "%.o: %.cu\n\tnvcc -O2 -gencode arch=compute_80,code=sm_80 -lineinfo "
                "--expt-relaxed-constexpr -Xcompiler -Wall,-fPIC -dc $< -o $@\n");
  fs::create_directories(folder_ / "bin");
  fs::create_symlink(WARPLAB_BINARY_DIR "/bin/warplab-cc", folder_ / "bin/nvcc");
  const Outcome outcome = run("PATH=\"$PWD/bin:$PATH\" make -s");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "");
  expect_works("./main");
}

TEST_F(WarplabCcProject, IsACompilerOfCudaForCMake) {
  folder_.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(plain LANGUAGES CUDA)\n"
                "add_library(scale STATIC scale.cu)\n"
                "set_target_properties(scale PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
                "add_executable(main main.cu)\ntarget_link_libraries(main PRIVATE scale)\n");
  const Outcome configured =
      run("env -u CMAKE_CUDA_COMPILER_LAUNCHER cmake -B build -DCMAKE_CUDA_COMPILER=" WARPLAB_BINARY_DIR
          "/bin/warplab-cc .");
  ASSERT_EQ(configured.exit_code, 0) << configured.output;
  EXPECT_TRUE(says(configured, "CUDA compiler identification is NVIDIA 13.0.0")) << configured.output;
  const Outcome built = run("cmake --build build");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  expect_works("build/main");
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
