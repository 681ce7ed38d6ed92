// Lab 04: what its rungs promise beyond matching the reference, what they cost, and its
// replay of the published tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_attribute.hpp"
#include "common/device_buffer.hpp"
#include "common/host/bad_input.hpp"
#include "common/io/array_file.hpp"
#include "harness/console/case_text.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("conv1d"); }
const Rung& rung(const std::string& name) { return rung_of(problem(), name); }

Case signal(std::int64_t n, std::int64_t m, DType dtype = DType::f32) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"n", n}, {"m", m}};
  c.dtype = dtype;
  return c;
}

/// The rungs of this tree: a release leaves out some.
std::vector<Rung> rungs() {
  std::vector<Rung> built;
  for (const Rung& each : problem().rungs())
    if (std::filesystem::exists(module_path("conv1d", each.name))) built.push_back(each);
  return built;
}
bool is_built(const char* name) { return std::filesystem::exists(module_path("conv1d", name)); }

/// in, filter and out of a call in this process. `in` and `out` begin so many elements into their buffers.
template <class T>
class Buffers {
 public:
  Buffers(const std::vector<T>& in, const std::vector<T>& filter, std::size_t in_offset = 0,
          std::size_t out_offset = 0)
      : n_(in.size()),
        m_(filter.size()),
        in_offset_(in_offset),
        out_offset_(out_offset),
        in_(sizeof(T) * (n_ + in_offset)),
        filter_(sizeof(T) * m_),
        out_(sizeof(T) * (n_ + out_offset)) {
    CUDA_CHECK(cudaMemcpy(at(in_, in_offset), in.data(), sizeof(T) * n_, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(at(filter_, 0), filter.data(), sizeof(T) * m_, cudaMemcpyHostToDevice));
  }

  Call call(cudaStream_t stream = nullptr) const {
    Call call;
    const auto count = static_cast<std::int64_t>(n_);
    call.problem_case = signal(count, static_cast<std::int64_t>(m_), dtype_of<T>());
    call.inputs = {{dtype_of<T>(), count, at(in_, in_offset_)},
                   {dtype_of<T>(), static_cast<std::int64_t>(m_), at(filter_, 0)}};
    call.outputs = {{dtype_of<T>(), count, at(out_, out_offset_)}};
    call.stream = stream;
    return call;
  }

  std::vector<T> result() const {
    std::vector<T> out(n_);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(out.data(), at(out_, out_offset_), sizeof(T) * n_, cudaMemcpyDeviceToHost));
    for (const DeviceBuffer* buffer : {&in_, &filter_, &out_})
      EXPECT_EQ(buffer->check_guards(), std::nullopt);
    return out;
  }

 private:
  static T* at(const DeviceBuffer& buffer, std::size_t offset) {
    return static_cast<T*>(buffer.data()) + offset;
  }
  std::size_t n_, m_, in_offset_, out_offset_;
  DeviceBuffer in_, filter_, out_;
};

/// Small whole numbers, whose sums are exact.
template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>((static_cast<int>(i) * 37 + seed) % 17 - 8);
  return values;
}

template <class T>
std::vector<T> convolved(const std::vector<T>& in, const std::vector<T>& filter) {
  std::vector<T> out(in.size(), 0);
  for (std::size_t j = 0; j < in.size(); ++j)
    for (std::size_t i = 0; i < filter.size() && j + i < in.size(); ++i) out[j] += filter[i] * in[j + i];
  return out;
}

