// warplab-cc: a user's own .cu files become programs.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

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

TEST_F(WarplabCc, AFileInCIsCompiledAsCUnlessItIncludesCuda) {
  // What C++ refuses or makes another program of: names, a function without a prototype, one without an end.
  folder_.write("part.c",
                "#include <stdlib.h>\nint part(class) int class;\n{\n  int *new = malloc(sizeof *new);\n"
                "  *new = class + sizeof('c');\n  return *new;\n}\nint nothing(int x) { x = x + 1; }\n");
  folder_.write("device.c",
                "#include <cuda_runtime.h>\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
                "int devices(void) { int n = 0; cudaGetDeviceCount(&n); return n; }\n");
  folder_.write(
      "main.cu",
      "#include <cstdio>\nextern \"C\" {\nint part(int);\nint nothing(int);\nint devices(void);\n}\n"
      "int main() {\n  nothing(1);\n  std::printf(\"%d %d\\n\", part(3), devices());\n}\n");
  const Outcome outcome = compile("main.cu part.c device.c -o program");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(run("./program").output, "7 1\n");
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
       {std::pair<const char*, const char*>{"#include <cuda.h>\nCUmodule module;\n",
                                            "modules of the driver API"},
        {"#include <cuda.h>\nint f() { return cuGraphCreate(nullptr, 0); }\n",
         "such function or type of the driver API"},
        {"int f() { return cudaFrobnicate(); }\n", "such function or type of CUDA's runtime"},
        {"int f() { return cudaIpcGetMemHandle(nullptr, nullptr); }\n", "memory and events that processes"},
        {"#include <cuda_fp6.h>\n", "6-bit floats"},
        {"#include <nvrtc.h>\n", "NVRTC"},
        {"#include <mpi.h>\n", "MPI of its own"},
        {"#include <cuda/std/mdspan>\n", "such header of libcu++"},
        {"__global__ void k(cudaTextureObject_t t, float* x) { *x = texCubemap<float>(t, 0, 0, 0); }\n",
         "cubes of textures"},
        {"int f(cudaMipmappedArray_t m) { return cudaFreeMipmappedArray(m); }\n", "mipmaps"},
        {"#include <curand_kernel.h>\n__global__ void k(curandStateSobol32_t* s) {}\n",
         "random generators but for"},
        {"#include <curand.h>\nint f() { return curandGeneratePoisson(0, 0, 0, 1); }\n", "Poisson"},
        {"#include <curand.h>\nint f() { return curandSetDynamicThing(0); }\n", "such function of cuRAND"},
        {"cudaGraphConditionalHandle condition;\n", "nodes of graphs for conditions"},
        {"int f() { return cudaGraphFrobnicate(); }\n", "such function of graphs"},
        {"int f() { return cudaMemPoolExportPointer(nullptr, nullptr); }\n", "memory pools"}}) {
    folder_.write("lacks.cu", std::string(code) + "int main() {}\n");
    const Outcome outcome = compile("--cuda-path=/nowhere lacks.cu");
    EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
    EXPECT_TRUE(says(outcome, std::string("warplab-cc: the emulator has no ") + what)) << outcome.output;
  }
  for (const char* const own : {"thrust_count", "my_nccl_ranks", "cufft_seconds", "cuda_seconds", "cube"}) {
    folder_.write("lacks.cu", std::string("int main() { return ") + own + "; }\n");
    EXPECT_FALSE(says(compile("lacks.cu"), "warplab-cc:")) << "an error of one's own: " << own;
  }
}

