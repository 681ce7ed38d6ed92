#include "grader/guard/guard.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/io/file_content.hpp"
#include "grader/guard/guard_assembly.hpp"
#include "grader/release/solution_regions.hpp"

namespace {

using namespace warplab;
namespace fs = std::filesystem;

std::string said(const std::optional<Refusal>& refusal) {
  return refusal ? std::to_string(refusal->line) + ": " + refusal->text : "";
}

TEST(GuardOfSource, LetsEveryFileOfOurLabsThroughAsSolutionAndAsStub) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPLAB_SOURCE_DIR) / "labs")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cu" || path.string().find("/peers/") != std::string::npos ||
        path.string().find("/mistakes/") != std::string::npos ||
        path.string().find("/demos/") != std::string::npos ||
        path.string().find("/probe/") != std::string::npos || path.stem() == "matmul_auto" ||
        path.stem() == "gaussian_auto" || path.stem() == "gaussian_toeplitz_wgmma" ||
        path.stem() == "gaussian_separable_mma")
      continue;  // no solutions of tasks: libraries, weak references, instructions of one architecture
    const std::string text = file_content(path);
    EXPECT_EQ(said(refusal_of_source(text)), "") << path;
    EXPECT_EQ(said(refusal_of_source(without_solutions(text, path.string()))), "") << path;
    ++files;
  }
  EXPECT_GT(files, 40);
}

struct Hostile {
  const char* text;
  int line;
  const char* word;
};

class GuardOfSourceRefuses : public testing::TestWithParam<Hostile> {};
TEST_P(GuardOfSourceRefuses, WithItsLine) {
  const auto refusal = refusal_of_source(GetParam().text);
  ASSERT_TRUE(refusal) << GetParam().text;
  EXPECT_EQ(refusal->line, GetParam().line);
  EXPECT_NE(refusal->text.find(GetParam().word), std::string::npos) << refusal->text;
}
INSTANTIATE_TEST_SUITE_P(
    Text, GuardOfSourceRefuses,
    testing::Values(
        Hostile{"int a;\n#line 7 \"x.hpp\"\n", 2, "#line"}, Hostile{"# 7 \"x.hpp\"\n", 1, "#7"},
        Hostile{"\n%: include <x>\n", 2, "%:"}, Hostile{"#include \"/etc/passwd\"\n", 1, "/etc/passwd"},
        Hostile{"#include \"../08_reduction/x.hpp\"\n", 1, ".."},
        Hostile{"#include <csetjmp>\n", 1, "csetjmp"}, Hostile{"#include <thrust/sort.h>\n", 1, "yourself"},
        Hostile{"#include NAME\n", 1, "macro"}, Hostile{"#/**/include <fstream>\n", 1, "comment"},
        Hostile{"#inc\\\nlude <fstream>\n", 1, "lines"},
        Hostile{"#if __has_include(<x>)\n#endif\n", 1, "__has_include"},
        Hostile{"#pragma GCC optimize(\"O0\")\n", 1, "#pragma"},
        Hostile{"#define Q _Pragma(\"GCC x\")\n#include <string>\n", 1, "_Pragma"},
        Hostile{"#define Q(x) _Pragma(#x)\n#include <string>\n", 1, "_Pragma"},
        Hostile{"#define Q _Pragma(\"pack(1)\")\n#include <string>\n", 1, "_Pragma"},
        Hostile{"\n#pragma pack(push, 1)\n#include <string>\n", 2, "#pragma pack"},
        Hostile{"int a asm(\"_exit\");\n", 1, "asm"}, Hostile{"int a as\\\nm(\"b\");\n", 1, "asm"},
        Hostile{"\nint a\nasm\n(\"_exit\");\n", 3, "asm"}, Hostile{"#define A asm\nA\n", 1, "asm"},
        Hostile{"void f() { asm goto(\"\" : : : : x); x:; }\n", 1, "asm"},
        Hostile{"register long r __asm__(\"rbx\");\n", 1, "__asm__"},
        Hostile{"\n__attribute__((no_sanitize_thread)) void f();\n", 2, "no_sanitize_thread"},
        Hostile{"__attribute__((__constructor__)) void f();\n", 1, "constructor"},
        Hostile{"[[gnu::section(\"x\")]] int a;\n", 1, "section"},
        Hostile{"[[using gnu: weak]] int a;\n", 1, "weak"},
        Hostile{"auto f = [] [[gnu::naked]] {};\n", 1, "naked"},
        Hostile{"thread_local int a;\n", 1, "thread_local"},
        Hostile{"extern \"C\" void __tsan_write4(void*) {}\n", 1, "__tsan_write4"},
        Hostile{"using namespace warplab::emulator;\n", 1, "emulator"},
        Hostile{"void* p = __builtin_return_address(0);\n", 1, "__builtin_return_address"},
        Hostile{"extern \"C\" void __cxa_throw();\n", 1, "__cxa_throw"},
        Hostile{"extern \"C\" int _ZN7warplab8emulator14enqueue_launchEONS0_6LaunchE(void*);\n", 1,
                "_ZN7warplab"},
        Hostile{"#include \"vector_add_vectorized.cu\"\n", 1, "not there"},
        Hostile{"#include \"vector_add_problem.cpp\"\n", 1, "not there"},
        Hostile{"#include \"harness/problem/problem.hpp\"\n", 1, "not there"},
        Hostile{"#include \"labs/07_transpose/transpose.hpp\"\n", 1, "not there"},
        Hostile{"#include \"emulator/src/block.hpp\"\n", 1, "not there"},
        Hostile{"#include <separable/segments.hpp>\n", 1, "not there"},
        Hostile{"#define f(x, y) \\\n  x##y\n#include <string>\n", 2, "##"},
        Hostile{"#if __has_include(\"/etc/passwd\")\n#endif\n", 1, "__has_include"},
        Hostile{"#define ask __has_include\n#if ask(<x>)\n#endif\n", 1, "__has_include"},
        Hostile{"#if 0 + 1\nasm;\n#endif\n", 2, "asm"}, Hostile{"#if 0\n#else\nasm;\n#endif\n", 3, "asm"},
        Hostile{"#if 0\n#if 1\n#endif\n#endif\nasm;\n", 5, "asm"}, Hostile{"#if 0\n%:endif\nasm;\n", 2, "%:"},
        Hostile{"namespace warplab {\nnamespace e = emulator;\n}\n", 2, "emulator"},
        Hostile{"namespace warplab { using namespace emulator; }\n", 1, "emulator"},
        Hostile{"auto p = &emulator::yield;\n", 1, "emulator"},
        Hostile{"#define xR\nauto a = xR\"(\"\n#include \"/etc/passwd\"\n; // )\"\n", 3, "/etc/passwd"}));

