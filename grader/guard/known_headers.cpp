#include "grader/guard/known_headers.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace warplab {
namespace {

// Each name between blanks.
constexpr std::string_view of_cpp =
    R"( algorithm any array atomic barrier bit bits/stdc++.h bitset cassert ccomplex cctype cerrno cfenv )"
    R"(cfloat charconv chrono cinttypes climits clocale cmath compare complex concepts )"
    R"(condition_variable csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctgmath ctime cwchar )"
    R"(cwctype deque exception execution filesystem format forward_list fstream functional future )"
    R"(initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory )"
    R"(memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex )"
    R"(semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf )"
    R"(string string_view system_error thread tuple type_traits typeindex typeinfo unordered_map )"
    R"(unordered_set utility valarray variant vector version )";
constexpr std::string_view of_c =
    R"( assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h malloc.h math.h )"
    R"(memory.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h sys/time.h )"
    R"(sys/types.h tgmath.h time.h unistd.h wchar.h )";
constexpr std::string_view of_cuda =
    R"( cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/reduce.h )"
    R"(cooperative_groups/scan.h cuComplex.h cuda.h cuda/atomic cuda/barrier cuda/pipeline cuda/ptx )"
    R"(cuda/std/array cuda/std/atomic cuda/std/barrier cuda/std/bit cuda/std/cmath cuda/std/complex )"
    R"(cuda/std/concepts cuda/std/cstddef cuda/std/cstdint cuda/std/functional cuda/std/limits )"
    R"(cuda/std/optional cuda/std/span cuda/std/tuple cuda/std/type_traits cuda/std/utility )"
    R"(cuda/std/version cuda_bf16.h cuda_fp16.h cuda_fp8.h cuda_pipeline.h cuda_pipeline_primitives.h )"
    R"(cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h device_atomic_functions.h )"
    R"(device_functions.h device_launch_parameters.h driver_types.h math_constants.h math_functions.h )"
    R"(mma.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h )"
    R"(sm_60_atomic_functions.h sm_61_intrinsics.h vector_functions.h vector_types.h )";
constexpr std::string_view libraries[] = {"cub/",     "cublas",   "cudnn", "cufft", "curand", "cusolver",
                                          "cusparse", "cutlass/", "cute/", "npp",   "thrust/"};

}  // namespace

bool is_known_header(std::string_view name) {
  if (name.empty() || name.find(' ') != std::string_view::npos) return false;
  const std::string word = " " + std::string(name) + " ";
  return std::ranges::any_of(std::array{of_cpp, of_c, of_cuda}, [&](std::string_view list) {
    return list.find(word) != std::string_view::npos;
  });
}

bool is_library_of_solutions(std::string_view name) {
  return std::ranges::any_of(libraries, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace warplab