/// What the rung says to this call; "" if it takes it.
std::string refusal(const std::string& name, Call call) {
  try {
    RungModule(module_path("conv1d", name)).call(call);
    CUDA_CHECK(cudaDeviceSynchronize());
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

template <class T>
std::string refusal_of_taps(const std::string& name, std::size_t taps) {
  return refusal(name, Buffers<T>(numbers<T>(5, 1), numbers<T>(taps, 2)).call());
}

TEST(Conv1d, EveryRungConvolvesALiteral) {
  HostArray in(DType::f32, {4}), filter(DType::f32, {2}), expected(DType::f32, {4});
  std::ranges::copy(std::vector{1.0f, 2.0f, 3.0f, 4.0f}, in.as<float>().begin());
  std::ranges::copy(std::vector{1.0f, 10.0f}, filter.as<float>().begin());
  std::ranges::copy(std::vector{21.0f, 32.0f, 43.0f, 4.0f}, expected.as<float>().begin());
  for (const Rung& each : rungs()) {
    const RungOutcome outcome = run_rung(problem(), each, signal(4, 2), {in, filter}, {expected});
    EXPECT_TRUE(outcome.accepted()) << each.name << ": " << outcome.why;
  }
}

// An output must not depend on what lies beyond its last tap, not even times 0: 0 * NaN is NaN. Here one
// element of the input is NaN, and what follows the filter in memory is poison, which is NaN too.
template <class T>
void every_output_uses_its_own_elements_alone() {
  for (const std::size_t m : {1u, 2u, 3u, 4u, 7u, 23u, 24u, 25u, 129u, 481u})
    for (const std::size_t at : {0u, 130u, 699u}) {
      const std::vector<T> filter = numbers<T>(m, 9);
      std::vector<T> in = numbers<T>(700, 4);
      const std::vector<T> expected = convolved(in, filter);
      in[at] = std::numeric_limits<T>::quiet_NaN();
      for (const Rung& each : rungs()) {
        const Buffers<T> buffers(in, filter);
        RungModule(module_path("conv1d", each.name)).call(buffers.call());
        const std::vector<T> out = buffers.result();
        for (std::size_t j = 0; j < in.size(); ++j)
          if (j + m <= at || j > at)
            ASSERT_EQ(out[j], expected[j])
                << each.name << ", " << m << " taps, NaN at " << at << ", output " << j;
          else
            ASSERT_TRUE(std::isnan(out[j]))
                << each.name << ", " << m << " taps, NaN at " << at << ", output " << j;
      }
    }
}
TEST(Conv1d, EveryOutputUsesItsOwnElementsAlone) {
  every_output_uses_its_own_elements_alone<float>();
  every_output_uses_its_own_elements_alone<double>();
}

TEST(Conv1d, NoRungReadsPastTheEnd) {
  if (backend == Backend::cuda) GTEST_SKIP() << "compute-sanitizer looks for that on a GPU";
  for (const Rung& each : rungs())
    for (const auto& [n, m] : {std::pair{777, 200}, {300, 700}, {1, 9}})
      for (const lens::Launch& launch : record_rung(problem(), each, signal(n, m)))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << each.name << " at " << n << "x" << m << ": " << name_of(finding.kind) << ": "
                        << finding.text;
}

TEST(Conv1d, EveryRungRefusesWhatItCannotDo) {
  for (const Rung& each : rungs()) {
    const Buffers<float> buffers({1, 2, 3, 4}, {5, 6, 7, 8});
    Call call = buffers.call();
    call.problem_case.size = {{"n", -4}, {"m", 2}};
    EXPECT_EQ(refusal(each.name, call), "n is -4; it must be 0 or more") << each.name;
    call.problem_case.size = {{"n", 4}, {"m", 0}};
    EXPECT_EQ(refusal(each.name, call), "m is 0; a filter has 1 tap at the least") << each.name;
    call.problem_case.size = {{"n", 4}, {"m", 2}};
    call.outputs = call.inputs;
    EXPECT_EQ(refusal(each.name, call), "out is in: threads would read what others have already overwritten")
        << each.name;
    std::swap(call.outputs[0], call.outputs[1]);
    EXPECT_EQ(refusal(each.name, call),
              "out is filter: threads would read what others have already overwritten")
        << each.name;
    call.outputs = call.inputs;
    call.problem_case.size = {{"n", 0}, {"m", 2}};
    EXPECT_EQ(refusal(each.name, call), "") << each.name;  // nothing to do, whatever the buffers
    if (!each.takes_block) continue;
    call.problem_case.block = Extent3{2048, 1, 1};
    EXPECT_EQ(refusal(each.name, call),
              "a block of 2048 is too large: CUDA allows 1024 threads in all, and 64 in z")
        << each.name;
  }
}

/// Takes filters of `floats` and of `doubles` taps, refuses one more of each, and says why.
void takes_up_to(const char* name, std::size_t floats, std::size_t doubles, const std::string& where) {
  const auto says = [&](std::size_t room, const char* bytes) {
    return "a filter of " + std::to_string(room + 1) + " taps of " + bytes + " bytes: " + where +
           " has room for " + std::to_string(room) + "; register_tiled takes any number";
  };
  EXPECT_EQ(refusal_of_taps<float>(name, floats), "") << name;
  EXPECT_EQ(refusal_of_taps<float>(name, floats + 1), says(floats, "4")) << name;
  EXPECT_EQ(refusal_of_taps<double>(name, doubles), "") << name;
  EXPECT_EQ(refusal_of_taps<double>(name, doubles + 1), says(doubles, "8")) << name;
}
TEST(Conv1dConstant, TakesWhatConstantMemoryHoldsAndRefusesMore) {
  takes_up_to("constant", 16384, 8192, "constant memory");
  // BEGIN WITHHELD
  if (is_built("constant_stored")) takes_up_to("constant_stored", 16384, 8192, "constant memory");
  // END WITHHELD
}
TEST(Conv1dShared, TakesWhatSharedMemoryHoldsAndRefusesMore) {
  takes_up_to("shared", 12288, 6144, "a block's shared memory");
  // BEGIN WITHHELD
  if (is_built("shared_stored")) takes_up_to("shared_stored", 12288, 6144, "a block's shared memory");
  // END WITHHELD
}
TEST(Conv1dTiled, TakesWhatATileHoldsAndRefusesMore) {
  takes_up_to("tiled", 12288 - 255, 6144 - 255, "a tile of this block");  // 256 outputs, a halo of m - 1
}
TEST(Conv1dGlobal, TakesAnyFilter) {
  EXPECT_EQ(refusal_of_taps<double>("global", 20000), "");
  EXPECT_EQ(refusal_of_taps<double>("global_stored", 20000), "");
}
TEST(Conv1dRegisterTiled, TakesAnyFilter) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const RungOutcome outcome = run_rung(problem(), rung("register_tiled"), signal(30000, 25000, dtype));
    EXPECT_TRUE(outcome.accepted()) << outcome.why;
  }
}