TEST(GuardOfSource, IsNotMisledByLiteralsAndComments) {
  EXPECT_EQ(said(refusal_of_source(
                "// asm\n/* #include <fstream>\n asm */ const char* a = \"asm \\\" asm\";\n"
                "auto b = R\"x(asm )\" )x\"; char c = '\"'; int d = 1'000; [[maybe_unused]] int e;\n"
                "#pragma unroll\n#pragma unroll 4\n")),
            "");
  EXPECT_NE(said(refusal_of_source("auto b = R\"x(\n)x\"; asm;")), "");
  EXPECT_EQ(refusal_of_source("/*\n*/ \"\\\n\"; asm")->line, 3);
  // The translator takes this away, or fails.
  EXPECT_EQ(said(refusal_of_source(
                "void f() { asm volatile(\"membar.gl;\"); __asm__ __volatile__(\"\"); }\n"
                "void g() { asm(\"\"); if (a) asm(\"\"); else asm(\"\"); }\n#define A asm(\"\")\n")),
            "");
}

TEST(GuardOfSource, LetsWhatChangesNothingThrough) {
  for (const char* text :
       {"#include <iostream>\n#include <stdio.h>\n#include <cuda/std/array>\n#include <vector>\n",
        "#if 0\nasm(\"nop\");\n#if 1\n#error old\n#endif\n#include \"/etc/passwd\"\n#endif\n",
        "#include <string>\n#define JOIN(a, b) a##b\n_Pragma(\"unroll\") for (;;) {}\n",
        "#pragma GCC diagnostic ignored \"-Wunused\"\n#pragma message(\"x\")\n#pragma region a\n",
        "#if __has_include(<span>)\n#endif\n#ifdef __has_include\n#endif\n#if "
        "defined(__has_include)\n#endif\n",
        "#define UNROLL _Pragma(\"unroll\")\n#include <string>\n#pragma pack(push, 1)\n",
        "__attribute__((format(printf, 1, 2), deprecated)) void f(); [[gnu::fallthrough]];\n",
        "#include <bits/stdc++.h>\n#include <barrier>\n#include <csignal>\n#include <cwctype>\n",
        "int emulator = 0, current_block = a ? b : emulator, lens_of_warp, static_shared, issue_copy;\n"})
    EXPECT_EQ(said(refusal_of_source(text)), "") << text;
  EXPECT_NE(said(refusal_of_source("#define JOIN(a, b) a##b\n", SourceKind::header)), "");
  EXPECT_NE(said(refusal_of_source("#pragma pack(1)\n", SourceKind::header)), "");
  EXPECT_EQ(said(refusal_of_source("#define UNROLL _Pragma(\"unroll\")\n", SourceKind::header)), "");
}

