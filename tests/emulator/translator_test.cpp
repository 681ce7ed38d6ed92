#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "emulator/translator/translate.hpp"

namespace {

std::string translate(const std::string& code) {
  return warplab::translator::translate("# 1 \"lab.cu\"\n" + code + "\n");
}

// What the translator says of code that it can't run.
std::string error_of(const std::string& code) {
  try {
    translate(code);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// Where a compiler says that `part` is, in the last place where it does: "3:9".
std::string place_of(const std::string& translated, const std::string& part) {
  std::istringstream lines(translated);
  std::string place;
  int line = 0;
  for (std::string text; std::getline(lines, text);) {
    ++line;
    if (text.starts_with("# ")) line = std::stoi(text.substr(2)) - 1;
    if (const std::size_t at = text.find(part); at != std::string::npos)
      place = std::to_string(line) + ":" + std::to_string(at + 1);
  }
  return place;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool runs_in_regions(const std::string& body) {
  return contains(translate("__global__ void k(int* x, int n) {" + body + "}"), "ThreadRegions");
}
bool runs_as_coroutines(const std::string& body) {
  return contains(translate("__global__ void k(int* x, int n) {" + body + "}"), "run_coroutines");
}
bool runs_in_place(const std::string& body) {
  return contains(translate("__global__ void k(int* x, int n) {" + body + "}"), "Threads::in_place");
}

TEST(Translator, LeavesHostCodeAsItIs) {
  const std::string host =
      "int f(int a) { return a << 3 >> 1; }\nauto s = R\"x(k<<<1, 2>>>(3))x\"; // no\nchar c = '<';\ndim3 "
      "blockDim(32), gridDim(4);";
  EXPECT_EQ(translate(host), "# 1 \"lab.cu\"\n" + host + "\n");
}

// The preprocessor marks a macro as of the file that defines it.
TEST(Translator, LeavesASystemHeaderAsItIsWhereItUsesAMacroOfTheProgram) {
  const std::string header =
      "# 1 \"part.cuh\" 1 3 4\ninline int part() { return\n# 1 \"part.cuh\"\n 100\n# 1 \"part.cuh\" 3 4\n"
      "; }\n# 2 \"lab.cu\" 2";
  EXPECT_EQ(translate(header), "# 1 \"lab.cu\"\n" + header + "\n");
}

TEST(Translator, MakesTheShapeOfAKernelsClustersKnown) {
  const std::string registration = "ClusterRegistration warplab_cluster_";
  EXPECT_TRUE(contains(translate("__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64) k() {}"),
                       "(reinterpret_cast<const void*>(&k), 2, 1, 1);"));
  EXPECT_TRUE(
      contains(translate("template <int n>\n__global__ void __cluster_dims__(4) k() {}"), "(\"k\", 4);"));
  EXPECT_FALSE(contains(translate("__global__ void __launch_bounds__(64) k() {}"), registration));
  const std::string shaped = translate(
      "template <class T = float, int... n>\n__global__ void __cluster_dims__(sizeof...(n)) k() {}\nvoid h() "
      "{ k<int, 1><<<1, 2>>>(); }");
  EXPECT_TRUE(contains(shaped, "cluster_of_kernel<&k<T, n...>, sizeof...(n)>")) << shaped;
  EXPECT_TRUE(contains(shaped, ".asking_for_cluster().configured(")) << shaped;
  EXPECT_TRUE(contains(error_of("template <int n> __global__ void __cluster_dims__(n) k();"),
                       "lab.cu:1: error: __cluster_dims__ that depends on"));
}

TEST(Translator, MakesTheKernelsOfNodesKnown) {
  const std::string kernels =
      "cudaKernelNodeParams p; __global__ void k(int); template <class T> __global__ void t(T);";
  for (const std::string cast : {"(void*)", "(void *)", "(void*)&", "(const void*)"})
    EXPECT_TRUE(contains(translate(kernels + "void f() { g(" + cast + "k); }"),
                         cast + "::warplab::emulator::known_kernel(k, \"k\", \"lab.cu\", 1)"))
        << cast;
  EXPECT_TRUE(contains(translate(kernels + "void f() { g(reinterpret_cast<void*>(n::t<int>)); }"),
                       "known_kernel(n::t<int>, \"n::t<int>\", \"lab.cu\", 1)"));
  for (const std::string other : {"g(k)", "k<<<1, 1>>>(2)", "g((int*)k)", "g((void*)l)"})
    EXPECT_FALSE(contains(translate(kernels + "void f() { " + other + "; }"), "known_kernel")) << other;
  EXPECT_FALSE(contains(translate(kernels + "void f(int* k) { g((void*)k); }"), "known_kernel"));
  EXPECT_FALSE(contains(translate("__global__ void k(int); void f() { g((void*)k); }"), "known_kernel"));
}

TEST(Translator, MakesAFunctionOfAKernelsName) {
  for (const std::string kernel : {"k", "(void*)k", "(const void*)k", "reinterpret_cast<const void*>(k)"})
    EXPECT_TRUE(
        contains(translate("__global__ void k(int); void f(cudaFunction_t* g) { cudaGetFuncBySymbol(g, " +
                           kernel + "); }"),
                 "cudaGetFuncBySymbol(g, ::warplab::emulator::named_kernel("))
        << kernel;
}

TEST(Translator, MakesAKernelKnownThatIsAskedForItsName) {
  EXPECT_TRUE(contains(
      translate("__global__ void k(int); void f(const char** n) { cudaFuncGetName(n, (const void*)k); }"),
      "cudaFuncGetName(n, ::warplab::emulator::named_kernel("));
  EXPECT_TRUE(contains(translate("__global__ void k(int); void f(const char** n) { const void* p = (void*)k; "
                                 "cudaFuncGetName(n, p); }"),
                       "(void*)::warplab::emulator::known_kernel(k, "));
}

TEST(Translator, MakesTheAlignmentOfDynamicMemoryKnown) {
  const auto registered = [](const std::string& declaration) {
    const std::string out =
        translate("__global__ void k() { extern __shared__ " + declaration + " char x[]; }");
    const std::string call = "DynamicAlignment warplab_dynamic_alignment(";
    const std::size_t at = out.find(call);
    return at == std::string::npos ? "" : out.substr(at + call.size(), out.find(')', at) - at - call.size());
  };
  EXPECT_EQ(registered("__align__(1024)"), "1024");
  EXPECT_EQ(registered("alignas(256)"), "256");
  EXPECT_EQ(registered("alignas(wanted<T>())"), "1024");
  EXPECT_EQ(registered("alignas(16 * 16)"), "1024");
  EXPECT_EQ(registered("__align__(16)"), "");
  EXPECT_EQ(registered(""), "");
}

TEST(Translator, TellsWhatIsWrongWithPtxForCopiesAndBarriers) {
  const auto error = [](const std::string& ptx) {
    return error_of("__device__ void f(unsigned x, const void* y) {\n  asm volatile(\"" + ptx +
                    "\" :: \"r\"(x), \"l\"(y));\n}");
  };
  EXPECT_EQ(error("mbarrier.init.shared::cta.b64 [%0], 1;"), "");
  EXPECT_EQ(error("barrier.cluster.arrive.release.aligned;"), "");
  EXPECT_EQ(error("fence.proxy.async.shared::cta;"), "");
  EXPECT_TRUE(contains(error("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0];"), "operands; it needs 3"));
  EXPECT_TRUE(
      contains(error("mbarrier.try_wait.parity.shared::cluster.b64 %0, [%0], 1;"), "is not one that"));
  EXPECT_TRUE(
      contains(error("cp.async.bulk.shared::cluster.global.bulk_group [%0], [%1], 16;"), "is not one that"));
  EXPECT_TRUE(contains(error("cp.async.bulk.global.shared::cta.bulk_group [%1], [%0];"), "it needs 3"));
  EXPECT_TRUE(contains(error("cp.reduce.async.bulk.global.shared::cta.bulk_group.and.f32 [%1], [%0], 16;"),
                       "is not one that"));
  EXPECT_TRUE(contains(error("fence.proxy.unknown;"), "is not one that"));
}

TEST(Translator, KeepsEveryLineWhereItWas) {
  const std::string code =
      "__global__ void k(int* x) {\n  __shared__\n  int s[2];\n  s[0] = 1;\n}\nvoid h(int* x) {\n  k<<<1,\n  "
      "2>>>(x);\n}\nint last;";
  const std::string out = translate(code);
  EXPECT_EQ(place_of(out, "s[0] = 1;"), "4:3");
  EXPECT_EQ(place_of(out, "(x);"), "8:" + place_of(out, "(x);").substr(2));
  EXPECT_EQ(place_of(out, "int last;"), "10:1");
}

TEST(Translator, KeepsTheColumnsOfStatementsBehindWhatItInserts) {
  const std::string code =
      "__global__ void k(int* x) { wrong(x); }\n"
      "__device__ int f(int* x) { int i = threadIdx.x; right(x); }\n"
      "void h(int* x) { k<<<1, 2>>>(x); last(x); }\n";
  const std::string out = translate(code);
  for (const char* statement : {"wrong(x)", "right(x)", "last(x)"})
    EXPECT_EQ(place_of(out, statement), place_of(code, statement));
}

TEST(Translator, KernelsWithoutWaitingRunInPlace) {
  EXPECT_TRUE(runs_in_place("x[threadIdx.x] = n;"));
  EXPECT_TRUE(runs_in_place("if (n) atomicAdd(x, 1);"));
  EXPECT_FALSE(runs_in_place("while (atomicAdd(x, 0) == 0) {}"));
  EXPECT_TRUE(runs_in_place("if (n) { (void)atomicAdd(x, 1); } else atomicAdd(x, 2);"));
  EXPECT_FALSE(runs_in_place("while ((int)atomicAdd(x, 0) == 0);"));
  EXPECT_FALSE(runs_in_place("while (atomicCAS(x, 0, 1)) {}"));
  EXPECT_FALSE(runs_in_place("x[0] = __shfl_sync(~0u, n, 0);"));
  EXPECT_FALSE(runs_in_place("volatile int* y = x; while (*y == 0) {}"));
  EXPECT_FALSE(runs_in_place("auto b = cooperative_groups::this_thread_block(); b.sync();"));
}

TEST(Translator, ALoopThatLooksAtAVolatileVariableWaitsWhereverThatIsDeclared) {
  const auto threads = [](const std::string& code) {
    const std::string out = translate(code);
    return contains(out, "Threads::fibers") && contains(out, "note_idle_poll()") ? "poll"
           : contains(out, "Threads::fibers")                                    ? "fibers"
                                                                                 : "in place";
  };
  const auto kernel = [&](const std::string& parameters, const std::string& body) {
    return threads("__global__ void k(" + parameters + ") { " + body + " }");
  };
  EXPECT_EQ(kernel("volatile int* f", "if (threadIdx.x == 32) *f = 1; while (*f == 0) {}"), "poll");
  EXPECT_EQ(kernel("int n, int volatile* __restrict__ f", "while (f[n] == 0) { n = 0; }"), "poll");
  EXPECT_EQ(kernel("volatile int* f", "do { f[1] = 2; } while (f[0] == 0);"), "poll");
  EXPECT_EQ(threads("__device__ volatile int f; __global__ void k() { while (f == 0); }"), "poll");
  EXPECT_EQ(threads("struct Flag { volatile int f; }; __global__ void k(Flag* at) { while (at->f == 0) {} }"),
            "poll");
  EXPECT_EQ(threads("using flag_t = volatile int; __global__ void k(flag_t* f) { while (*f == 0) {} }"),
            "poll");
  EXPECT_EQ(threads("typedef volatile int flag_t; __global__ void k(flag_t* f) { while (*f == 0) {} }"),
            "poll");
  EXPECT_EQ(threads("__device__ void wait_for(volatile int* f) { while (*f == 0) {} } "
                    "__global__ void k(int* f) { wait_for(f); }"),
            "poll");
  EXPECT_EQ(threads("__device__ int read(volatile int* f) { return *f; } "
                    "__global__ void k(int* f) { while (read(f) == 0) {} }"),
            "poll");
  EXPECT_FALSE(
      contains(translate("__global__ void k(volatile int* f) { while (*f == 0) {} __syncthreads(); }"),
               "ThreadRegions"));
  EXPECT_EQ(kernel("volatile int* f, int n, int* x", "for (int i = 0; i < n; ++i) x[i] = 1; f[0] = x[0];"),
            "in place");
  EXPECT_EQ(threads("__device__ void fold(volatile int* x, int i) { x[i] += x[i + 1]; } "
                    "__global__ void k(int* x, int n) { for (int i = 0; i < n; ++i) x[i] = 1; fold(x, n); }"),
            "in place");
}

TEST(Translator, ALoopThatLooksAtAnAtomicObjectWaits) {
  const auto on_fibers = [](const std::string& parameters, const std::string& body) {
    return contains(translate("using flag_t = cuda::atomic<int, cuda::thread_scope_device>; "
                              "__device__ flag_t at_file_scope; __global__ void k(" +
                              parameters + ") { " + body + " }"),
                    "Threads::fibers");
  };
  EXPECT_TRUE(on_fibers("flag_t* f", "while (*f == 0) continue;"));
  EXPECT_TRUE(on_fibers("cuda::atomic<int>* f", "while (*f == 0) continue;"));
  EXPECT_TRUE(on_fibers("int* x", "while (at_file_scope == 0) continue;"));
  EXPECT_TRUE(on_fibers("flag_t* f", "while (f->fetch_or(0) == 0);"));
  EXPECT_TRUE(on_fibers("Barrier* b", "while (!b->try_wait_parity(0));"));
  EXPECT_TRUE(on_fibers("Pipe& p", "p.wait_prior(0);"));
  EXPECT_FALSE(on_fibers("flag_t* f, int* x, int n", "for (int i = 0; i < n; ++i) x[i] = 0; *f += 1;"));
}

TEST(Translator, AFunctionThatWaitsOrAsksWhoItIsNeedsFibers) {
  const std::string kernel = "__global__ void k(int* x) { x[0] = f(x); }";
  EXPECT_TRUE(contains(translate("__device__ int f(int* x) { return x[1]; }" + kernel), "Threads::in_place"));
  EXPECT_TRUE(
      contains(translate("__device__ int f(int* x) { return threadIdx.x; }" + kernel), "Threads::fibers"));
  EXPECT_TRUE(contains(
      translate("__device__ int g() { __syncthreads(); return 1; } __device__ int f(int* x) { return g(); }" +
                kernel),
      "Threads::fibers"));
  EXPECT_TRUE(
      contains(translate("struct F { __device__ int operator()(int* x) const { __syncwarp(); return 0; } };"
                         "__global__ void k(int* x, F f) { f(x); }"),
               "Threads::fibers"));
}

// Each takes the address of a function in its own way.
TEST(Translator, ACallThatNamesNoFunctionMayBeOfOneThatWaits) {
  const std::string waits = "__device__ int f(int v) { __syncwarp(); return v; } ";
  const std::string called = "using F = int (*)(int); __global__ void k(int* x, F p) { x[0] = p(1); } ";
  const auto in_place = [](const std::string& code) {
    return contains(translate(code), "Threads::in_place");
  };
  for (const char* address :
       {"__device__ F table[] = {f};", "__device__ F one = f;", "__device__ F one = &f;",
        "__device__ F one{f};", "__device__ F g() { return f; }",
        "__device__ F g(bool b) { return b ? f : nullptr; }",
        "template <F p> __global__ void t(); void l() { t<f><<<1, 1>>>(); }",
        "struct S { __device__ static int f(int); }; __device__ F one = &S::f;"})
    EXPECT_FALSE(in_place(waits + called + address)) << address;
  const std::string addressed = waits + "__device__ int (*one)(int) = f; ";
  for (const char* call :
       {"void k(int* x, int (*p)(int)) { x[0] = p(1); }", "void k(int* x) { x[0] = (*one)(1); }",
        "void k(int* x, int (&p)(int)) { x[0] = p(1); }", "void k(int* x, S s) { x[0] = s.p(1); }",
        "void k(int* x, S s, int (S::*p)(int)) { x[0] = (s.*p)(1); }", "void k(int* x) { x[0] = g(1)(1); }",
        "void k(int* x) { auto p = one; x[0] = p(1); }", "void k(int* x) { x[0] = std::invoke(one, 1); }"})
    EXPECT_FALSE(in_place(addressed + "struct S { int (*p)(int); }; __global__ " + call)) << call;
  EXPECT_FALSE(in_place(addressed + "template <int (*P)(int)> __global__ void k(int* x) { x[0] = P(1); }"));
  EXPECT_FALSE(in_place(addressed + "template <class F> __global__ void k(int* x, F p) { x[0] = p(1); }"));
  EXPECT_FALSE(in_place(addressed + "template <auto P> __global__ void k(int* x) { x[0] = P(1); }"));
}

TEST(Translator, ACallThatNamesNoFunctionIsAnObjectsWhereNoAddressOfAFunctionThatWaitsIsTaken) {
  const std::string waits = "__device__ int f(int v) { __syncwarp(); return v; } ";
  for (const char* code :
       {"template <class F> __global__ void k(int* x, F p) { x[0] = p(1); } __global__ void other(int* x) { "
        "x[0] "
        "= f(1); }",
        "struct S { int f; }; template <class F> __global__ void k(int* x, F p) { x[0] = p(1); }",
        "__device__ int g(int v) { return v; } __device__ int (*one)(int) = g; __global__ void k(int* x) { "
        "x[0] = "
        "one(1); }",
        "__device__ int (*one)(int) = f; __global__ void k(int* x) { x[0] = int(1.f) + (int)(2.f); }"})
    EXPECT_TRUE(contains(translate(waits + code), "Threads::in_place")) << code;
}

TEST(Translator, AFunctionOrAPointerOfAnotherFileMayWait) {
  for (const char* code :
       {"__device__ int f(int); __global__ void k(int* x) { x[0] = f(1); }",
        "extern __device__ int f(); __device__ int g() { return f(); } __global__ void k(int* x) { x[0] = "
        "g(); }",
        "struct S { __device__ int f() const; }; __global__ void k(int* x, S s) { x[0] = s.f(); }",
        "typedef int (*F)(int); extern __device__ F p; __global__ void k(int* x) { x[0] = p(1); }",
        "typedef int (*F)(int); __global__ void k(int* x, F p) { x[0] = p(1); }"})
    EXPECT_FALSE(contains(translate(code), "Threads::in_place")) << code;
  for (const char* code : {"__device__ int f(int); __device__ int f(int v) { return v; } __global__ void "
                           "k(int* x) { x[0] = f(1); }",
                           "struct S { __device__ int f() const; }; __device__ int S::f() const { return 1; "
                           "} __global__ void k(int* "
                           "x, S s) { x[0] = s.f(); }",
                           "__device__ int f(100); __global__ void k(int* x) { x[0] = f; }",
                           "struct S { __device__ S() = default; __device__ int f(int) = delete; }; "
                           "__global__ void k(int* x) { S s; }"})
    EXPECT_TRUE(contains(translate(code), "Threads::in_place")) << code;
}

TEST(Translator, PlainBarriersCutAKernelIntoRegions) {
  EXPECT_TRUE(runs_in_regions("x[threadIdx.x] = 1; __syncthreads(); x[n] = 2;"));
  EXPECT_TRUE(runs_in_regions("if (n) { x[0] = 1; } __syncthreads(); if (n) return; x[n] = 2;"));
  EXPECT_TRUE(runs_in_regions("bool both = n > 0 && x[0] & 1; __syncthreads(); x[n] = both;"));
  EXPECT_TRUE(runs_in_regions("if (x[n]) return; __syncthreads(); x[0] = 1;"));
  EXPECT_TRUE(runs_in_regions("int y[4]; y[0] = n; __syncthreads(); x[0] = y[0];"));
}

TEST(Translator, LoopsWithBarriersThatAllThreadsRunAlikeAreTheBlocks) {
  EXPECT_TRUE(runs_in_regions("for (int i = 0; i < n; ++i) { x[i] = 1; __syncthreads(); }"));
  EXPECT_TRUE(runs_in_regions("for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) { __syncthreads(); }"));
  EXPECT_TRUE(
      runs_in_regions("int s = n; while (s > 1) { x[s] = 1; __syncthreads(); s = s / 2; x[s] = 2; }"));
  EXPECT_TRUE(runs_in_regions("int s = 1; do { x[s] = 1; __syncthreads(); s *= 2; } while (s < n);"));
  EXPECT_TRUE(runs_in_regions("for (int i = 0; i < n; ++i) for (int j = i; j; --j) __syncthreads();"));
  EXPECT_TRUE(runs_in_regions("if (n > 3) { __syncthreads(); } else { x[0] = 1; }"));
  EXPECT_TRUE(runs_in_regions("for (;;) { if (n < 3) break; __syncthreads(); n -= 1; }"));
  EXPECT_TRUE(runs_in_regions("for (int i = 0;; ++i) { if (x[i]) return; __syncthreads(); }"));
}

TEST(Translator, LoopsWithBarriersThatThreadsMayRunDifferentlyAreNotTheBlocks) {
  EXPECT_FALSE(runs_in_regions("if (x[0]) __syncthreads();")) << "not reached by all";
  EXPECT_FALSE(runs_in_regions("if (threadIdx.x < n) { __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("for (int i = threadIdx.x; i < n; ++i) { __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("for (int i = 0; i < x[0]; ++i) { __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("for (int i = 0; i < n; ++i) { if (x[i]) ++i; __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("for (int i = 0; i < n; ++i) { if (x[i]) break; __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("for (int i = 0; i < n; ++i) { if (x[i]) continue; __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("n = x[0]; for (int i = 0; i < n; ++i) { __syncthreads(); }"));
  EXPECT_FALSE(runs_in_regions("int& m = n; m = x[0]; for (int i = 0; i < n; ++i) __syncthreads();"));
  EXPECT_FALSE(runs_in_regions("*(int*)&n = x[0]; for (int i = 0; i < n; ++i) __syncthreads();"));
  EXPECT_FALSE(runs_in_regions("std::swap(n, x[0]); for (int i = 0; i < n; ++i) __syncthreads();"));
  EXPECT_FALSE(runs_in_regions("int m = (int)*x; for (int i = 0; i < m; ++i) __syncthreads();"));
  EXPECT_FALSE(runs_in_regions("again: __syncthreads(); if (n--) goto again;"));
  EXPECT_FALSE(runs_in_regions("switch (n) { case 1: __syncthreads(); }"));
  EXPECT_FALSE(contains(translate("__device__ int m; __global__ void k() { for (int i = 0; i < m; ++i) "
                                  "__syncthreads(); }"),
                        "ThreadRegions"))
      << "another thread may change it";
  EXPECT_FALSE(contains(translate("__device__ void change(int& m) { m = 1; } __global__ void k(int n) { "
                                  "change(n); for (int i = 0; i < n; ++i) __syncthreads(); }"),
                        "ThreadRegions"));
}

TEST(Translator, WhatACopyWouldNotCarryOverABarrierPreventsRegions) {
  EXPECT_FALSE(runs_in_regions("int& y = x[0]; __syncthreads(); y = 1;"));
  EXPECT_FALSE(runs_in_regions("auto& y = x[0]; __syncthreads(); y = 1;"));
  EXPECT_FALSE(runs_in_regions("int y = n; int& r{y}; __syncthreads(); r = 1; x[0] = y;"));
  EXPECT_FALSE(runs_in_regions("int y = n; auto& r(y); __syncthreads(); r = 1; x[0] = y;"));
  EXPECT_FALSE(runs_in_regions("int y = n; auto&& r = y; __syncthreads(); r = 1; x[0] = y;"));
  EXPECT_FALSE(runs_in_regions("int y = n; int&& r = std::move(y); __syncthreads(); r = 1; x[0] = y;"));
  EXPECT_FALSE(runs_in_regions("int y = n; decltype(auto) r = (y); __syncthreads(); r = 1; x[0] = y;"));
  EXPECT_FALSE(runs_in_regions("auto y = make(n); __syncthreads(); x[0] = *y.self;"));
  EXPECT_FALSE(runs_in_regions("int y = n; int* p = address_of(y); __syncthreads(); x[0] = *p;"));
  EXPECT_FALSE(runs_in_regions("Row y; y[0] = n; int* p = y; __syncthreads(); x[0] = p[0];"));
  EXPECT_FALSE(runs_in_regions("Sums y; int* p = y.data(); __syncthreads(); x[0] = p[0];"));
  EXPECT_FALSE(runs_in_regions("Sums<int, 4> y; int* p = y.data(); __syncthreads(); x[0] = p[0];"));
  EXPECT_FALSE(runs_in_regions("int y[4]; int* p = y; __syncthreads(); x[0] = p[0];"));
  EXPECT_FALSE(runs_in_regions("int y = n; int* p = &y; __syncthreads(); x[0] = *p;"));
  EXPECT_FALSE(runs_in_regions("int y = n; int* p = (int*)&y; __syncthreads(); x[0] = *p;"));
  EXPECT_FALSE(runs_in_regions("auto [a, b] = pair(n); __syncthreads(); x[0] = b;"));
  EXPECT_FALSE(runs_in_regions("int y = n; auto f = [&] { ++y; }; __syncthreads(); f();"));
  EXPECT_FALSE(runs_in_regions("int m = __syncthreads_count(n); x[0] = m;"));
}

TEST(Translator, FunctionsOfAWarpCutAKernelIntoRegions) {
  EXPECT_TRUE(runs_in_regions("__syncthreads(); x[0] = __shfl_sync(~0u, n, 0);"));
  EXPECT_TRUE(runs_in_regions("for (int d = 16; d; d /= 2) n += __shfl_xor_sync(~0u, n, d);"));
  EXPECT_TRUE(runs_in_regions("Pair p = {__any_sync(~0u, x[n]), __all_sync(~0u, n)}; x[0] = 1;"));
  EXPECT_TRUE(runs_in_regions("if (n > 3) { x[0] = __popc(__ballot_sync(~0u, n)); } __syncwarp();"));
  EXPECT_FALSE(runs_in_regions("x[0] = n ? __shfl_sync(~0u, n, 0) : 0;")) << "not by all threads";
  EXPECT_FALSE(runs_in_regions("x[0] = n && __any_sync(~0u, n);"));
  EXPECT_FALSE(runs_in_regions("while (__any_sync(~0u, x[n])) ++n;"));
  EXPECT_FALSE(runs_in_regions("x[0] = __shfl_sync(~0u, __shfl_sync(~0u, n, 0), 0);"));
  EXPECT_FALSE(runs_in_regions("int a = n, b = __shfl_sync(~0u, a, 0); x[0] = b;"));
  EXPECT_FALSE(runs_in_regions("x[0] = __match_any_sync(~0u, n);"));
  EXPECT_TRUE(runs_in_regions("__syncthreads(); x[0] = __activemask();"));
  EXPECT_FALSE(runs_in_regions("for (int i = threadIdx.x; i < n; ++i) x[i] = __shfl_sync(~0u, n, 0);"));
}

TEST(Translator, WholeWarpsMayTakeABranchInRegions) {
  const auto takes = [](const std::string& condition) {
    return runs_in_regions("int t = threadIdx.x, warp = t / 32, w = t >> 5, lane = t % 32; if (" + condition +
                           ") x[0] = __shfl_sync(~0u, n, 0); x[1] = warp + w + lane;");
  };
  for (const char* condition :
       {"threadIdx.x / 32 == 0", "threadIdx.x >> 5 == 1", "t < 32", "t >= 64u", "threadIdx.x < 0x20",
        "threadIdx.x < warpSize", "warp == n", "w % 2 && n > 1", "(t / 32) % 2", "t / warpSize % 4 == 3"})
    EXPECT_TRUE(takes(condition)) << condition;
  for (const char* condition : {"t < 16",           "t < 33",
                                "t <= 32",          "t > 32",
                                "32 > t",           "t == 0",
                                "lane == 0",        "x[0]",
                                "t + 1 < 32",       "n * t / 32",
                                "t / 16 == 0",      "t >> 4",
                                "n + t >> 5",       "t >> 5 + n",
                                "t < 32 + n",       "t % 32 / 32 == 0",
                                "threadIdx.y / 32", "threadIdx.x < 32.5",
                                "warp == lane",     "t << 5"})
    EXPECT_FALSE(takes(condition)) << condition;
  EXPECT_FALSE(runs_in_regions("int t = threadIdx.x; t += n; if (t < 32) __syncwarp(); x[0] = t;"));
  EXPECT_FALSE(runs_in_regions("if (threadIdx.x < 32) { __syncwarp(); __syncthreads(); }"));
  EXPECT_FALSE(
      runs_in_regions("int m = 4; if (threadIdx.x < 32) { m = 3; __syncwarp(); } "
                      "for (int i = 0; i < m; ++i) __syncthreads();"));
  EXPECT_FALSE(runs_in_regions("for (;;) { if (threadIdx.x < 32) { __syncwarp(); break; } }"));
}

TEST(Translator, AVariablesTypeSaysWhetherItsQuotientIsAWarps) {
  const std::string branch = "if (t / 32 == 0) x[0] = __shfl_sync(~0u, x[1], 0);";
  for (const char* type : {"int", "const unsigned", "auto", "unsigned int", "size_t", "std::uint32_t"})
    EXPECT_TRUE(runs_in_regions(type + (" t = threadIdx.x; " + branch))) << type;
  for (const char* type : {"float", "double", "half", "bool", "char", "signed char", "uint8_t"})
    EXPECT_FALSE(runs_in_regions(type + (" t = threadIdx.x; " + branch))) << type;
}

TEST(Translator, FunctionsOfThreadsAreWrittenInRegionsToo) {
  const auto in_regions = [](const std::string& functions, const std::string& body) {
    const std::string text = translate(functions + " __global__ void k(int* x, int n) {" + body + "}");
    return contains(text, "ThreadRegions warplab_threads;");
  };
  const std::string sum =
      "__device__ int sum(int v) { for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); return v; } ";
  EXPECT_TRUE(in_regions(sum, "x[n] = sum(n);"));
  EXPECT_TRUE(
      in_regions(sum + "__device__ int twice(int v) { return sum(v) + sum(v); }", "x[n] = twice(n);"));
  EXPECT_TRUE(in_regions("__device__ int mine() { return threadIdx.x; }", "const int i = mine(); x[i] = 1;"));
  EXPECT_TRUE(in_regions("__device__ void wait() { __syncthreads(); }", "x[n] = 1; wait(); x[1] = n;"));
  EXPECT_TRUE(in_regions("template <class T> __device__ T get(T v) { return __shfl_sync(~0u, v, 0); }",
                         "x[n] = get(n);"));
  EXPECT_FALSE(in_regions("template <class T> __device__ T get(T v) { return __shfl_sync(~0u, v, 0); }",
                          "x[n] = get<float>(n);"));
  EXPECT_FALSE(in_regions("", "x[n] = sum(n);}" + sum + "void f() {")) << "declared later";
  EXPECT_FALSE(in_regions(sum + "__device__ float sum(float v) { return v; }", "x[n] = sum(n);"));
  EXPECT_FALSE(in_regions("struct S { " + sum + "};", "S s; x[n] = s.sum(n);"));
  EXPECT_FALSE(in_regions("__device__ void wait() { __syncthreads(); }", "if (threadIdx.x < 32) wait();"));
  EXPECT_FALSE(in_regions("__device__ int f(int& v) { __syncwarp(); return v; }", "x[n] = f(n);"));
  EXPECT_FALSE(
      in_regions("__device__ int f(int v) { if (v) return 1; __syncwarp(); return 2; }", "x[n] = f(n);"));
  EXPECT_FALSE(
      in_regions("__device__ int f(int* v) { __syncwarp(); return *v; }", "int y = n; x[0] = f(&y);"));
  EXPECT_FALSE(contains(translate("__device__ int f(const int (&v)[4]) { return v[threadIdx.x]; }"),
                        "warplab_in_regions_f"));
  EXPECT_FALSE(in_regions("__device__ int f(Pair v) { __syncwarp(); return v.a; }", "x[n] = f(p);"));
}

// Loops over threads go down strips of columns, which is not the order of a warp's lanes.
TEST(Translator, ThreadsThatPrintDoSoInTheOrderOfTheirNumbers) {
  const std::string helper = "__device__ void show(int i) { printf(\"%d\", i); } ";
  EXPECT_TRUE(contains(translate("__global__ void k(int* x) { x[0] = 1; }"), "Threads::in_place"));
  EXPECT_FALSE(
      contains(translate("__global__ void k() { printf(\"%d\", threadIdx.x); }"), "Threads::in_place"));
  EXPECT_FALSE(contains(translate(helper + "__global__ void k() { show(1); }"), "Threads::in_place"));
  EXPECT_TRUE(runs_in_regions("x[0] = n; __syncthreads(); x[1] = n;"));
  EXPECT_FALSE(runs_in_regions("x[0] = n; __syncthreads(); printf(\"%d\", n);"));
}

TEST(Translator, OfObjectsBesideBarriersOnlyNumbersAndVectorsAreCopied) {
  EXPECT_TRUE(runs_in_regions("float4 v = y; std::uint64_t w = n; __syncthreads(); x[0] = v.x + w;"));
  EXPECT_TRUE(runs_in_regions("bool b = n < 4 && 5 > n; int c = n > b; __syncthreads(); x[0] = b + c;"));
  EXPECT_TRUE(runs_in_regions("auto i = threadIdx.x + n; int* p = x + i; __syncthreads(); *p = i;"));
  const auto in_regions = [](const std::string& kernel) {
    return contains(translate(kernel), "ThreadRegions");
  };
  EXPECT_TRUE(
      in_regions("template <class T> __global__ void k(T* x) { T y = x[1]; __syncthreads(); x[0] = y; }"));
  EXPECT_FALSE(
      in_regions("__global__ void k(Sums s, int* x) { int* p = s.v; __syncthreads(); x[0] = p[0]; }"));
}

TEST(Translator, TypesThatDependOnATemplateAreTheCompilersToJudge) {
  const std::string kernel =
      "template <class T> __global__ void k(const Matrix<T> m) { Sum<T> s = 0; for (int i = 0; i < m.k; ++i) "
      "{ __syncthreads(); s += m.a[i]; } m.b[0] = s; }";
  EXPECT_TRUE(contains(translate(kernel), "if constexpr (::std::is_arithmetic_v<Sum<T>>)"));
  EXPECT_TRUE(contains(translate(kernel), "ThreadRegions"));
  EXPECT_TRUE(contains(translate(kernel), "run_coroutines")) << "for the others";
}

TEST(Translator, OtherBarriersOfAKernelsOwnBodyMakeItACoroutine) {
  EXPECT_TRUE(runs_as_coroutines("for (int i = 0; i < x[0]; ++i) { x[i] = 1; __syncthreads(); }"));
  EXPECT_TRUE(runs_as_coroutines("if (x[n]) { x[n] = 0; __syncthreads(); }"));
  EXPECT_TRUE(runs_as_coroutines("int y[4]; int* p = y; y[0] = n; __syncthreads(); x[0] = p[0];"));
  EXPECT_FALSE(runs_as_coroutines("for (;;) { __syncthreads(); x[0] = __shfl_sync(~0u, n, 0); }"));
  EXPECT_FALSE(runs_as_coroutines("auto f = [&] { return 1; }; for (;;) { x[0] = f(); __syncthreads(); }"));
  EXPECT_FALSE(runs_as_coroutines("for (;;) { if (__syncthreads_count(n)) return; }"));
}

TEST(Translator, AFileMayEndWithABlockOfCLinkage) {
  const std::string code = "extern \"C\" { int f(int); }";
  EXPECT_EQ(translate(code), "# 1 \"lab.cu\"\n" + code + "\n");
}

TEST(Translator, DropsHintsForNvcc) {
  EXPECT_FALSE(contains(translate("void f() {\n#pragma unroll 4\n  for (;;) {}\n}"), "unroll"));
  EXPECT_TRUE(contains(translate("#pragma GCC ivdep"), "#pragma GCC ivdep"));
}

// An asm statement in a device function, on line 2.
std::string asm_error(const std::string& statement) {
  return error_of("__device__ void f(int x, int y) {\n  " + statement + "\n}");
}

TEST(Translator, TurnsInlinePtxIntoCalls) {
  const std::string text = translate(
      "__device__ int f(int x) { int y; asm volatile(\"add.s32 %0, %1, 5;\" : \"=r\"(y) : \"r\"(x)); "
      "return y; }");
  EXPECT_TRUE(contains(text, "::warplab::emulator::ptx::add(")) << text;
  EXPECT_FALSE(contains(text, "asm")) << text;
  EXPECT_FALSE(contains(translate("__device__ void f() { asm volatile(\"\" ::: \"memory\"); }"), "asm"));
  EXPECT_TRUE(contains(translate("void host() { asm volatile(\"nop\"); }"), "asm"));
}

TEST(Translator, SaysWhatIsWrongWithWgmma) {
  const auto error = [](const std::string& instruction) {
    return asm_error("asm(\"wgmma.mma_async.sync.aligned." + instruction +
                     " {%0}, %1, %1, 1, 1, 1, 0, 0;\");");
  };
  for (const char* unknown : {"m64n12k16.f32.f16.f16", "m64n8k8.f32.f16.f16", "m64n264k16.f32.f16.f16",
                              "m64n8k16.f16.bf16.bf16", "m64n40k32.s32.s8.s8", "m64n8k16.f32.f16.bf16"})
    EXPECT_TRUE(contains(error(unknown), "is not one that the emulator has")) << unknown;
  EXPECT_TRUE(contains(error("m64n8k16.f32.f16.f16"), "needs 4 registers in braces"));
}

TEST(Translator, AMembersInitialValueMayNameTheThread) {
  const std::string text =
      translate("struct Lane {\n  int lane = threadIdx.x % 32;\n};\n__global__ void k() { Lane l; }");
  EXPECT_TRUE(contains(text, "current_indices.thread).x % 32")) << text;
  EXPECT_FALSE(contains(text, "in_place>")) << "the thread must be known outside the kernel's own body";
}

TEST(Translator, SaysWhatIsWrongWithInlinePtx) {
  const std::string at = "lab.cu:2: error: asm: ";
  EXPECT_EQ(asm_error("asm(\"{\\n\"\n\"tcgen05.fence;}\");"),
            "lab.cu:3: error: asm: PTX instruction 'tcgen05.fence' is not one that the emulator has; see "
            "emulator/README-ptx.md");
  EXPECT_EQ(
      asm_error("asm volatile(\"add.what.s32 %0, %1, 1;\" : \"=r\"(x) : \"r\"(y));"),
      at + "PTX instruction 'add.what.s32' is not one that the emulator has; see emulator/README-ptx.md");
  EXPECT_EQ(asm_error("asm volatile(\"add.s32 %0, %2, 1;\" : \"=r\"(x) : \"r\"(y));"),
            at + "the asm statement has no operand %2");
  EXPECT_EQ(asm_error("asm volatile(\"add.s32 %0, a, 1;\" : \"=r\"(x));"), at + "unknown PTX symbol 'a'");
  EXPECT_EQ(asm_error("asm volatile(\"add.s32 %0, %1;\" : \"=r\"(x) : \"r\"(y));"),
            at + "PTX instruction 'add.s32' has 2 operands; it needs 3");
  EXPECT_EQ(asm_error("asm volatile(\"add.s32 %0, %1, %%tid.x;\" : \"=r\"(x) : \"r\"(y));"),
            at + "a special register is not allowed for PTX instruction 'add.s32', only for mov");
  EXPECT_TRUE(contains(asm_error("asm volatile(\"mov.b32 %0, 1;\" : \"=q\"(x));"), "the constraint \"=q\""));
  EXPECT_TRUE(contains(asm_error("asm volatile(\"mov.b32 %0, 1;\" : \"r\"(x));"), "outputs have"));
  EXPECT_TRUE(
      contains(asm_error("asm volatile(\"movl (%1), %%eax\" :: \"r\"(x), \"r\"(y));"), "can't be read"));
  EXPECT_TRUE(
      contains(asm_error("asm volatile(\"mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32 {%0}, {%0}, "
                         "{%0}, {%0};\" : \"+r\"(x));"),
               "is not one that the emulator has"));
}

TEST(Translator, SaysWhereCodeCannotRun) {
  EXPECT_TRUE(contains(error_of("void f() {\n  k<<<1, 2(x);\n}"), "lab.cu:2: error: '<<<' without '>>>'"));
  EXPECT_TRUE(contains(error_of("struct S { __shared__ int s[2]; };"), "must be in a kernel"));
  for (const char* declaration :
       {"int s = 5", "int s[2] = {1, 2}", "float a, b{1}", "struct { int x; } s = {1}"})
    EXPECT_TRUE(contains(error_of(std::string("__global__ void k() { __shared__ ") + declaration + "; }"),
                         "a __shared__ variable cannot be initialised"))
        << declaration;
  EXPECT_EQ(error_of("__global__ void k(int n) { if (n) throw 1; }"),
            "lab.cu:1: error: kernels have no exceptions");
  EXPECT_EQ(error_of("__global__ void k() { struct S { void f() throw(); }; }"), "");
  EXPECT_TRUE(contains(error_of("void f() {\n"), "is never closed"));
  EXPECT_EQ(error_of("void f() {\n if (a[1] {\n }\n}"),
            "lab.cu:4: error: '}', while the '(' of line 2 is still open");
  EXPECT_TRUE(contains(error_of("}"), "unbalanced '}'"));
  EXPECT_TRUE(contains(error_of("char* s = \"open\n;"), "unterminated literal"));
}

TEST(Translator, DigraphsAreBrackets) {
  const std::string out = warplab::translator::translate(
      "# 1 \"lab.cu\"\n__global__ void k(int* x, int n) <% if (n) <% x<:0:> = 1; %> else x<:1:> = 2; %>",
      warplab::translator::Mode::lens);
  EXPECT_TRUE(contains(out, "x[ 0]  = 1;") && contains(out, "x[ 1]  = 2;")) << out;
  EXPECT_FALSE(contains(out, "<%")) << out;
}

TEST(Translator, LaunchesOfAKernelInParenthesesAfterAHead) {
  for (const char* head : {"if (n) ", "if constexpr (true) ", "if (n) n = 1; else ", "for (;;) ", "do "}) {
    const std::string out = warplab::translator::translate(
        "# 1 \"lab.cu\"\n__global__ void k(int);\nvoid f(int n) { " + std::string(head) + "(k)<<<1, 2>>>(n)" +
            (head == std::string("do ") ? "; while (n); }" : "; }"),
        warplab::translator::Mode::plain);
    EXPECT_TRUE(contains(out, std::string(head) + "::warplab::emulator::kernel(")) << out;
  }
}

// --- For the lens ---

std::string for_lens(const std::string& body) {
  return warplab::translator::translate("# 1 \"lab.cu\"\n__global__ void k(int* x, int n) {" + body + "}\n",
                                        warplab::translator::Mode::lens);
}
int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(TranslatorForTheLens, GivesUnaliasedPointersToAFunctionThatIsNotInlined) {
  const auto of = [](const std::string& parameters, warplab::translator::Mode mode) {
    return warplab::translator::translate("__global__ void k(" + parameters + ") { x[0] = 1; }", mode);
  };
  const auto lens = warplab::translator::Mode::lens, plain = warplab::translator::Mode::plain;
  const std::string out = of("const float* __restrict__ in, Object o, float* __restrict x, int n", lens);
  EXPECT_TRUE(contains(out,
                       "[&](const ::uint3 threadIdx, const ::uint3 blockIdx, const ::dim3 blockDim, "
                       "const ::dim3 gridDim, decltype(in) in, decltype(x) x, decltype(n) n) "
                       "__attribute__((noinline)) -> void { "))
      << out;
  EXPECT_TRUE(contains(out, "}(threadIdx, blockIdx, blockDim, gridDim, in, x, n); ")) << out;
  EXPECT_FALSE(contains(of("const float* in, float* x, int n", lens), "noinline"));
  EXPECT_FALSE(contains(of("const float* __restrict__ in, float* __restrict__ x, int n", plain), "noinline"));
}

TEST(TranslatorForTheLens, SaysWhichParametersMayOverlap) {
  const auto said = [](const std::string& parameters, const std::string& body = "") {
    const std::string out = warplab::translator::translate(
        "template <class T, class... Ts> __global__ void k(" + parameters + ") { " + body + " x[0] = 1; }",
        warplab::translator::Mode::lens);
    const std::string call = "lens_parameters<";
    const std::size_t at = out.find(call);
    return at == std::string::npos ? ""
                                   : out.substr(at + call.size(), out.find(">()", at) - at - call.size());
  };
  EXPECT_EQ(said("const T* in, T *x, unsigned int n"), "decltype(in), decltype(x), decltype(n)");
  EXPECT_EQ(said("Pair<int, 2> a, float* x, T n"), "decltype(a), decltype(x), decltype(n)");
  for (const char* const unusual :
       {"const T* __restrict__ in, T* x", "const T*, T* x", "T* x, unsigned int", "T* x, const T",
        "T* x, Ts... more", "T* x, int (*f)(int)", "T* x, T", "T* x, std::size_t", "T* const x, T* y"})
    EXPECT_EQ(said(unusual), "") << unusual;
  for (const char* const body :
       {"int* z = reinterpret_cast<int*>(x);", "int z = *(int*)&y[1];", "T z = __ldg(x);"})
    EXPECT_EQ(said("T* x, T* y", body), "") << body;
  EXPECT_EQ(said("T* x, T* y", "T* z = reinterpret_cast<T*>(shared) + static_cast<int>(*x);"),
            "decltype(x), decltype(y)");
}

TEST(TranslatorForTheLens, RunsEveryThreadByItself) {
  EXPECT_TRUE(contains(for_lens("x[0] = 1;"), "Threads::fibers"));
  EXPECT_FALSE(contains(for_lens("x[0] = 1; __syncthreads(); x[1] = 2;"), "ThreadRegions"));
}

TEST(TranslatorForTheLens, MarksEveryIterationOfEveryKindOfLoop) {
  const std::string bodies[] = {"for (int i = 0; i < n; ++i) x[i] = 1;",
                                "while (n > 0) --n;",
                                "do --n; while (n > 0);",
                                "do { --n; } while (n > 0);",
                                "for (;;) if (n) break; else continue;",
                                "for (int i : {1, 2}) x[i] = 1;",
                                "while (n) { }",
                                "if (n) for (;;) ; else x[0] = 1;"};
  for (const std::string& body : bodies) {
    const std::string out = for_lens(body);
    EXPECT_EQ(times(out, "LensLoop warplab_loop"), 1) << body;
    EXPECT_EQ(times(out, "warplab_loop.next()"), 1) << body;
  }
  const std::string nested = for_lens("for (;;) do while (n) --n; while (n > 1);");
  EXPECT_EQ(times(nested, "LensLoop warplab_loop"), 3);
  EXPECT_EQ(times(nested, "warplab_loop.next()"), 3);
}

TEST(TranslatorForTheLens, MarksALoopAroundALaunch) {
  for (const char* const body :
       {"for (int i = 0; i < n; ++i) k<<<1, i % 2 ? 32 : 64>>>(x, i ? 1 : 2);",
        "do k<<<1, 32>>>(x, n > 3 ? 1 : 2); while (--n > 0);", "while (n) k<<<1, 32>>>(x, --n);"}) {
    const std::string out = for_lens(body);
    EXPECT_TRUE(contains(out, "{ warplab_loop.next(); ::warplab::emulator::kernel(")) << out;
  }
}

TEST(TranslatorForTheLens, MarksBranchesButNoDeclarations) {
  EXPECT_EQ(times(for_lens("if (n > 1) x[0] = 1;"), "lens_branch("), 1);
  EXPECT_EQ(times(for_lens("if (int m = n) x[0] = m;"), "lens_branch("), 0);
  EXPECT_EQ(times(for_lens("if (int m = n; m == 2) x[0] = m;"), "lens_branch("), 1);
  EXPECT_EQ(times(for_lens("if constexpr (sizeof(int) == 4) x[0] = 1;"), "lens_branch("), 0);
  EXPECT_EQ(times(for_lens("switch (n & 3) { case 1: x[0] = 1; default: ; }"), "lens_switch_on("), 1);
  EXPECT_EQ(times(for_lens("for (int i = 0; i <= n; ++i) x[i] = 1;"), "lens_branch("), 1);
  EXPECT_EQ(times(for_lens("for (;;) break;"), "lens_branch("), 0);
}

TEST(TranslatorForTheLens, MarksBothWaysOfAConditionOfParts) {
  const std::string simple = for_lens("if (n > 1 && n < 9) x[0] = 1;");
  EXPECT_EQ(times(simple, "lens_way(true"), 1);
  EXPECT_EQ(times(simple, "lens_way(false"), 2) << "each part may fail";
  EXPECT_EQ(times(simple, "lens_branch("), 0);
  const std::string with_else = for_lens("if (n > 1 && n < 9) x[0] = 1; else x[0] = 2;");
  EXPECT_EQ(times(with_else, "lens_way(false"), 1);
  EXPECT_EQ(times(with_else, "x[0] = 2"), 1);
  EXPECT_EQ(times(with_else, "goto warplab_else_"), 2);
  // Where `&&` does not join the whole, the condition stays one.
  for (const char* const condition :
       {"n > 1 || n < 9", "n > 1 && n < 9 || n == 5", "n > 1 && n < 9 ? n : !n"})
    EXPECT_TRUE(contains(for_lens(std::string("if (") + condition + ") x[0] = 1;"), condition)) << condition;
  EXPECT_EQ(times(for_lens("while (n > 1 && n < 9) --n;"), "lens_branch("), 1);
}

TEST(TranslatorForTheLens, SaysHowLoopsUnroll) {
  const auto says = [](const std::string& body, const std::string& what) {
    const std::string out = for_lens(body), loop = "LensUnrolling::" + what;
    return contains(out, loop + ")") || contains(out, loop + ", ");
  };
  const auto calls = [](const std::string& body, const std::string& what) {
    return contains(for_lens(body), "::lens_unrolling(" + what + ")");
  };
  EXPECT_TRUE(calls("for (int i = 0; i < 4; ++i) x[i] = n;",
                    "::warplab::emulator::lens_iterations(0, 4, 1, false), 1"));
  EXPECT_TRUE(calls("for (int i = 1; i <= 9; i += 2) x[i] = n;",
                    "::warplab::emulator::lens_iterations(1, 9, 2, true), 1"));
  const std::string to_n =
      "::warplab::emulator::lens_known_iterations(static_cast<int>(0), (n), (1), false), ";
  EXPECT_TRUE(calls("for (int i = 0; i < n; ++i) x[i] = n;", to_n + "1"));
  EXPECT_TRUE(
      calls("__shared__ int t[8]; for (int i = 0; i < n; ++i) { x[i] = t[i]; x[0] = t[1]; }", to_n + "4"));
  EXPECT_TRUE(calls("for (int i = 0; i < n; ++i) x[i] = powf(n, 3);", to_n + "101"));
  EXPECT_TRUE(calls("for (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) x[i] = j;",
                    to_n + "0 + ::warplab::emulator::lens_iterations(0, 4, 1, false) * (1)"));
  EXPECT_TRUE(calls("for (int i = 0; i < x[1]; ++i) x[i] = n;", "0, 1"));
  EXPECT_TRUE(contains(for_lens("\n#pragma unroll\nfor (int i = 0; i < n; ++i) x[i] = n;"),
                       "lens_unrolling_asked(" + to_n.substr(0, to_n.size() - 2) + ")"));
  EXPECT_TRUE(says("for (int i = n; i < 4; ++i) x[i] = n;", "none"));
  EXPECT_TRUE(says("for (int i = 0; i < n; ++i) if (x[i]) break;", "none"));
  EXPECT_TRUE(says("while (n) --n;", "none"));
  EXPECT_TRUE(says("__shared__ int t[64]; for (int i = 0; i < 4; ++i) x[i] = t[n * n + i];", "none"))
      << "nobody knows how t[n * n] is aligned";
  EXPECT_TRUE(contains(for_lens("\n#pragma unroll\nfor (int i = 0; i < 4; ++i) x[i] = n;"),
                       ", ::warplab::emulator::LensUnrolling::whole"));
  EXPECT_TRUE(
      contains(for_lens("constexpr int by = 2;\n#pragma unroll by\nfor (int i = 0; i < 4; ++i) x[i] = n;"),
               "lens_unrolling_by(by, ::warplab::emulator::LensUnrolling::whole)"));
  EXPECT_TRUE(says("\n#pragma unroll 1\nfor (int i = 0; i < 4; ++i) x[i] = n;", "none"));
}

TEST(TranslatorForTheLens, SaysHowOftenALoopGoesRound) {
  const auto rounds = [](const std::string& body) {
    const std::string out = for_lens(body), call = "::warplab::emulator::lens_rounds(";
    const std::size_t at = out.find(call);
    return at == std::string::npos
               ? ""
               : out.substr(at + call.size(), out.find("::warplab", at + 2) - at - call.size());
  };
  EXPECT_EQ(rounds("for (int i = 0; i < n; ++i) x[i] = n;"), "static_cast<int>(0), (n), (1), ");
  EXPECT_EQ(rounds("const int m = n; for (long long i = n + 1; i <= m; i += m * 2) x[i] = 1;"),
            "static_cast<long long>(n + 1), (m), (m * 2), ");
  EXPECT_EQ(rounds("for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) x[i] = 1;"),
            "static_cast<unsigned int>(threadIdx.x), (n), (blockDim.x), ");
  EXPECT_EQ(rounds("int i; for (i = n; i > 0; --i) x[i] = 1;"),
            "static_cast<std::remove_reference_t<decltype(i)>>(n), (0), (1), ");
  EXPECT_EQ(rounds("for (auto i = n; i != 0; --i) x[i] = 1;"), "(n), (0), (1), ");
  for (const char* const body :
       {"for (int i = 0; i < x[0]; ++i) x[i] = 1;", "for (int i = 0; i < *x; ++i) x[i] = 1;",
        "for (int i = 0; i < n--; ++i) x[i] = 1;", "for (int i = 0; i < n; ++i) { x[i] = 1; n = 3; }",
        "for (int i = 0; i < n; ++i) { x[i] = 1; ++i; }", "for (int i = 0; i < n; ++i) if (x[i]) break;",
        "for (int i = 0; i < n; ++i) while (x[i]) x[i] /= 2;", "for (int i = n; i > 0; i /= 2) x[i] = 1;",
        "__shared__ int m; for (int i = 0; i < m; ++i) x[i] = 1;",
        "for (int i = 0, m = n; i < m; ++i) x[i] = 1;", "for (int i = 0; i < length(n); ++i) x[i] = 1;",
        "\n#pragma unroll 1\nfor (int i = 0; i < n; ++i) x[i] = 1;"})
    EXPECT_EQ(rounds(body), "") << body;
}

TEST(TranslatorForTheLens, SaysHowOftenALoopGoesRoundThatBeginsWithAVariablesValue) {
  const auto rounds = [](const std::string& body) {
    const std::string out = for_lens(body), call = "::warplab::emulator::lens_rounds(";
    const std::size_t at = out.find(call), end = out.find(", ::warplab::emulator::LensIteration", at);
    if (at == std::string::npos) return std::string();
    std::string found = out.substr(at + call.size(), end - at - call.size());
    for (const std::string name :
         {"static_cast<std::remove_reference_t<decltype(n)>>",
          "static_cast<std::remove_reference_t<decltype(i)>>", "::warplab::emulator::LensHead"})
      for (std::size_t part; (part = found.find(name)) != std::string::npos;) found.erase(part, name.size());
    return found;
  };
  const std::string up = "{false, false, true, true, false, false, false}",
                    down = "{false, true, false, true, false, true, false}",
                    down_after = "{false, true, false, true, false, true, true}";
  EXPECT_EQ(rounds("while (n > 12) { x[n] = 1; n -= 12; }"), "(n), (12), (12), " + down);
  EXPECT_EQ(rounds("while (n) x[n--] = 1;"), "(n), (0), (1), " + down);
  EXPECT_EQ(rounds("while (n--) x[n] = 1;"), "(n), (0), (1), " + down);
  EXPECT_EQ(rounds("while (--n > 0) x[n] = 1;"), "(n - 1), (0), (1), " + down);
  EXPECT_EQ(rounds("do { x[n] = 1; --n; } while (n > 0);"), "(n), (0), (1), " + down_after);
  EXPECT_EQ(rounds("do x[n] = 1; while (n-- > 0);"), "(n + 1), (0), (1), " + down_after);
  EXPECT_EQ(rounds("for (; n > 0; n -= 2) x[n] = 1;"), "(n), (0), (2), " + down);
  EXPECT_EQ(rounds("int i = 0; while (i < n) { if (x[i]) { x[i] = 2; } i++; }"), "(i), (n), (1), " + up);
  EXPECT_EQ(rounds("int i; i = 0; while (i < n) x[i++] = 1;"), "(i), (n), (1), " + up);
  EXPECT_EQ(rounds("int i = n; i += 2; while (i < 9) { x[i] = 1; i += 4; }"),
            "(i), (9), (4), {false, false, false, true, false, true, false}");
  EXPECT_EQ(rounds("int* k = x, *end = x + n; while (k != end) *k++ = 1;"),
            "static_cast<long long>(0), (end - k), (1), {false, false, false, true, false, false, false}");
  for (const char* const body : {"while (n > 0) { x[n] = 1; n /= 2; }",
                                 "while (n > 0) { x[n] = 1; if (x[0]) --n; }",
                                 "while (n > 0) { x[n] = 1; if (x[0]) { --n; } }",
                                 "while (n > 0) { x[n] = 1; x[0] && --n; }",
                                 "while (n > 0) { --n; x[n] = 1; --n; }",
                                 "while (n > 0) { x[n] = 1; ++n; }",
                                 "while (n > 0) { if (x[n]) continue; --n; }",
                                 "while (n > 0) { if (x[n]) break; --n; }",
                                 "while (n > 0) { x[n] = 1; for (int j = 0; j < 4; --n) j += 2; }",
                                 "while (n > x[0]) { x[n] = 1; --n; }",
                                 "while (n > 0 && x[n]) --n;",
                                 "while (n << 1) --n;",
                                 "while (x[0]) --x[0];",
                                 "int m = n; while (n > m) { --n; --m; }",
                                 "int* p = &n; while (n > 0) { x[n] = 1; --n; }",
                                 "int& m = n; while (n > 0) { x[n] = 1; --n; }",
                                 "int3 m; while (m.x > 0) { x[n] = 1; --m.x; }",
                                 "__shared__ int m; while (m > 0) { x[n] = 1; --m; }",
                                 "volatile int m = n; while (m > 0) { x[n] = 1; --m; }",
                                 "auto f = [&] { n = 0; }; while (n > 0) { x[n] = 1; --n; }",
                                 "for (int j = x[0]; j < x[1]; ++j) while (n > 0) { x[n] = 1; --n; }",
                                 "int *k = x, *end = x + n; while (k < end) *k++ = 1;",
                                 "int* k = x; while (k != x + n) *k++ = 1;",
                                 "\n#pragma unroll 1\nwhile (n > 0) { x[n] = 1; --n; }"})
    EXPECT_EQ(rounds(body), "") << body;
}

TEST(TranslatorForTheLens, KnowsAConstantOnlyWhereItIsDeclared) {
  const auto calls = [](const std::string& before, const std::string& after, const std::string& what) {
    const std::string kernel = "__global__ void k(int* x, int of) { for (int i = 0; i < of; ++i) x[i] = 1; }";
    return contains(warplab::translator::translate(before + kernel + after, warplab::translator::Mode::lens),
                    "::lens_unrolling(" + what + ", 1)");
  };
  const std::string maybe =
      "::warplab::emulator::lens_known_iterations(static_cast<int>(0), (of), (1), false)";
  EXPECT_TRUE(calls("", "void f() { const int of = 4; }", maybe));
  EXPECT_TRUE(calls("void f() { constexpr int of = 4; }", "", maybe));
  EXPECT_TRUE(calls("constexpr int of = 4;", "", maybe)) << "the parameter hides it";
  const std::string loop = "__global__ void k(int* x) { for (int i = 0; i < of; ++i) x[i] = 1; }";
  EXPECT_TRUE(contains(
      warplab::translator::translate("constexpr int of = 4;" + loop, warplab::translator::Mode::lens),
      "lens_iterations(0, of, 1, false), 1)"));
}

TEST(TranslatorForTheLens, HandsParametersOverThatMayPointAtStructures) {
  EXPECT_TRUE(contains(for_lens("x[0] = 1;"), "lens_pointees(x, n)"));
}

TEST(TranslatorForTheLens, TellsArraysInLocalMemoryFromThoseInRegisters) {
  const auto is_local = [](const std::string& body) { return contains(for_lens(body), "lens_array("); };
  EXPECT_FALSE(is_local("int a[4]; for (int i = 0; i < 4; ++i) a[i] = n; x[0] = a[0] + a[3];"));
  EXPECT_FALSE(
      is_local("constexpr int size = 4; int a[size]; for (int i = 0; i < size; ++i) a[i] = n; x[0] = a[1];"));
  EXPECT_TRUE(is_local("int a[4]; a[0] = 1; x[0] = a[n];"));
  EXPECT_TRUE(is_local("int a[4]; for (int i = 0; i < n; ++i) a[i] = n;"));
  EXPECT_TRUE(is_local("int a[4]; f(a);"));
  EXPECT_FALSE(is_local("int a[4]; for (int i = 0; i < 4; ++i, x += n) a[i] = n; x[0] = a[1];"));
  EXPECT_FALSE(is_local(
      "int a[4]; for (int i = 0; i < Row::size; ++i) a[i] = n; x[0] = a[1]; constexpr int size = 4;"));
  // Each loop has a variable of its own, whatever its name; what follows from it is known as well.
  EXPECT_FALSE(
      is_local("int a[4]; for (int i = 0; i < 4; ++i) a[i] = n; for (int i = 0; i < n; ++i) x[i] = a[0];"));
  EXPECT_TRUE(
      is_local("int a[4]; for (int i = 0; i < 4; ++i) a[i] = n; for (int i = 0; i < n; ++i) x[i] = a[i];"));
  EXPECT_FALSE(
      is_local("int a[8]; for (int i = 0; i < 4; ++i) { const int j = 2 * i; a[j] = n; } x[0] = a[1];"));
  // One bound is enough where unrolling is asked for: each turn asks for the other.
  EXPECT_FALSE(
      is_local("int a[4]; \n#pragma unroll\nfor (int i = 0; i < 4 && i < n; ++i) a[i] = n; x[0] = a[1];"));
  EXPECT_TRUE(is_local("int a[4]; for (int i = 0; i < 4 && i < n; ++i) a[i] = n; x[0] = a[1];"));
  EXPECT_TRUE(is_local("int a[4]; \n#pragma unroll\nfor (int i = 0; i < n && n > x[0]; ++i) a[i] = n;"));
  EXPECT_FALSE(is_local("const int w = 2, m = w + 1; int a[8]; a[m] = n; x[0] = a[w];"));
  EXPECT_FALSE(is_local("constexpr int w = 16 / sizeof(int), m = w + 1; int a[8]; a[m] = n; x[0] = a[w];"));
  EXPECT_FALSE(is_local("__shared__ int a[4]; a[n] = 1;"));
  EXPECT_TRUE(contains(for_lens("int a[4]; x[0] = a[n];"), "true);"));
  EXPECT_TRUE(contains(for_lens("int a[4]; f(a);"), "false);"));
}

TEST(TranslatorForTheLens, UsesTheVariablesOfTheModuleBesideIt) {
  const std::string out = warplab::translator::translate(
      "# 1 \"lab.cu\"\n__constant__ float w[2] = {1, 2};\nstatic __device__ int n;\n",
      warplab::translator::Mode::lens);
  EXPECT_TRUE(contains(out, "warplab_own_w[2] ="));
  EXPECT_TRUE(contains(
      out, "auto& w = *::warplab::emulator::original_symbol(&warplab_own_w, \"w\", true, \"lab.cu\", 1)"));
  EXPECT_TRUE(contains(out, "static auto& n = "));
}

TEST(TranslatorForTheLens, InlinesWhatItCan) {
  const auto translated = [](const std::string& code) {
    return contains(
        warplab::translator::translate("# 1 \"lab.cu\"\n" + code, warplab::translator::Mode::lens),
        "always_inline");
  };
  EXPECT_TRUE(translated("__device__ int f(int x) { return x; }"));
  EXPECT_TRUE(translated("template <class T> __host__ __device__ T f(T x) { return x; }"));
  EXPECT_FALSE(translated("__device__ int f(int x);"));
  EXPECT_FALSE(translated("__device__ int f(int x) { return x ? f(x - 1) : 0; }"));
  EXPECT_FALSE(
      translated("__device__ int g(int x);\n__device__ int f(int x) { return g(x); }\n"
                 "__device__ int g(int x) { return f(x); }"));
  EXPECT_FALSE(translated("__device__ __noinline__ int f(int x) { return x; }"));
}

TEST(TranslatorForTheLens, CopiesAreSeenWhoeverDoesThem) {
  EXPECT_TRUE(contains(for_lens("memcpy(x, x + n, 8);"), "lens_memcpy(x"));
  EXPECT_TRUE(contains(for_lens("std::memset(x, 0, 8);"), "lens_memset(x"));
  EXPECT_FALSE(contains(for_lens("mine::memcpy(x, x, 8);"), "lens_memcpy"));
}

TEST(TranslatorForTheLens, AModuleByItselfKeepsNoReferenceBesideItsVariable) {
  const std::string out = warplab::translator::translate(
      "# 1 \"lab.cu\"\nstatic __device__ int total;\n__device__ const int limit = 3;\n__device__ const int* "
      "best;\n",
      warplab::translator::Mode::graded);
  EXPECT_TRUE(contains(out, "static auto& total = warplab_own_total;"));
  EXPECT_TRUE(contains(out, "original_symbol(&warplab_own_total, \"total\", false, \"lab.cu\", 1)"));
  EXPECT_TRUE(contains(out, "auto& best = warplab_own_best;"));
  // No access to a constant would be announced: that one stays a reference that is looked up.
  EXPECT_TRUE(contains(out, "auto& limit = *::warplab::emulator::original_symbol("));
}

TEST(TranslatorForTheLens, TellsHowStructuresAreAligned) {
  const auto translated = [](const std::string& code) {
    return warplab::translator::translate("# 1 \"lab.cu\"\n" + code + "__global__ void k(P* p) {}\n",
                                          warplab::translator::Mode::lens);
  };
  EXPECT_TRUE(contains(translated("struct P { float x; };\n"), "(sizeof(P), alignof(P), "));
  EXPECT_TRUE(contains(translated("typedef struct { float x; } P;\n"), "(sizeof(P), alignof(P), "));
  EXPECT_TRUE(contains(translated("struct __align__(16) P { float x; };\n"), "(sizeof(P), alignof(P), "));
  EXPECT_FALSE(contains(translated("template <class T> struct P { T x; };\n"), "sizeof(P)"));
  EXPECT_FALSE(contains(translated("struct P;\n"), "sizeof(P)"));
  EXPECT_FALSE(contains(translated("struct OfTheHost { double x, y; };\n"), "sizeof(OfTheHost)"));
  EXPECT_TRUE(contains(translated("struct Q { double x; };\nusing P = Q;\n"), "sizeof(Q)"));
  EXPECT_TRUE(contains(translated("struct __attribute__((packed)) P { char c; int i; };\n"), "(4, 1)"));
  EXPECT_FALSE(contains(translated("struct P { long x, y; };\n"), "(16, 16)"));
  const std::string vector = "__device__ float4 load(const float4* p) { return *p; }\n";
  EXPECT_TRUE(contains(translated("struct P { long x, y; };\n" + vector), "(16, 16)"));
  const std::string piece = "template <class T> struct alignas(16) Piece { T x[16 / sizeof(T)]; };\n";
  EXPECT_TRUE(contains(translated(piece + "struct P { long x, y; };\n"), "(16, 16)"));
}

TEST(TranslatorForTheLens, TellsWhatOfStructuresIsPadding) {
  const auto translated = [](const std::string& code) {
    return warplab::translator::translate("# 1 \"lab.cu\"\n" + code + "__global__ void k(P* p) {}\n",
                                          warplab::translator::Mode::lens);
  };
  const std::string whole = "lens_members<P>(), false);", nested = "lens_members<P>(), true);";
  EXPECT_TRUE(contains(translated("struct P { double x; int i[2]; P* next; };\n"), whole));
  EXPECT_TRUE(contains(translated("struct Q { double x; int i; };\nstruct P { Q q; int i; };\n"), nested));
  EXPECT_TRUE(contains(translated("struct Q { double x; int i; };\nstruct P : Q { int i; };\n"), nested));
  EXPECT_TRUE(contains(translated("template <class T> struct Q { T x; };\nusing R = Q<int>;\n"
                                  "struct P { R r; int i; };\n"),
                       nested));
  EXPECT_TRUE(contains(translated("struct P { struct { double x; int i; } q; int i; };\n"), nested));
  EXPECT_TRUE(contains(translated("struct P { std::pair<double, int> q; int i; };\n"), nested));
  EXPECT_TRUE(contains(translated("struct Q { int n; float values[]; };\nstruct P { double x; Q* q; };\n"),
                       "(sizeof(P), alignof(P));"));
  EXPECT_TRUE(contains(translated("struct Q { int& operator[](int i); void f() { extern int s[]; } };\n"
                                  "struct P { double x; Q* q; };\n"),
                       "lens_members<P>()"));
}

// A file of a library, such as CUB: what is in it is translated, though g++ marks it as a system header.
std::string translate_library(const std::string& code) {
  return warplab::translator::translate("# 1 \"lab.cu\"\n# 1 \"/usr/lib/cub/x.cuh\" 1 3 4\n" + code + "\n",
                                        warplab::translator::Mode::plain, {"/usr/lib/cub/"});
}

TEST(Translator, ALibrarysKernelsBeginTheirBlocksInOrder) {
  const std::string code = "__global__ void k(int* x) { x[0] = 1; } void f(int* x) { k<<<1, 2>>>(x); }";
  EXPECT_TRUE(contains(translate_library(code), ".in_order().configured(1, 2)"));
  EXPECT_FALSE(contains(translate(code), "in_order"));
}

TEST(Translator, AnUnknownInstructionOfALibraryIsAFaultWhereItRuns) {
  const std::string code = "__device__ void f() { asm volatile(\"frobnicate.b32;\"); }";
  EXPECT_TRUE(contains(translate_library(code), "device_fault_at"));
  EXPECT_THROW(translate(code), std::runtime_error);
}

TEST(Translator, AComparisonAmongTemplateArgumentsBeginsNoVariable) {
  EXPECT_FALSE(
      contains(translate("template <bool> struct B {};\n__device__ B<1 == 2> f(int a) { return {}; }"),
               "SymbolRegistration"));
}

TEST(Translator, ASharedRecordStaysWhereTheNamesOfItsTypesAre) {
  for (const std::string name : {"Memory ", ""}) {
    const std::string text =
        translate("__global__ void k() { using T = int; __shared__ union " + name + "{ T a; } m; }");
    EXPECT_FALSE(contains(text, "__shared__"));
    EXPECT_TRUE(contains(text, "auto& m = ")) << text;
    // Not before the name of the type, at the head of the kernel.
    ASSERT_TRUE(contains(text, "union "));
    EXPECT_LT(text.find("using T = int;"), text.find("union ")) << text;
  }
}

}  // namespace