// The copy to constant memory must be in the stream's order: the second call's filter may not reach the first
// call's kernel, nor the other way round.
void calls_of_one_stream_keep_their_filters(const char* name) {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const RungModule module(module_path("conv1d", name));
  const std::vector<float> in = numbers<float>(100000, 3), one = numbers<float>(65, 1),
                           two = numbers<float>(200, 5);
  const Buffers<float> first(in, one), second(in, two);
  module.call(first.call(stream));
  module.call(second.call(stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT_EQ(first.result(), convolved(in, one)) << name;
  EXPECT_EQ(second.result(), convolved(in, two)) << name;
  CUDA_CHECK(cudaStreamDestroy(stream));
}
TEST(Conv1dConstant, CallsOfOneStreamKeepTheirFilters) {
  calls_of_one_stream_keep_their_filters("constant");
  // BEGIN WITHHELD
  if (is_built("constant_stored")) calls_of_one_stream_keep_their_filters("constant_stored");
  // END WITHHELD
}
TEST(Conv1dTiled, CallsOfOneStreamKeepTheirFilters) { calls_of_one_stream_keep_their_filters("tiled"); }

template <class T>
void is_right_at_every_alignment() {
  for (const std::size_t n : {100u, 5123u, 7168u})
    for (const std::size_t in_offset : {0u, 1u, 2u, 3u})
      for (const std::size_t out_offset : {0u, 1u}) {
        const std::vector<T> in = numbers<T>(n, 2), filter = numbers<T>(30, 7);
        const Buffers<T> buffers(in, filter, in_offset, out_offset);
        for (const int outputs : {sizeof(T) == 4 ? 4 : 2, sizeof(T) == 4 ? 20 : 14}) {
          Call call = buffers.call();
          call.problem_case.set_param("thread-outputs", outputs);
          RungModule(module_path("conv1d", "register_tiled")).call(call);
          EXPECT_EQ(buffers.result(), convolved(in, filter))
              << n << " outputs, " << outputs << " a thread; in begins " << in_offset
              << " elements after a multiple of 16 bytes, out " << out_offset;
        }
      }
}
TEST(Conv1dRegisterTiled, IsRightAtEveryAlignment) {
  is_right_at_every_alignment<float>();
  is_right_at_every_alignment<double>();
}

TEST(Conv1dRegisterTiled, RefusesNumbersOfOutputsThatItHasNoKernelFor) {
  Call call = Buffers<float>({1, 2, 3}, {1}).call();
  call.problem_case.set_param("thread-outputs", 12);
  EXPECT_EQ(refusal("register_tiled", call),
            "12 outputs per thread: register_tiled has 4 or 20 of this type");
  Call doubles = Buffers<double>({1, 2, 3}, {1}).call();
  doubles.problem_case.set_param("thread-outputs", 4);
  EXPECT_EQ(refusal("register_tiled", doubles),
            "4 outputs per thread: register_tiled has 2 or 14 of this type");
}

TEST(Conv1dRegisterTiled, HasFewerOutputsAThreadWhereTheInputIsShort) {
  const auto threads = [](std::int64_t n) -> std::uint64_t {
    const RungOutcome outcome = run_rung(problem(), rung("register_tiled"), signal(n, 5));
    EXPECT_TRUE(outcome.accepted()) << outcome.why;
    return outcome.counts ? outcome.counts->threads : 0;
  };
  if (backend == Backend::cuda) GTEST_SKIP() << "threads are counted on the emulator";
  const std::int64_t enough = std::int64_t{multiprocessors()} * 128 * 20;  // a block of 128 threads each
  EXPECT_EQ(threads(enough), static_cast<std::uint64_t>(enough / 20));
  EXPECT_EQ(threads(enough - 512), static_cast<std::uint64_t>((enough - 512) / 4));
}

/// What the lens counts of one launch in blocks of 256; nothing where there is no lens, as on a GPU.
std::optional<lens::Counts> counts_of(const char* name, const Case& c) {
  const std::vector<lens::Launch> launches = record_rung(problem(), rung(name), c);
  if (launches.empty() || !launches[0].recorded()) return std::nullopt;  // nor where kernels are sanitized
  EXPECT_EQ(launches.size(), 1u) << name;
  return launches[0].counts;
}

struct Walk {
  std::uint64_t warp_taps = 0;           ///< pairs of a warp and a tap that any of its lanes has
  std::uint64_t warps = 0, sectors = 0;  ///< of the input, over all these pairs
};

/// Every warp goes along the filter; lane by lane, as far as the input reaches. in
/// starts at a multiple of 32 bytes.
Walk walk(std::int64_t n, std::int64_t m) {
  Walk w;
  for (std::int64_t first = 0; first < n; first += 32) {
    ++w.warps;
    for (std::int64_t i = 0; i < m && first + i < n; ++i) {
      const std::int64_t last = std::min({first + 31, n - 1, n - 1 - i}) + i;
      ++w.warp_taps;
      w.sectors += static_cast<std::uint64_t>(last / 8 - (first + i) / 8 + 1);
    }
  }
  return w;
}

/// In the last warps, lanes that have fewer taps than others go on apart from them: that takes some requests
/// more, about 2 % of 3,000 elements.
constexpr double more_at_the_end = 1.03;
void expect_about(std::uint64_t counted, std::uint64_t least) {
  EXPECT_GE(counted, least);
  EXPECT_LE(static_cast<double>(counted), more_at_the_end * static_cast<double>(least));
}

TEST(Conv1dGlobal, ReadsATapInOneSectorAndStoresAnOutputOnce) {
  const auto counts = counts_of("global", signal(3000, 77));
  if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
  const Walk w = walk(3000, 77);
  expect_about(counts->global_load.requests, 2 * w.warp_taps);             // an element and a tap
  expect_about(counts->global_load.sectors, w.sectors + 1 * w.warp_taps);  // of which the tap is one sector
  EXPECT_EQ(counts->global_store.requests, w.warps);
}

TEST(Conv1dGlobalStored, StoresAtEveryTap) {
  for (const char* name : {
           "global_stored",
           // BEGIN WITHHELD
           "constant_stored", "shared_stored",
           // END WITHHELD
       }) {
    if (!is_built(name)) continue;
    const auto counts = counts_of(name, signal(3000, 77));
    if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
    const Walk w = walk(3000, 77);
    SCOPED_TRACE(name);
    expect_about(counts->global_store.requests, w.warps + w.warp_taps);  // the first sets it to 0
  }
}

void asks_for_one_address_a_request(const char* name) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const auto counts = counts_of(name, signal(3000, 77, dtype));
    if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
    EXPECT_GT(counts->constant.requests, 0u) << name;
    // nvcc loads two taps at once.
    SCOPED_TRACE(name);
    EXPECT_LE(static_cast<double>(counts->constant.requests),
              more_at_the_end * static_cast<double>(walk(3000, 77).warp_taps));
    expect_about(counts->constant.addresses, counts->constant.requests);
  }
}
TEST(Conv1dConstant, AsksForOneAddressARequest) {
  asks_for_one_address_a_request("constant");
  // BEGIN WITHHELD
  if (is_built("constant_stored")) asks_for_one_address_a_request("constant_stored");
  // END WITHHELD
}
TEST(Conv1dTiled, AsksForOneAddressARequest) { asks_for_one_address_a_request("tiled"); }

