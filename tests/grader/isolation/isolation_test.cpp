// What guarded modules may do when they run: hostile kernels and launchers, and our own.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "common/io/file_content.hpp"
#include "grader/course/course.hpp"
#include "grader/release/handed_out.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"
#include "lens/json.hpp"
#include "tests/grader/isolation/guarded_build.hpp"

namespace {

using namespace warplab;
namespace fs = std::filesystem;

const fs::path root = WARPLAB_SOURCE_DIR;

/// A file in the place of a rung of lab 07.
ModuleBuild build(const std::string& rung, const fs::path& student, const fs::path& into,
                  PrecompiledHeaders* headers = nullptr) {
  static const Course course = Course::read(root).only({"transpose"});
  const Lab& lab = course.labs.at(0);
  const Task& task = *std::ranges::find(lab.tasks, rung, &Task::rung);
  return build_module(source_of(lab, task, {{task.file, file_content(student)}}, given_headers(lab)), into,
                      run_directly, headers);
}

struct Outcome {
  RungReply reply;
  bool right = false;
};

Outcome transpose(const fs::path& module, int rows, int cols) {
  HostArray in(DType::i32, {rows, cols}), out(DType::i32, {cols, rows});
  std::iota(in.as<int>().begin(), in.as<int>().end(), 1);
  std::vector<HostArray> inputs, outputs;
  inputs.push_back(std::move(in));
  outputs.push_back(std::move(out));
  RungRequest request;
  request.problem_case.size = {{"rows", rows}, {"cols", cols}};
  request.problem_case.dtype = DType::i32;
  request.inputs = views_of(inputs);
  request.outputs = views_of(outputs);
  request.lens_blocks = 0;
  WorkerClient worker(module, {worker_path(), 60, {}});
  Outcome outcome{worker.run(request), true};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      outcome.right &= outputs[0].as<int>()[static_cast<std::size_t>(c * rows + r)] ==
                       inputs[0].as<int>()[static_cast<std::size_t>(r * cols + c)];
  return outcome;
}

/// What the lens said, without the places of files.
std::string counts_of(const RungReply& reply) {
  std::string text;
  for (const lens::Launch& launch : reply.lens.value()) {
    lens::Json json = lens::launch_json(launch);
    const auto strip = [](auto& self, lens::Json& value) -> void {
      if (value.is_object()) value.erase("file");
      for (auto& part : value)
        if (part.is_structured()) self(self, part);
    };
    strip(strip, json);
    text += json.dump(1) + "\n";
  }
  return text;
}

class GuardedTranspose : public testing::TestWithParam<const char*> {};
TEST_P(GuardedTranspose, CountsAsTheOrdinaryModuleDoes) {
  const std::string rung = GetParam();
  const ScratchFolder folder;
  const ModuleBuild built =
      build(rung, root / "labs/07_transpose" / ("transpose_" + rung + ".cu"), folder.path());
  ASSERT_TRUE(built.errors.empty() && !built.refusal)
      << built.errors << (built.refusal ? built.refusal->text : "");
  const Outcome guarded = transpose(built.module, 70, 45),
                ordinary = transpose(module_path("transpose", rung), 70, 45);
  ASSERT_EQ(guarded.reply.status, RungStatus::ok) << guarded.reply.why;
  EXPECT_TRUE(guarded.right);
  EXPECT_EQ(counts_of(guarded.reply), counts_of(ordinary.reply));
}
INSTANTIATE_TEST_SUITE_P(Rungs, GuardedTranspose, testing::Values("naive", "tiled", "vectorized"),
                         [](const auto& rung) { return rung.param; });

/// A rung with parts of it replaced.
struct Hostile {
  const char* name;
  const char* globals;   ///< before the kernel
  const char* kernel;    ///< instead of its first statement
  const char* launcher;  ///< likewise
  const char* reason;    ///< of the refusal, or in the reply
};
std::ostream& operator<<(std::ostream& out, const Hostile& hostile) { return out << hostile.name; }

std::string hostile_file(const Hostile& hostile) {
  return std::string("#include <cstdint>\n#include <cstring>\n#include \"transpose.hpp\"\n") +
         hostile.globals +
         "\ntemplate <class T>\n__global__ void move_all(const T* in, T* out, int rows, int cols, "
         "std::uintptr_t secret) {\n"
         "  (void)secret;\n  " +
         hostile.kernel +
         "\n  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;\n"
         "  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];\n}\n"
         "template <class T>\nvoid transpose_tiled(const T* in, T* out, int rows, int cols, cudaStream_t "
         "stream) {\n"
         "  std::uintptr_t secret = 0;\n  " +
         hostile.launcher +
         "\n  move_all<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(in, out, rows, "
         "cols, secret);\n}\n"
         "template void transpose_tiled(const int*, int*, int, int, cudaStream_t);\n"
         "template void transpose_tiled(const float*, float*, int, int, cudaStream_t);\n"
         "template void transpose_tiled(const double*, double*, int, int, cudaStream_t);\n";
}

class GuardStops : public testing::TestWithParam<Hostile> {};
TEST_P(GuardStops, WithItsReason) {
  const ScratchFolder folder, student;
  student.write("x.cu", hostile_file(GetParam()));
  const ModuleBuild built = build("tiled", student / "x.cu", folder.path());
  std::string said = built.errors;
  if (!said.empty()) {
    EXPECT_TRUE(built.module.empty());
  } else if (built.refusal) {
    said = built.refusal->text;
  } else {
    const Outcome outcome = transpose(built.module, 33, 40);
    EXPECT_EQ(outcome.reply.status, RungStatus::failed);
    said = outcome.reply.why;
  }
  EXPECT_NE(said.find(GetParam().reason), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    Code, GuardStops,
    testing::Values(
        Hostile{"a host pointer in a number", "static int kept[4];",
                "out[0] = *reinterpret_cast<const T*>(secret);",
                "secret = reinterpret_cast<std::uintptr_t>(new long[4]());", "host memory"},
        Hostile{"memory is scanned", "", "",
                "for (auto* p = reinterpret_cast<volatile const long*>(in); *p != 42; ++p) {}",
                "the launcher was stopped"},
        Hostile{"the heap beside the launcher's", "", "",
                "volatile long* p = new long[2]; for (int i = 0; i < 1 << 20; ++i) p[i] = 0;",
                "the launcher was stopped"},
        Hostile{"counters by a number", "", "*reinterpret_cast<volatile int*>(0x7f0000001000) = 0;", "",
                "writes 4 bytes"},
        Hostile{"a return address, by index", "", "",
                "volatile long a[2]; for (int i = 0; i < 2000; ++i) a[i] = 7; secret = a[1] - 7;",
                "the stack"},
        Hostile{"a return address of a kernel",
                "__device__ __noinline__ void smash(int n) { volatile long a[2]; for (int i = 0; i < n; ++i) "
                "a[i] = 7; }",
                "smash(rows * 10);", "", "stack"},
        Hostile{"a function made from a number", "", "",
                "reinterpret_cast<void (*)()>(reinterpret_cast<std::uintptr_t>(&rows) + 8)();",
                "calls an address"},
        Hostile{
            "a function's middle", "", "",
            "reinterpret_cast<void (*)()>(reinterpret_cast<std::uintptr_t>(&transpose_tiled<int>) + 5)();",
            "address"},
        Hostile{"the stack of another thread", "",
                "int mine = 0; __shared__ int* theirs[256]; theirs[threadIdx.y * 32 + threadIdx.x] = &mine; "
                "__syncthreads(); "
                "*theirs[(threadIdx.x + 1) % 32] = 1; __syncthreads();",
                "", "another thread"},
        Hostile{"exit in the launcher", "extern \"C\" void exit(int);", "", "exit(0);", "exit"},
        Hostile{"a thread of its own",
                "extern \"C\" int pthread_create(unsigned long*, void*, void*, void*);", "",
                "unsigned long t; pthread_create(&t, nullptr, nullptr, nullptr);", "pthread_create"},
        Hostile{"the way to handlers of exceptions", "static volatile long own[2] = {7, 8};", "",
                "for (volatile long* p = own;; --p) *p = *p;", "what its file keeps constant"},
        Hostile{"copying beyond", "", "",
                "char a[16]; std::memcpy(a, reinterpret_cast<const char*>(in), rows); secret = a[3];",
                "the launcher was stopped"},
        Hostile{"assembly by pasting", "#define A(x, y) x##y", "", "A(a, sm)(\"nop\");",
                "assembly for the host"},
        Hostile{"an attribute by pasting",
                "#define A(x, y) __attribute__((x##y))\nA(no_sani, tize_thread) void f() {}", "", "f();",
                "no_sanitize_thread"},
        Hostile{"a constructor", "#define A(x) __attribute__((x##tor))\nA(construc) void f() {}", "", "",
                "'constructor'"},
        Hostile{"own hooks", "#define A(x) __ts##x\nextern \"C\" void A(an_write4)(void*) {}", "", "",
                "__tsan_write4"}),
    [](const auto& hostile) {
      std::string name = hostile.param.name;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

TEST(GuardedModule, CountsReadsThatPassForReadsOfAConstant) {
  const auto loads_of = [](const char* globals, const char* kernel) {
    const ScratchFolder folder, student;
    student.write("x.cu", hostile_file({"", globals, kernel, "", ""}));
    const ModuleBuild built = build("tiled", student / "x.cu", folder.path());
    EXPECT_FALSE(built.refusal) << built.refusal->text;
    const Outcome outcome = transpose(built.module, 33, 40);
    EXPECT_EQ(outcome.reply.status, RungStatus::ok) << outcome.reply.why;
    EXPECT_TRUE(outcome.right);
    return outcome.reply.lens.value().at(0).counts.global_load;
  };
  const lens::SectorCounts hidden = loads_of("static const int table[4] = {3, 1, 4, 1};",
                                             "volatile long at = reinterpret_cast<const int*>(in) - table; "
                                             "long sum = table[at]; if (sum == 12345) return;"),
                           plain = loads_of("", "if (*(const volatile T*)in == 12345) return;"),
                           none = loads_of("", "");
  EXPECT_GT(plain.requests, none.requests);
  EXPECT_EQ(hidden.requests, plain.requests);
  EXPECT_EQ(hidden.sectors, plain.sectors);
  EXPECT_EQ(hidden.bytes, plain.bytes);
}

TEST(GuardedModule, StillExplainsAnIndexPastTheEnd) {
  const ScratchFolder folder, student;
  student.write("x.cu", hostile_file({"", "", "out[rows * cols + 2] = 0;", "", ""}));
  const ModuleBuild built = build("tiled", student / "x.cu", folder.path());
  ASSERT_FALSE(built.refusal) << built.refusal->text;
  const Outcome outcome = transpose(built.module, 32, 32);
  EXPECT_EQ(outcome.reply.status, RungStatus::failed);
  ASSERT_TRUE(outcome.reply.lens && !outcome.reply.lens->empty());
  const auto& findings = outcome.reply.lens->front().findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, lens::FindingKind::out_of_bounds);
  EXPECT_NE(findings[0].text.find("8 bytes past the end of output 0 (4096 bytes)"), std::string::npos)
      << findings[0].text;
  EXPECT_EQ(findings[0].line, 8);
}

TEST(GuardedModule, NamesTheSameLinesBehindPrecompiledHeaders) {
  const ScratchFolder student;
  student.write("x.cu", hostile_file({"", "", "out[rows * cols] = 0;", "", ""}));
  PrecompiledHeaders headers;
  for (int times = 0; times < 3; ++times) {  // compiled with the second, and taken by the third
    const ScratchFolder folder;
    const ModuleBuild built = build("tiled", student / "x.cu", folder.path(), &headers);
    ASSERT_FALSE(built.refusal) << built.refusal->text;
    const Outcome outcome = transpose(built.module, 32, 32);
    ASSERT_TRUE(outcome.reply.lens && !outcome.reply.lens->empty());
    const auto& findings = outcome.reply.lens->front().findings;
    ASSERT_FALSE(findings.empty());
    EXPECT_TRUE(findings[0].file.ends_with("transpose_tiled.cu")) << findings[0].file;
    EXPECT_EQ(findings[0].line, 8);
  }
  EXPECT_FALSE(fs::is_empty(headers.folder()));
}

/// Functions with variables of `first` bytes, then `step` more, to `last`, aligned to `alignment`; each
/// writes all of them.
std::string functions_of_frames(const std::string& qualifiers, const std::string& name, int alignment,
                                int first, int last, int step) {
  const std::string sizes = std::to_string(first) + " + " + std::to_string(step) + " * steps";
  return "template <int bytes>\n" + qualifiers + " __attribute__((noinline)) int " + name +
         "_one(int seed) {\n  alignas(" + std::to_string(alignment) +
         ") volatile char own[bytes];\n  own[0] = own[bytes - 1] = char(seed);\n"
         "  for (int i = 0; i < bytes; ++i) own[i] = char(i + seed);\n  return own[seed % bytes];\n}\n"
         "template <int... steps>\n" +
         qualifiers + " int " + name + "_of(int seed, std::integer_sequence<int, steps...>) {\n  return (" +
         name + "_one<" + sizes + ">(seed) + ...);\n}\n" + qualifiers + " int " + name +
         "(int seed) {\n  return " + name + "_of(seed, std::make_integer_sequence<int, " +
         std::to_string((last - first) / step + 1) + ">());\n}\n";
}

TEST(GuardedModule, HoldsTheVariablesOfFramesOfEverySizeAndAlignment) {
  const ScratchFolder folder, student;
  std::string globals = "#include <utility>\n", sum;
  for (const int alignment : {1, 32, 64}) {
    const std::string name = "host" + std::to_string(alignment);
    globals += functions_of_frames("static", name, alignment, 8, 520, 8);
    globals += functions_of_frames("static", name + "_large", alignment, 4000, 64000, 12000);
    sum += "secret += " + name + "(3) + " + name + "_large(3); ";
  }
  globals += functions_of_frames("__device__", "device", 32, 8, 264, 8);
  student.write("x.cu",
                hostile_file({"", globals.c_str(), "if (device(rows) == 99999) return;", sum.c_str(), ""}));
  const ModuleBuild built = build("tiled", student / "x.cu", folder.path());
  ASSERT_EQ(built.errors, "");
  ASSERT_FALSE(built.refusal) << built.refusal->text;
  const Outcome outcome = transpose(built.module, 33, 40);
  EXPECT_EQ(outcome.reply.status, RungStatus::ok) << outcome.reply.why;
  EXPECT_TRUE(outcome.right);
}

TEST(GuardedModule, ToldWhatDoesNotCompile) {
  const ScratchFolder folder, student;
  student.write("x.cu", "#include \"transpose.hpp\"\nint f() { return nothing; }\n");
  const ModuleBuild built = build("tiled", student / "x.cu", folder.path());
  EXPECT_TRUE(built.module.empty());
  EXPECT_NE(built.errors.find("transpose_tiled.cu:2:"), std::string::npos) << built.errors;
  EXPECT_EQ(built.errors.find(folder.path().string()), std::string::npos) << built.errors;
}

}  // namespace
