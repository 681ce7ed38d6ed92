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

// Of nvcc 13.0's --help: what it does for GPUs, and what concerns nvcc itself.
TEST_F(WarplabCc, PassesOverWhatNvccIsToldAboutGpus) {
  folder_.write("plain.cu",
                "#include <cstdio>\n__global__ void k() {}\nint main() { std::puts(\"runs\"); }\n");
  for (const char* const words :
       {"--compress-mode=size -compress-mode balance -no-compress --compress-all "
        "-static-global-template-stub=false "
        "-device-entity-has-hidden-visibility true --brief-diagnostics true -brief-diag=false -err-no "
        "-no-err-no",
        "-Wext-lambda-captures-this -Wdefault-stream-launch -Wmissing-launch-bounds --Wmissing-launch-bounds "
        "-Wno-deprecated-gpu-targets --Wreorder --Wno-deprecated-declarations --disable-warnings",
        "-jump-table-density=50 -jtd 50 -device-stack-protector true -split-compile-extended 0 "
        "-split-compile=2 "
        "-opt-info inline --optimization-info=inline -ewp -noeh -dlto -lto -gen-opt-lto -Ofc max "
        "--Ofast-compile=min",
        "-time times.csv -link -ldir nowhere -noprof -arbin ar -t4 -t 4 --threads=4 -jobserver -sanitize "
        "memcheck "
        "-entries k -e k -save-temps -fdevice-syntax-only -fdevice-time-trace trace.json -m 64 -restrict",
        "-ftemplate-depth 200 --ftemplate-depth=200 -ftemplate-depth=200 -frandom-seed 5 "
        "--ftemplate-backtrace-limit 3 -nohdinitlist -nohdmoveforward -keep-device-functions -reloc-ptx"}) {
    const Outcome outcome = compile(std::string("plain.cu -o plain ") + words);
    EXPECT_EQ(outcome.output, "") << words;
    EXPECT_EQ(run("./plain").output, "runs\n") << words;
  }
}

TEST_F(WarplabCc, TakesLevelsOfOptimisationAsNvccAndGccDo) {
  folder_.write("level.cu", "int main() {\n#ifdef __OPTIMIZE__\n  return 3;\n#endif\n}\n");
  for (const auto& [words, level] : {std::pair{"-O 0", "-O0"},
                                     {"-O=0", "-O0"},
                                     {"--optimize=1", "-O1"},
                                     {"-O2", "-O2"},
                                     {"-Os", "-Os"},
                                     {"-Ofast", "-Ofast"},
                                     {"-O -g3 -ggdb -Wall -Wno-unused", "-O"}}) {
    const Outcome outcome = compile(std::string("-v -c level.cu ") + words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_TRUE(says(outcome, std::string(" ") + level + " ")) << words << outcome.output;
  }
  EXPECT_TRUE(says(compile("level.cu -Obad"), "unknown flag -Obad"));
}

TEST_F(WarplabCc, RefusesInASentenceWhatNvccDoesInsteadOfCompiling) {
  folder_.write("plain.cu", "int main() {}\n");
  for (const auto& [flag, why] :
       {std::pair{"-run", "-run starts the program; warplab-cc only makes it"},
        {"--run", "--run starts the program; warplab-cc only makes it"},
        {"-dryrun",
         "-dryrun shows commands without running them; warplab-cc shows them as it runs them, with -v"},
        {"-arch-ls", "-arch-ls lists the GPUs that nvcc compiles for"},
        {"--list-gpu-code", "--list-gpu-code lists the GPUs that nvcc compiles for"},
        {"-clean", "-clean deletes files"}}) {
    const Outcome outcome = compile(std::string("plain.cu ") + flag);
    EXPECT_EQ(outcome.exit_code, 2) << flag;
    EXPECT_TRUE(says(outcome, why)) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }
  EXPECT_EQ(made(), Names{});
}

// The lens's build needs a preprocessor and a translator of its own, for which the program's g++ need not
// wait.
TEST_F(WarplabCc, BeginsWithTheProgramBeforeTheLensIsPrepared) {
  folder_.write("plain.cu", "__global__ void k() {}\nint main() {}\n");
  const std::string commands = compile("-v -c plain.cu").output;
  const std::size_t compiles = commands.find("/0.cpp \n", commands.find(" -c -o "));
  const std::size_t prepares = commands.find("-DWARPLAB_INSTRUMENTED");
  ASSERT_NE(compiles, commands.npos) << commands;
  EXPECT_LT(compiles, prepares) << commands;
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