TEST(Conv1dShared, EveryBlockLoadsTheFilterOnceAndReadsATapInOneWavefront) {
  const auto counts = counts_of("shared", signal(3000, 77));
  if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
  const Walk w = walk(3000, 77);
  const std::uint64_t blocks = 12, filter_requests = 3;  // 77 taps by 256 threads: three warps
  expect_about(counts->global_load.requests, w.warp_taps + blocks * filter_requests);
  EXPECT_EQ(counts->shared_store.requests, blocks * filter_requests);
  EXPECT_GT(counts->shared_load.requests, 0u);  // nvcc loads four taps at once, in two wavefronts
  EXPECT_LE(counts->shared_load.requests, w.warp_taps);
  EXPECT_LE(counts->shared_load.wavefronts, w.warp_taps);
}

// BEGIN WITHHELD
TEST(Conv1dShared, ReadsFourTapsAtATime) {
  const auto shared = counts_of("shared", signal(3000, 77)),
             constant = counts_of("constant", signal(3000, 77));
  if (!shared) GTEST_SKIP() << "requests are counted by the lens of the emulator";
  // All but one of 94 warps meet all 77 taps: 19 times four, and one.
  const std::uint64_t whole_warps = 91;
  EXPECT_GE(shared->shared_load.requests, whole_warps * 20);
  EXPECT_LE(shared->shared_load.requests, 94u * 20 + 94);
  EXPECT_GE(constant->constant.requests, whole_warps * 39);
  EXPECT_LE(constant->constant.requests, 94u * 39 + 94);
}
// END WITHHELD

