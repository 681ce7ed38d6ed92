// warplab-cc takes nvcc's options in their long forms, and does what they say.
#include "tests/emulator/driver/warplab_cc.hpp"

namespace warplab::test {
namespace {

const char* const value = R"(#include <cstdio>
#include <part.cuh>
__global__ void kernel() {}
int main() {
#ifdef GONE
  std::puts("-U was not followed");
#endif
  std::printf("%d %d\n", VALUE, part());
}
)";

TEST_F(WarplabCc, TakesLongFormsAsTheirShortOnes) {
  fs::create_directories(folder_ / "headers");
  folder_.write("headers/part.cuh", "inline int part() { return OTHER + FIRST; }\n");
  folder_.write("first.cuh", "#define FIRST 100\n");
  folder_.write("value.cu", value);
  for (const char* const words :
       {"--include-path headers --define-macro VALUE=3,OTHER=4,GONE --undefine-macro GONE --pre-include "
        "first.cuh --optimize 2 --debug --machine 64 --library m,cudart --library-path . -Xfatbin "
        "-compress-all",
        "--system-include=headers --define-macro=VALUE=3 --define-macro=OTHER=4 --pre-include=first.cuh "
        "--optimize=0 --machine=64 --fatbin-options=-compress-all --library=m --library-path=."}) {
    const Outcome outcome = compile(std::string("value.cu -o program ") + words);
    EXPECT_EQ(outcome.output, "") << words;
    EXPECT_EQ(run("./program").output, "3 104\n") << words;
  }
  EXPECT_TRUE(says(compile("value.cu --include-path"), "--include-path needs a value"));
}

TEST_F(WarplabCc, WritesWithoutANameIntoTheOutputFolder) {
  folder_.write("empty.cu", "__global__ void kernel() {}\nint main() {}\n");
  fs::create_directories(folder_ / "build");
  EXPECT_EQ(compile("-c empty.cu -odir build").output, "");
  EXPECT_EQ(compile("empty.cu --output-directory=build").output, "");
  EXPECT_EQ(made(), (Names{"a.out", "a.out.lens.so", "build", "empty.o"}));
  EXPECT_TRUE(fs::exists(folder_ / "build/empty.o") && fs::exists(folder_ / "build/a.out"));
  EXPECT_TRUE(says(compile("empty.cu -odir nowhere"), "-odir nowhere is not a folder"));
}

// On a GPU too: the thread waits for its own default stream, which has no work.
TEST_F(WarplabCc, EachThreadHasADefaultStreamIfAsked) {
  folder_.write("streams.cu", R"(#include <cstdio>
#include <thread>
__global__ void set(int* x) { *x = 5; }
int main() {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  int* x;
  cudaMallocHost(&x, sizeof *x);
  *x = 1;
  set<<<1, 1>>>(x);
  std::thread([&] { cudaStreamSynchronize(0); std::printf("%d ", *x); }).join();
  cudaStreamSynchronize(0);
  std::printf("%d\n", *x);
  cudaFreeHost(x);
  cudaStreamDestroy(own);
}
)");
  EXPECT_EQ(compile("streams.cu -o program").output, "");
  EXPECT_EQ(run("./program").output, "5 5\n");
  for (const char* const flag : {"--default-stream per-thread", "-default-stream=per-thread",
                                 "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"}) {
    EXPECT_EQ(compile(std::string("streams.cu -o program ") + flag).output, "");
    EXPECT_EQ(run("./program").output, "1 5\n") << flag;
  }
  EXPECT_EQ(compile("streams.cu -o program --default-stream legacy").output, "");
  EXPECT_EQ(run("./program").output, "5 5\n");
  EXPECT_TRUE(says(compile("streams.cu --default-stream mine"), "--default-stream mine is unknown"));
}

}  // namespace
}  // namespace warplab::test