TEST_F(WarplabCc, SaysWhatToInstallForThrustAndCub) {
  if (fs::exists("/usr/include/thrust") || fs::exists("/usr/include/cub"))
    GTEST_SKIP() << "g++ finds them here in any case";
  for (const auto& [header, library] : {std::pair{"thrust/sort.h", "Thrust"}, {"cub/cub.cuh", "CUB"}}) {
    folder_.write("lacks.cu", std::string("#include <") + header + ">\nint main() {}\n");
    const Outcome outcome = compile("--cuda-path=/nowhere lacks.cu");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(says(outcome, std::string("warplab-cc: the emulator has no ") + library +
                                  " of its own: install NVIDIA's headers (libthrust-dev and libcub-dev"))
        << outcome.output;
  }
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

TEST_F(WarplabCc, HeadersDefineTheNamesByWhichProgramsAskForThem) {
  folder_.write("asks.cu", R"(#include <cublas_v2.h>
#include <cuda.h>
#include <curand.h>
#include <curand_kernel.h>
#if !defined(CUBLAS_API_H_) || !defined(CUBLAS_V2_H_) || !defined(__cuda_cuda_h__) || !defined(CURAND_H_) || \
    !defined(CURAND_KERNEL_H_) || !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error "a name is missing"
#endif
int main() {}
)");
  const Outcome outcome = compile("asks.cu");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
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

TEST_F(WarplabCc, AWrongNumberInTheEnvironmentIsReported) {
  folder_.write("blocks.cu", R"(#include <cstdio>
__global__ void k(int* x) { atomicAdd(x, 1); }
int main() {
  int* x;
  cudaMallocManaged(&x, 4);
  *x = 0;
  k<<<70, 64>>>(x);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  cudaDeviceSynchronize();
  std::printf("%d\n", *x);
  cudaFree(x);
}
)");
  ASSERT_EQ(compile("blocks.cu -o blocks").output, "");
  EXPECT_EQ(run("WARPLAB_THREADS=1 WARPLAB_SEED=0x7 WARPLAB_FIBERS=0 WARPLAB_DEVICES= ./blocks").output,
            "4480\n");
  for (const std::string wrong :
       {"WARPLAB_THREADS=all", "WARPLAB_THREADS=4x", "WARPLAB_THREADS=0", "WARPLAB_SEED=abc",
        "WARPLAB_SEED=-1", "WARPLAB_FIBERS=yes", "WARPLAB_MULTIPROCESSORS=many", "WARPLAB_DEVICES=1.5"}) {
    const Outcome outcome = run(wrong + " ./blocks");
    const std::size_t equals = wrong.find('=');
    EXPECT_TRUE(says(outcome, "warplab emulator: " + wrong.substr(0, equals) + " is '" +
                                  wrong.substr(equals + 1) + "', not a number from "))
        << outcome.output;
    EXPECT_TRUE(outcome.output.ends_with("\n4480\n")) << outcome.output;
  }
}

// A graph with a node of a kernel, captured on one device, and a kernel that reads the memory of another one.
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
  const char* const usual = std::getenv("LC_ALL");
  const std::string before = usual == nullptr ? "" : usual;
  for (const char* const locale : {"C", "C.UTF-8"}) {  // in which g++ quotes names as 'f' and as ‘f’
    setenv("LC_ALL", locale, 1);
    EXPECT_TRUE(says(compile("solve.cu"), "the emulator has no such function of cuBLAS")) << locale;
  }
  usual == nullptr ? unsetenv("LC_ALL") : setenv("LC_ALL", before.c_str(), 1);
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
  folder_.write("part.cuh", "#include <cuda_fp6.h>\n");
  folder_.write("uses.cu",
                "#include \"part.cuh\"\n// cudaTextureObject_t in a comment\n"
                "const char* text = \"cufft\";\n#define CHECK_BLAS(x) \\\n  cublasCheck(x)\nint main() {\n"
                "  cudaGraph_t graph;\n  cudaMipmappedArray_t levels;\n  cudaMipmappedArray_t others;\n}\n");
  folder_.write("hello.cu", hello);
  const Outcome outcome = compile("--explain uses.cu");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output,
            "part.cuh:1: the emulator has no 6-bit floats of <cuda_fp6.h>\nuses.cu:8: the emulator has no "
            "mipmaps, and reads of textures with a level or a gradient\n");
  EXPECT_EQ(compile("--explain hello.cu").exit_code, 0);
  EXPECT_EQ(made(), Names{});
}