TEST(Conv1dTiled, LoadsAnElementOnceABlockInsteadOfOnceATap) {
  const auto counts = counts_of("tiled", signal(2560, 129));  // 10 blocks, each with a halo of 128 = 4 warps
  if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
  EXPECT_EQ(counts->global_load.requests, 9u * (8 + 4) + 8);  // the last block has no halo after it
  EXPECT_EQ(counts->global_load.sectors, 4 * counts->global_load.requests);
  EXPECT_EQ(counts->shared_load.bank_conflicts(), 0u);
  EXPECT_GT(walk(2560, 129).warp_taps,
            80 * counts->global_load.requests);  // which global needs, and as many taps
}

TEST(Conv1dRegisterTiled, HasNoBankConflictsAndKeepsItsWindowInRegisters) {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const int outputs : dtype == DType::f32 ? std::array{4, 20} : std::array{2, 14})
      for (const std::int64_t m : {127, 128}) {
        Case c = signal(20000, m, dtype);
        c.set_param("thread-outputs", outputs);
        const auto counts = counts_of("register_tiled", c);
        if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
        EXPECT_GT(counts->shared_load.requests, 0u);
        EXPECT_EQ(counts->local_load.requests + counts->local_store.requests, 0u) << case_text(c);
        EXPECT_EQ(counts->shared_store.bank_conflicts(), 0u) << case_text(c);
        // The 127th tap of 4 (of 2) is read singly, and the results of the last block are stored singly.
        EXPECT_EQ(counts->shared_load.bank_conflicts(), 0u) << case_text(c);
      }
}