TEST(GuardOfPreprocessed, LooksAtTheStudentsLinesAlone) {
  const std::string text =
      "# 1 \"a.cu\"\n# 1 \"given.hpp\" 1\nasm;\n#pragma GCC x\n# 2 \"a.cu\" 2\nint "
      "a;\n__attribute__((weak)) int b;\n";
  EXPECT_EQ(said(refusal_of_preprocessed(text, "a.cu")).substr(0, 3), "3: ");
  EXPECT_EQ(said(refusal_of_preprocessed(text, "given.hpp")).substr(0, 3), "1: ");
  EXPECT_EQ(said(refusal_of_preprocessed(text, "other.cu")), "");
}

/// What is refused in assembly, whatever its launcher.
std::optional<Refusal> refusal_of_assembly(std::string_view text) {
  const auto outcome = guarded_assembly(text, "");
  const Refusal* const refusal = std::get_if<Refusal>(&outcome);
  return refusal ? std::optional(*refusal) : std::nullopt;
}

class GuardOfAssemblyRefuses : public testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(GuardOfAssemblyRefuses, WithASentence) {
  const auto refusal = refusal_of_assembly(GetParam().first);
  ASSERT_TRUE(refusal) << GetParam().first;
  EXPECT_NE(refusal->text.find(GetParam().second), std::string::npos) << refusal->text;
}
INSTANTIATE_TEST_SUITE_P(
    Text, GuardOfAssemblyRefuses,
    testing::Values(
        std::pair{"#APP\n\tnop\n#NO_APP\n", "inline assembly"}, std::pair{"\tjmp\t*%rax\n", "jumps"},
        std::pair{"\tsyscall\n", "syscall"}, std::pair{"\tint\t$3\n", "'int'"}, std::pair{"\thlt\n", "'hlt'"},
        std::pair{"\tnop; syscall\n", "does not understand"}, std::pair{"\trep stosq\n", "'rep'"},
        std::pair{"\tmovq\t%rax, %rsp\n", "alloca"}, std::pair{"\tsubq\t%rax, %rsp\n", "alloca"},
        std::pair{"\tcall\tsetenv@PLT\n", "setenv"}, std::pair{"\tmovq\tfork@GOTPCREL(%rip), %rax\n", "fork"},
        std::pair{"\t.section\t.init_array.00200,\"aw\"\n", "runs by itself"},
        std::pair{"\t.section\t.init_array,\"aw\"\n\t.quad\tmine\nmine:\n", "constructor"},
        std::pair{"\t.section\t.tbss,\"awT\",@nobits\n", "thread_local"},
        std::pair{"\t.section\tsecret,\"aw\"\n", "section 'secret'"},
        std::pair{"\t.type\tf, @gnu_indirect_function\nf:\n", "ifunc"},
        std::pair{"\t.set\tf,cudaMalloc\n", "alias"}, std::pair{"\t.set\t.LC1,.L0\n", "alias"},
        std::pair{"\tmovl\t%eax, %fs:16\n", "runtime"}, std::pair{"\tfldt\t(%rax)\n", "long double"},
        std::pair{"\t.incbin\t\"/etc/passwd\"\n", ".incbin"},
        std::pair{"\t.ascii \"\"; .incbin \"/etc/passwd\"\n", "does not understand"}));

TEST(GuardOfAssembly, LetsConstantsShareAPlace) {
  EXPECT_EQ(said(refusal_of_assembly("\t.set\t.LC29,.LC0\n\t.set\t.LC0,.LC1+4\n")), "");
}

