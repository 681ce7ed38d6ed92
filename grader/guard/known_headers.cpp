#include "grader/guard/known_headers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplab {
namespace {

// Names with separators around each.
constexpr std::string_view separators = " \n";
constexpr std::string_view of_cpp = R"(
algorithm any array atomic barrier bit bits/stdc++.h bitset cassert ccomplex cctype cerrno cfenv cfloat
charconv chrono cinttypes climits clocale cmath compare complex concepts condition_variable csignal cstdarg
cstddef cstdint cstdio cstdlib cstring ctgmath ctime cwchar cwctype deque exception execution filesystem
format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator
latch limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
ranges ratio regex semaphore set shared_mutex source_location span sstream stack stdexcept stop_token
streambuf string string_view system_error thread tuple type_traits typeindex typeinfo unordered_map
unordered_set utility valarray variant vector version
)";
constexpr std::string_view of_c = R"(
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h malloc.h math.h memory.h
stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h sys/time.h sys/types.h tgmath.h
time.h unistd.h wchar.h
)";
constexpr std::string_view of_cuda = R"(
cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/reduce.h cooperative_groups/scan.h
cuComplex.h cuda.h cuda/atomic cuda/barrier cuda/pipeline cuda/ptx cuda/std/array cuda/std/atomic
cuda/std/barrier cuda/std/bit cuda/std/cmath cuda/std/complex cuda/std/concepts cuda/std/cstddef
cuda/std/cstdint cuda/std/functional cuda/std/limits cuda/std/optional cuda/std/span cuda/std/tuple
cuda/std/type_traits cuda/std/utility cuda/std/version cuda_bf16.h cuda_fp16.h cuda_pipeline.h
cuda_pipeline_primitives.h cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h device_atomic_functions.h
device_functions.h device_launch_parameters.h driver_types.h math_constants.h math_functions.h mma.h
sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h
sm_61_intrinsics.h vector_functions.h vector_types.h
)";
constexpr std::string_view libraries[] = {"cub/",     "cublas",   "cudnn", "cufft", "curand", "cusolver",
                                          "cusparse", "cutlass/", "cute/", "npp",   "thrust/"};

}  // namespace

bool is_known_header(std::string_view name) {
  if (name.empty() || name.find_first_of(separators) != std::string_view::npos) return false;
  const auto has_it = [&](std::string_view list) {
    for (std::size_t at = 0; (at = list.find(name, at)) != std::string_view::npos; at += name.size())
      if (separators.find(list[at - 1]) != std::string_view::npos &&
          separators.find(list[at + name.size()]) != std::string_view::npos)
        return true;
    return false;
  };
  return std::ranges::any_of(std::array{of_cpp, of_c, of_cuda}, has_it);
}

bool is_library_of_solutions(std::string_view name) {
  return std::ranges::any_of(libraries, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace warplab