TEST_F(WarplabCc, ExplainsNamesAndHeadersOnlyWhereTheyAreMeant) {
  folder_.write(
      "own.cu",
      "#include <cuda/std/array>\n#include <cuda/std/span>\n#include <cuda/barrier>\n"
      "int my_nccl_ranks = 1'000, cufft_seconds, a_thrust;\n/*\n#include <mpi.h>\n*/\n"
      "const char* raw = R\"(\ncub::sum()\n)\";\nchar quote = '\"', other = '\\'';  // cudnnCreate\n"
      "const char* text = \"cufftPlan1d\";\n");
  EXPECT_EQ(compile("--explain own.cu").output,
            "nothing in these files is known to be missing from the emulator\n");
  folder_.write("uses.cu",
                "char quote = '\"'; void* a = ncclCommInitRank;\nint x = 1'000 + cufftPlan1d(a);\n"
                "const char* raw = R\"(x)\"; int y = cudnnCreate();\n#include <cuda/std/mdspan>\n");
  const Outcome outcome = compile("--explain --cuda-path=/nowhere uses.cu");
  EXPECT_EQ(outcome.output.substr(0, outcome.output.find(" (<cuda/atomic>")),
            "uses.cu:1: the emulator has no NCCL\nuses.cu:2: the emulator has no cuFFT\n"
            "uses.cu:3: the emulator has no cuDNN\nuses.cu:4: the emulator has no such header of libcu++");
  fs::create_directories(folder_ / "mpi");
  folder_.write("mpi/mpi.h", "\n");
  folder_.write("ranks.cu", "#include <mpi.h>\n");
  EXPECT_EQ(compile("--explain ranks.cu -I mpi").exit_code, 0);
  EXPECT_EQ(compile("--explain ranks.cu").exit_code, 1);
}

TEST_F(WarplabCc, ExplainsFunctionsThatItsHeadersDoNotHave) {
  folder_.write(
      "own.cuh",
      "#define cudaCheck(x) x\nstatic int cudaTries;\ntemplate <class T> struct cuArray { T cuSize; };\n"
      "void curandOwn(int);\n");
  folder_.write(
      "uses.cu",
      "#include \"own.cuh\"\nint main() {\n  cudaCheck(cudaGetLastError());\n  curandOwn(cudaTries);\n"
      "  cublasCher(cuArray<int>().cuSize);  // cudaInAComment\n"
      "  return cudaFillTheMoon() + cublasCher(\"cudaInAText\");\n}\n");
  const Outcome outcome = compile("--explain uses.cu");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output,
            "uses.cu:5: the emulator has no cublasCher\nuses.cu:6: the emulator has no cudaFillTheMoon\n");
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

TEST_F(WarplabCc, SaysThatTilesAreWithinAWarp) {
  const auto tile_of = [&](const std::string& size) {
    folder_.write("tile.cu", R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(unsigned* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto tile = cg::tiled_partition<)" +
                                 size + R"(>(cg::this_thread_block(memory));
  out[tile.meta_group_rank()] = tile.num_threads();
}
int main() {}
)");
    return compile("tile.cu -o tile");
  };
  EXPECT_EQ(tile_of("32").output, "");
  EXPECT_TRUE(says(tile_of("64"),
                   "the emulator has tiles of 1, 2, 4, 8, 16 and 32 threads, and none of "
                   "several warps (cooperative_groups::block_tile_memory)"));
}

TEST_F(WarplabCc, AHostThatWaitsWithoutACallIsToldWhatItWaitsFor) {
  folder_.write("flag.cu", R"(#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
__global__ void raise_flag(volatile int* flag) { *flag = 1; }
int main(int, char** words) {
  const bool asks = !std::strcmp(words[1], "asking"), late = !std::strcmp(words[1], "late");
  volatile int* flag;
  cudaMallocHost((void**)&flag, sizeof *flag);
  *flag = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  raise_flag<<<1, 1, 0, stream>>>(flag);
  if (late) cudaStreamSynchronize(stream);
  for (int i = 0; i < 80 && (late || *flag == 0); ++i) {
    if (asks) cudaStreamQuery(stream);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  std::printf("flag %d\n", *flag);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFreeHost((void*)flag);
}
)");
  ASSERT_EQ(compile("flag.cu -o flag").output, "");
  const Outcome waits = run("./flag waiting");
  EXPECT_TRUE(says(waits, "the host has made no CUDA call for 5 seconds, while stream 0x")) << waits.output;
  EXPECT_TRUE(says(waits, "call cudaStreamSynchronize() or cudaStreamQuery()")) << waits.output;
  EXPECT_TRUE(says(waits, "flag 0\n")) << "what a missing synchronisation reads stays the old value";
  EXPECT_EQ(run("./flag asking").output, "flag 1\n");
  EXPECT_EQ(run("./flag late").output, "flag 1\n") << "nothing is left to wait for";
}

}  // namespace
}  // namespace warplab::test