TEST(Conv1dRegisterTiled, NeedsNearlyFortyTimesFewerSharedLoads) {
  Case c = signal(64000, 128);
  c.set_param("thread-outputs", 20);
  const auto counts = counts_of("register_tiled", c);
  if (!counts) GTEST_SKIP() << "requests are counted by the lens of the emulator";
  // tiled has one for each warp and tap. Here it is two for 80 products, and some more to fill the window and
  // to store the results.
  const double ratio =
      static_cast<double>(walk(64000, 128).warp_taps) / static_cast<double>(counts->shared_load.requests);
  EXPECT_GT(ratio, 33);
  EXPECT_LT(ratio, 40);
}

TEST(Conv1dProblem, ReplaysThePublishedTableInAllThreeMemories) {
  const std::vector<Experiment> rows = problem().experiments();
  // BEGIN WITHHELD
  ASSERT_EQ(rows.size(), 3u * 26);
  // END WITHHELD
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Experiment& row = rows[i];
    const Case &c = row.problem_case, &in_global = rows[i % 26].problem_case;
    EXPECT_EQ(row.label, std::to_string(i % 26 + 1));
    // BEGIN WITHHELD
    EXPECT_EQ(row.rung, i < 26 ? "global_stored" : i < 52 ? "constant_stored" : "shared_stored");
    // END WITHHELD
    EXPECT_EQ(c.size, in_global.size) << row.label;
    EXPECT_EQ(c.dtype, i % 26 < 13 ? DType::f32 : DType::f64) << row.label;
    EXPECT_EQ(c.size, rows[i % 13].problem_case.size) << row.label;  // double repeats the sizes of float
    EXPECT_NE(row.note, "") << row.label;
    EXPECT_EQ(row.published.empty(), i >= 26) << row.label;
    if (i >= 26) continue;
    // The print's sums are right to its digits.
    EXPECT_NEAR(row.published.at("titan_x_h2d_ms") + row.published.at("titan_x_d2h_ms"),
                row.published.at("titan_x_memcpy_ms"), 1e-6)
        << row.label;
    EXPECT_NEAR(row.published.at("titan_x_gpu_ms") + row.published.at("titan_x_memcpy_ms"),
                row.published.at("titan_x_total_ms"), 1e-6)
        << row.label;
  }
  EXPECT_EQ(rows[3].problem_case.size, rows[9].problem_case.size);  // experiments 4 and 10 are the same
  EXPECT_EQ(rows[25].published.at("titan_x_gpu_ms"), 14.314592);
  // What the report says of float and double: only experiments 15 and 19 were faster than their floats.
  std::set<std::string> faster;
  for (std::size_t i = 0; i < 13; ++i)
    if (rows[i + 13].published.at("titan_x_gpu_ms") < rows[i].published.at("titan_x_gpu_ms"))
      faster.insert(rows[i + 13].label);
  EXPECT_EQ(faster, (std::set<std::string>{"15", "19"}));
}

TEST(Conv1dProblem, PublicCasesReachBlocksPrimesAndFiltersLongerThanTheInput) {
  for (const Rung& each : rungs())
    for (const DType dtype : {DType::f32, DType::f64}) {
      std::set<std::pair<std::int64_t, std::int64_t>> sizes;
      for (const Case& c : problem().public_cases(each))
        if (c.dtype == dtype) sizes.insert({c.extent("n"), c.extent("m")});
      for (const std::pair<std::int64_t, std::int64_t> size : {std::pair{0, 1},
                                                               {1, 1},
                                                               {1000, 1},
                                                               {31, 32},
                                                               {32, 31},
                                                               {256, 256},
                                                               {257, 129},
                                                               {5003, 128},
                                                               {20011, 37},
                                                               {700, 4096},
                                                               {4500, 4096}})
        EXPECT_TRUE(sizes.contains(size))
            << each.name << " is not tried at " << size.first << "x" << size.second;
    }
}

