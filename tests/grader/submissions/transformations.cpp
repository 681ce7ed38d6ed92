#include "tests/grader/submissions/transformations.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>

namespace warplab {
namespace {

/// Each line, without its end, by what becomes of it.
template <class F>
std::string with_lines(const std::string& source, F change, const char* end = "\n") {
  std::istringstream in(source);
  std::string result;
  for (std::string line; std::getline(in, line);) result += change(line) + end;
  return result;
}

bool goes_on(const std::string& line) { return line.ends_with('\\'); }

/// With lines after the last #include, where a macro may put words together.
std::string after_includes(const std::string& source, const std::string& lines) {
  const std::size_t last = source.rfind("\n#include ");
  const std::size_t end = source.find('\n', last == std::string::npos ? 0 : last + 1);
  return source.substr(0, end + 1) + lines + source.substr(end + 1);
}

/// With lines before the first #include, after the comment that the file begins with.
std::string before_includes(const std::string& source, const std::string& lines) {
  const std::size_t first = source.find("#include ");
  return source.substr(0, first) + lines + source.substr(first);
}

// As editors save files.

std::string windows_lines(const std::string& s) {
  return with_lines(
      s, [](const std::string& line) { return line; }, "\r\n");
}
std::string byte_order_mark(const std::string& s) { return "\xef\xbb\xbf" + s; }
std::string tabs(const std::string& s) {
  return with_lines(s, [](const std::string& line) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    return std::string(blanks / 2, '\t') + line.substr(blanks);
  });
}
std::string trailing_blanks(const std::string& s) {
  return with_lines(s, [](const std::string& line) { return goes_on(line) ? line : line + " \t "; });
}
std::string no_last_newline(const std::string& s) { return s.substr(0, s.find_last_not_of('\n') + 1); }
std::string empty_lines(const std::string& s) {
  return with_lines(s, [](const std::string& line) { return goes_on(line) ? line : line + "\n"; });
}
std::string braces_on_their_own(const std::string& s) {
  return std::regex_replace(s, std::regex(R"(\) \{\n)"), ")\n{\n");
}

// Comments.

std::string no_comments(const std::string& s) {
  return std::regex_replace(s, std::regex(R"( *//[^\n]*\n)"), "\n");
}
std::string comments_of_all_languages(const std::string& s) {
  return with_lines("/* Übung: größte Blöcke, 线程块, блок, \xe9t\xe9 in Latin-1 */\n" + s,
                    [](const std::string& line) {
                      return line.ends_with(';') ? line + "  /* ≤ 32 \xf0\x9f\x98\x80 */" : line;
                    });
}
std::string old_versions(const std::string& s) {
  return s + R"(
#if 0  // the first version, which was slow
#include <thrust/sort.h>
__global__ void first_version(float* a) { asm("nop"); a[threadIdx.x] += 1; }
#error "do not compile"
#endif
/* __global__ void another(float* a) { asm("nop"); } */
)";
}

// Habits.

std::string headers_by_habit(const std::string& s) {
  return before_includes(s, R"(#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <vector>
)");
}
std::string everything_of_std(const std::string& s) { return after_includes(s, "\nusing namespace std;\n"); }
std::string debug_output(const std::string& s) {
  return before_includes(
      std::regex_replace(s, std::regex(R"((__global__[^;{]*\)[^;{()]*\{\n))"),
                         "$1  assert(gridDim.x > 0);\n"
                         "  if (blockDim.x == 0) printf(\"block %u of %d\\n\", blockIdx.x, 1);\n"),
      "#include <cassert>\n#include <cstdio>\n");
}
std::string macros_that_check(const std::string& s) {
  return std::regex_replace(after_includes(s, R"(
#define gpuErrchk(result) { gpuAssert((result), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool leave=true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (leave) exit(code);
   }
}
)"),
                            std::regex(R"(\n( *)CUDA_CHECK_LAUNCH\(\);\n)"),
                            "\n$1gpuErrchk( cudaPeekAtLastError() );\n$1CUDA_CHECK_LAUNCH();\n");
}
std::string tools_that_nobody_uses(const std::string& s) {
  return after_includes(s, R"(
#pragma GCC diagnostic ignored "-Wunused"
#define JOIN(a, b) a##b
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
namespace {
__constant__ const float JOIN(student, _weights)[3] = {0.25f, 0.5f, 0.25f};
__device__ constexpr int student_sizes[2] = {1, 2};
struct Timer {
  float milliseconds = 0;
  void start() { milliseconds = 0; }
};
template <class V>
__host__ __device__ V student_clamp(V x, V low, V high) {
  return x < low ? low : x > high ? high : x;
}
__device__ int student_lane() {
  int lens_of_warp = static_cast<int>(threadIdx.x) % 32, current_block = 0;
  return lens_of_warp + current_block;
}
}  // namespace
)");
}
std::string integers_of_c(const std::string& s) {
  return before_includes(std::regex_replace(s, std::regex(R"(\bstd::(u?int(8|16|32|64)_t|size_t)\b)"), "$1"),
                         "#include <stdint.h>\n#include <stddef.h>\n");
}
std::string restrict_of_gcc(const std::string& s) {
  return std::regex_replace(s, std::regex(R"(__restrict__)"), "__restrict");
}
std::string alternative_words(const std::string& s) {
  return std::regex_replace(std::regex_replace(s, std::regex(R"( && )"), " and "), std::regex(R"( \|\| )"),
                            " or ");
}
std::string pragmas_as_operators(const std::string& s) {
  return std::regex_replace(s, std::regex(R"(\n *#pragma unroll *\n)"), "\n_Pragma(\"unroll\")\n");
}

}  // namespace

std::string Form::apply(std::string source) const {
  for (const Transformation& one : transformations) source = one.apply(source);
  return source;
}

const std::vector<Form>& forms() {
#define WARPLAB_NAMED(transformation) \
  { #transformation, transformation }
  static const std::vector<Form> all = {
      {"editor_on_windows",
       {WARPLAB_NAMED(tabs), WARPLAB_NAMED(trailing_blanks), WARPLAB_NAMED(windows_lines),
        WARPLAB_NAMED(byte_order_mark)}},
      {"bare",
       {WARPLAB_NAMED(no_comments), WARPLAB_NAMED(braces_on_their_own), WARPLAB_NAMED(alternative_words),
        WARPLAB_NAMED(pragmas_as_operators), WARPLAB_NAMED(no_last_newline)}},
      {"wordy",
       {WARPLAB_NAMED(comments_of_all_languages), WARPLAB_NAMED(old_versions), WARPLAB_NAMED(empty_lines),
        WARPLAB_NAMED(restrict_of_gcc)}},
      {"under_debug",
       {WARPLAB_NAMED(integers_of_c), WARPLAB_NAMED(everything_of_std), WARPLAB_NAMED(debug_output),
        WARPLAB_NAMED(headers_by_habit)}},
      {"with_tools", {WARPLAB_NAMED(tools_that_nobody_uses), WARPLAB_NAMED(macros_that_check)}},
  };
#undef WARPLAB_NAMED
  return all;
}

}  // namespace warplab
