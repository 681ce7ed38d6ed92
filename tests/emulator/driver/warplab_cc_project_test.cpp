// warplab-cc in a project: objects, archives, a Makefile and CMake.
#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

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

// What another file's function does is not known where it is called.
TEST_F(WarplabCcProject, FunctionsOfOtherFilesMayWait) {
  folder_.write("lib.cu", R"(__device__ int numbered(int v) { return v + threadIdx.x; }
__device__ int mirrored(int v) {
  __shared__ int s[32];
  s[threadIdx.x] = v;
  __syncthreads();
  return s[31 - threadIdx.x];
}
__device__ int (*step)(int) = mirrored;
)");
  folder_.write("calls.cu", R"(#include <cstdio>
extern __device__ int numbered(int), mirrored(int);
extern __device__ int (*step)(int);
__global__ void direct(int* x) { x[threadIdx.x] = numbered(100); }
__global__ void both(int* x) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 1000;
  __syncthreads();
  const int v = mirrored(threadIdx.x);
  __syncthreads();
  x[threadIdx.x] = v + sum;
}
__global__ void pointed(int* x) { x[threadIdx.x] = step(threadIdx.x); }
int main() {
  int *x, h[32];
  cudaMalloc(&x, sizeof h);
  for (void (*k)(int*) : {direct, both, pointed}) {
    k<<<1, 32>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", h[0], h[5]);
  }
  cudaFree(x);
}
)");
  ASSERT_EQ(compile("-rdc=true calls.cu lib.cu -o calls").output, "");
  const std::string values = "100 105\n1031 1026\n31 26\n";
  EXPECT_EQ(run("./calls").output, values);
  EXPECT_TRUE(run("WARPLAB_LENS=1 ./calls").output.starts_with(values));
}

// The kernel calls the runtime itself, which the translator does not know.
TEST_F(WarplabCcProject, ABarrierThatWasNotForeseenIsReported) {
  folder_.write("barrier.cu", R"(#include "warplab_emulator/block/thread.hpp"
#include <cstdio>
__global__ void k(int* x) {
  static constexpr warplab::emulator::Site site{"a barrier", "barrier.cu", 5};
  warplab::emulator::block_barrier(site);
  x[threadIdx.x] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
)");
  ASSERT_EQ(compile("barrier.cu -o barrier").output, "");
  const Outcome outcome = run("./barrier");
  EXPECT_TRUE(says(outcome, "did not foresee that the kernel comes to a barrier at barrier.cu:5"))
      << outcome.output;
  EXPECT_TRUE(says(outcome, "cudaErrorNotSupported")) << outcome.output;
  EXPECT_EQ(run("WARPLAB_FIBERS=1 ./barrier").output, "cudaSuccess\n");
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

// The installed folder is moved before it is used, and only PATH leads to it.
TEST_F(WarplabCcProject, IsInstalledIntoAFolderThatMayBeMoved) {
  const Outcome installed =
      run("cmake --install " WARPLAB_BINARY_DIR " --prefix \"$PWD/first\" && mv first moved");
  ASSERT_EQ(installed.exit_code, 0) << installed.output;
  const std::string in_path = "env -u CMAKE_CUDA_COMPILER_LAUNCHER PATH=\"$PWD/moved/bin:$PATH\" ";
  EXPECT_EQ(run(in_path + "warplab-cc main.cu scale.cu -o program").output, "");
  expect_works("./program");
  EXPECT_TRUE(says(run("ldd ./program"), "moved/bin/../lib/libwarplab_emulator.so") ||
              says(run("ldd ./program"), "moved/lib/libwarplab_emulator.so"))
      << run("ldd ./program").output;
  const Outcome commands = run(in_path + "warplab-cc -v main.cu scale.cu -o program");
  EXPECT_FALSE(says(commands, WARPLAB_BINARY_DIR) || says(commands, WARPLAB_SOURCE_DIR "/"))
      << commands.output;

  folder_.write("CMakeLists.txt",
                "cmake_minimum_required(VERSION 3.20)\nproject(plain LANGUAGES CXX CUDA)\n"
                "find_package(CUDAToolkit)\nadd_executable(main main.cu scale.cu)\n"
                "set_target_properties(main PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n");
  const Outcome built =
      run(in_path + "cmake -B build -DCMAKE_CUDA_COMPILER=\"$PWD/moved/bin/warplab-cc\" . && " + in_path +
          "cmake --build build");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  expect_works("build/main");
}

}  // namespace
}  // namespace warplab::test