TEST(Conv1dProblem, InputsAreSeededAndNeverConstant) {
  for (const std::int64_t m : {100, 1000})
    for (const DType dtype : {DType::f32, DType::f64}) {
      Case c = signal(1000, m, dtype);
      const std::vector<HostArray> first = problem().inputs(c), again = problem().inputs(c);
      c.seed = 2;
      const std::vector<HostArray> other = problem().inputs(c);
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_TRUE(std::ranges::equal(first[i].bytes(), again[i].bytes()));
        EXPECT_FALSE(std::ranges::equal(first[i].bytes(), other[i].bytes()));
      }
      EXPECT_FALSE(std::ranges::equal(first[0].bytes().first(400), first[1].bytes().first(400)));
    }
}

// A rung that leaves out a single tap anywhere, or takes one too many, must be found out.
TEST(Conv1dProblem, ATapLeftOutIsBeyondTheTolerance) {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const std::int64_t m : {1, 128, 256, 257, 4096}) {
      const Case c = signal(5000, m, dtype);
      std::vector<HostArray> in = problem().inputs(c);
      const HostArray expected = problem().expected(c, in)[0];
      for (const std::int64_t left_out : {std::int64_t{0}, m - 1}) {
        std::vector<HostArray> changed = in;
        if (dtype == DType::f32)
          changed[1].as<float>()[left_out] = 0;
        else
          changed[1].as<double>()[left_out] = 0;
        EXPECT_FALSE(compare(problem().expected(c, changed)[0], expected, problem().tolerance(c, 0)).accepted)
            << case_text(c) << " without tap " << left_out;
      }
    }
}

// The coarse inputs of long filters: a plain sum in float is the oracle's, to the last bit.
TEST(Conv1dProblem, LongFiltersOfFloatsAreExactInAnyOrder) {
  const Case c = signal(300, 4096);
  const std::vector<HostArray> in = problem().inputs(c);
  const HostArray expected = problem().expected(c, in)[0];
  EXPECT_EQ(problem().tolerance(c, 0).atol, 0);
  for (std::int64_t j = 0; j < 300; ++j) {
    float sum = 0;
    for (std::int64_t i = 299 - j; i >= 0; --i) sum += in[1].as<float>()[i] * in[0].as<float>()[j + i];
    ASSERT_EQ(sum, expected.as<float>()[j]) << j;
  }
}

TEST(Conv1dProblem, TakesAFilterFromAFile) {
  const std::string path = (std::filesystem::temp_directory_path() / "warplab-conv1d-filter.npy").string();
  HostArray filter(DType::f32, {3});
  std::ranges::copy(std::vector{0.25f, -500.0f, 0.25f}, filter.as<float>().begin());
  write_array(path, filter);
  Case c = signal(10, 128);
  Replacements inputs;
  problem().command_line().configure(c, {{"filter", path}}, inputs);
  EXPECT_EQ(c.extent("m"), 3);
  EXPECT_EQ(inputs.at(1).as<float>()[1], -500.0f);
  Case plain = signal(10, 3);
  EXPECT_NEAR(problem().tolerance(c, 0).atol, 500 * problem().tolerance(plain, 0).atol, 1e-12);
  Case doubles = signal(10, 128, DType::f64);
  EXPECT_THROW(problem().command_line().configure(doubles, {{"filter", path}}, inputs),
               BadInput);  // it holds floats
  std::filesystem::remove(path);
  EXPECT_THROW(problem().command_line().configure(c, {{"filter", path}}, inputs), BadInput);
}

TEST(Conv1dProblem, RefusesExtentsThatNoLauncherTakes) {
  EXPECT_THROW(problem().inputs(signal(-1, 4)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(signal(4, 0)), std::invalid_argument);
  EXPECT_THROW(problem().outputs(signal(-1, 1)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(signal(4, 2147483648)), std::invalid_argument);
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(conv1d);