TEST(GuardOfAssembly, ChecksWhatItCannotKnow) {
  const auto guarded = [](const std::string& instruction) {
    const auto outcome = guarded_assembly(
        "\t.type\tf, @function\nf:\n\t.cfi_startproc\n\tsubq\t$24, %rsp\n\t"
        ".cfi_def_cfa_offset 32\n\t" +
            instruction + "\n\tret\n\t.cfi_endproc\n",
        "f");
    return std::holds_alternative<std::string>(outcome) ? std::get<std::string>(outcome) : "refused";
  };
  const auto checks = [&](const std::string& instruction) {
    const std::string text = guarded(instruction);
    return text.find("warplab_isolation_access") != std::string::npos ? text : "";
  };
  EXPECT_NE(checks("movl\t%eax, (%rdx,%rcx,4)").find("leaq\t(%rdx,%rcx,4), %rdi\n\tmovl\t$9, %esi"),
            std::string::npos);
  EXPECT_NE(checks("vmovss\t8(%rdx), %xmm0").find("movl\t$8, %esi"), std::string::npos);
  EXPECT_NE(checks("movzbl\t(%rdx), %eax").find("movl\t$2, %esi"), std::string::npos);
  EXPECT_NE(checks("cmpq\t$0, (%rdx)").find("movl\t$16, %esi"), std::string::npos);
  EXPECT_NE(checks("vmovdqu\t%ymm0, (%rdx)").find("movl\t$65, %esi"), std::string::npos);
  EXPECT_EQ(checks("movl\t%eax, 8(%rsp)"), "");   // its own variable
  EXPECT_NE(checks("movq\t%rax, 24(%rsp)"), "");  // its return address
  EXPECT_NE(checks("movl\t%eax, (%rsp,%rcx,4)").find("leaq\t16(%rsp,%rcx,4), %rdi"), std::string::npos);
  EXPECT_NE(guarded("call\t*%rax").find("warplab_isolation_target"), std::string::npos);
  EXPECT_NE(guarded("call\tmemcpy@PLT").find("*warplab_isolation_memcpy@GOTPCREL"), std::string::npos);
  EXPECT_NE(guarded("nop").find(".globl\tf") == std::string::npos
                ? guarded("nop").find("warplab_isolation_leave")
                : 0,
            std::string::npos);
}

TEST(GuardOfAssembly, LetsOnlyWholeProgramsCopyToTheHost) {
  const auto guarded = [](const std::string& symbol, bool whole_program) {
    const auto outcome = guarded_assembly(
        "\t.type\tf, @function\nf:\n\t.cfi_startproc\n\tcall\t" + symbol + "@PLT\n\tret\n\t.cfi_endproc\n",
        "f", {.whole_program = whole_program});
    return std::holds_alternative<std::string>(outcome) ? std::get<std::string>(outcome) : "refused";
  };
  const std::string copy = "_Z10cudaMemcpyPvPKvm14cudaMemcpyKind";
  EXPECT_EQ(guarded(copy, false), "refused");
  EXPECT_NE(guarded(copy, true).find("*warplab_isolation_" + copy + "@GOTPCREL"), std::string::npos);
  for (const std::string symbol :
       {"_Z10cudaMallocPPvm", "printf", "exit", "getenv", "malloc", "clock_gettime"})
    EXPECT_NE(guarded(symbol, false).find("*warplab_isolation_" + symbol + "@GOTPCREL"), std::string::npos)
        << symbol;
  for (const std::string symbol : {"system", "fopen", "setenv", "atexit", "_Z17cudaMallocManagedPPvmj"})
    EXPECT_EQ(guarded(symbol, true), "refused") << symbol;
}

TEST(GuardOfAssembly, LetsOnlyLabsOfBulkCopiesMakeThem) {
  const auto is_refused = [](const std::string& symbol, bool asynchronous_copies) {
    return std::holds_alternative<Refusal>(guarded_assembly(
        "\t.type\tf, @function\nf:\n\t.cfi_startproc\n\tcall\t" + symbol + "@PLT\n\tret\n\t.cfi_endproc\n",
        "f", {.asynchronous_copies = asynchronous_copies}));
  };
  EXPECT_FALSE(is_refused("_ZN7warplab8emulator12header_calls10issue_copyEPvPKvS4_j", false));
  const std::string bulk = "_ZN7warplab8emulator15issue_bulk_loadEPSt4bytePKS1_mPyRKNS0_4SiteE";
  EXPECT_TRUE(is_refused(bulk, false));
  EXPECT_FALSE(is_refused(bulk, true));
}

}  // namespace
