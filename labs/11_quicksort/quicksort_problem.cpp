// Lab 11: keys in order. int, float and double, in random order and in orders that quicksort does not like.
#include <cmath>
#include <limits>
#include <numeric>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "labs/11_quicksort/quicksort_shape.hpp"
#include "reference/quicksort.hpp"

namespace warplab {
namespace {

/// The order of the keys before they are sorted; tests/hidden/quicksort.json draws them by these numbers.
enum Pattern {
  random_keys,
  sorted,
  reversed,
  equal,
  organ_pipe,  ///< up, then down
  few,         ///< seven different keys
  special,     ///< numbers among NaNs of either sign, zeros of either sign, infinities, subnormals, extremes
  killer_first,
  killer_middle,
  killer_median,
  killer_ninther,
  killer_own = quicksort_killer_own,  ///< made against the rung's own pivots; a shuffle where keys are given
};
constexpr const char* patterns[] = {"random",        "sorted",        "reversed",       "equal",
                                    "organ_pipe",    "few",           "special",        "killer_first",
                                    "killer_middle", "killer_median", "killer_ninther", "killer_own"};
constexpr std::int64_t max_killer_keys = 20'000;  // they take n^2 / 4 comparisons to make

Pattern pattern_of(const Case& c) { return static_cast<Pattern>(c.param("pattern", random_keys)); }

Case case_of(std::int64_t n, DType dtype = DType::i32, Pattern pattern = random_keys) {
  Case c;
  c.size = {{"n", n}};
  c.dtype = dtype;
  c.set_param("pattern", pattern, patterns[pattern]);
  return c;
}

std::int64_t checked_size(const Case& c) {
  const std::int64_t n = c.extent("n");
  if (n < 0) throw std::invalid_argument("n is " + std::to_string(n) + "; it must be 0 or more");
  if (n > quicksort_max_keys)
    throw std::invalid_argument("n is " + std::to_string(n) + "; this lab sorts at most " +
                                std::to_string(quicksort_max_keys) + " keys");
  if (pattern_of(c) >= killer_first && n > max_killer_keys)
    throw std::invalid_argument("n is " + std::to_string(n) + "; the pattern " + patterns[pattern_of(c)] +
                                " is made for at most " + std::to_string(max_killer_keys) + " keys");
  if (pattern_of(c) == killer_own && c.dtype != DType::i32)
    throw std::invalid_argument("the pattern killer_own has keys of type int");
  return n;
}

/// Keys of T that are hard to order: each at least once in 64.
template <class T>
T special_key(std::uint64_t random) {
  using limits = std::numeric_limits<T>;
  const T number = static_cast<T>(static_cast<int>(random >> 32) % 1000);
  if constexpr (std::is_integral_v<T>) {
    constexpr T values[] = {limits::min(), limits::max(), limits::min() + 1, limits::max() - 1, 0, -1, 1};
    return random % 16 < std::size(values) ? values[random % 16] : number;
  } else {
    const T values[] = {limits::quiet_NaN(),  -limits::quiet_NaN(), T(0),          -T(0),
                        limits::infinity(),   -limits::infinity(),  limits::max(), limits::lowest(),
                        limits::denorm_min(), -limits::denorm_min()};
    return random % 16 < std::size(values) ? values[random % 16] : number;
  }
}

/// 0 to n - 1 in random order.
std::vector<int> shuffled(std::int64_t n, std::uint64_t seed) {
  std::vector<int> keys(static_cast<std::size_t>(n));
  std::iota(keys.begin(), keys.end(), 0);
  for (std::size_t i = keys.size(); i > 1; --i) std::swap(keys[i - 1], keys[random_bits(seed, i) % i]);
  return keys;
}

template <class T>
void fill_pattern(std::span<T> keys, const Case& c) {
  const auto n = static_cast<std::int64_t>(keys.size());
  const Pattern pattern = pattern_of(c);
  std::vector<int> killer;
  if (pattern == killer_own)
    killer = shuffled(n, c.seed);
  else if (pattern >= killer_first)
    killer = reference::killer_sequence(static_cast<reference::PivotRule>(pattern - killer_first),
                                        static_cast<int>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t random = random_bits(c.seed, static_cast<std::uint64_t>(i));
    const auto key = [&]() -> T {
      switch (pattern) {
        case sorted:
          return static_cast<T>(i);
        case reversed:
          return static_cast<T>(n - i);
        case equal:
          return static_cast<T>(c.seed % 1000);
        case organ_pipe:
          return static_cast<T>(std::min(i, n - 1 - i));
        case few:
          return static_cast<T>(random % 7);
        case special:
          return special_key<T>(random);
        default:
          return static_cast<T>(killer[static_cast<std::size_t>(i)]);
      }
    };
    keys[static_cast<std::size_t>(i)] = key();
  }
}

class QuicksortProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "quicksort"; }
  std::string title() const override { return "Quicksort: launches from kernels, and what they cost"; }
  std::vector<std::string> size_names() const override { return {"n"}; }
  const std::vector<Rung>& rungs() const override;

  Case default_case(Backend where) const override {
    return case_of(where == Backend::cuda ? 1 << 24 : 1 << 16);
  }
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {case_of(4096), default_case(where)};
    return {case_of(1 << 16), case_of(1 << 20), default_case(where)};
  }
  // One thread that partitions, and a launch per key, take seconds at larger sizes.
  bool runs_by_itself(const Case& c, const Rung& rung) const override {
    const std::int64_t n = c.extent("n");
    if (rung.name == "recursive") return n <= (backend == Backend::cuda ? 1 << 16 : 4096);
    return rung.name != "small_ranges" || n <= 1 << 16;
  }

  std::vector<Case> public_cases(const Rung& rung) const override;
  Case for_rung(const Case& c, const Rung&) const override {
    Case named = c;
    named.set_param("pattern", pattern_of(c), patterns[pattern_of(c)]);
    return named;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"pattern",
             "the order of the keys: random (the default), sorted, reversed, equal, organ_pipe, few, "
             "special, killer_first, killer_middle, killer_median, killer_ninther or killer_own (on the "
             "emulator: made against the rung's own pivots)"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    const auto pattern = given.find("pattern");
    if (pattern == given.end()) return;
    const std::size_t choice = parse_choice("--pattern", pattern->second, patterns);
    c.set_param("pattern", static_cast<double>(choice), patterns[choice]);
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    std::vector<HostArray> in;
    in.emplace_back(c.dtype, std::vector{checked_size(c)});
    if (pattern_of(c) == random_keys && c.dtype == DType::i32)
      fill_random(in[0], c.seed, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    else if (pattern_of(c) == random_keys)
      fill_random(in[0], c.seed);  // multiples of 2^-24 in [-1, 1)
    else
      dispatch<int, float, double>(c.dtype, [&]<class T>() { fill_pattern(in[0].as<T>(), c); });
    return in;
  }
  ArrayNames array_names() const override { return {{"in"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, {checked_size(c)}}}; }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override {
    std::vector<HostArray> out{in.at(0)};
    dispatch<int, float, double>(
        c.dtype, [&]<class T>() { reference::sort_keys(out[0].as<T>().data(), checked_size(c)); });
    return out;
  }

  // Only keys with the same bits are equal, so there is one right output, bit by bit: keys in order that are
  // also a permutation of the input. Where it is not met, the comparison says which of the two is not met.
  Tolerance tolerance(const Case&, std::size_t) const override { return {.bits = true}; }

  Cost cost(
      const Case& c) const override {  // each key is read once and written once; no operation is compelled
    return {.bytes = 2.0 * static_cast<double>(c.extent("n")) * static_cast<double>(size_of(c.dtype))};
  }

  std::size_t workspace_bytes(const Case& c, const Rung& rung) const override {
    const std::int64_t n = std::max<std::int64_t>(0, c.extent("n"));
    const std::size_t keys = static_cast<std::size_t>(n) * size_of(c.dtype);
    if (!rung.peer_of.empty()) return 3 * keys + (std::size_t{64} << 20);  // more than CUB asks for
    if (rung.name == "level_synchronous") return QuicksortLevels(n, size_of(c.dtype)).bytes;
    if (rung.name == "open_contract") return quicksort_open_workspace(n, size_of(c.dtype));
    if (rung.name == "radix") return QuicksortRadix(n, size_of(c.dtype)).bytes;
    return rung.name == "recursive" || rung.name == "small_ranges" ? 0 : keys;
  }

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    out.at(0) = in.at(0);
    return dispatch<int, float, double>(c.dtype, [&]<class T>() {
      return reference::quicksort_baseline(out[0].as<T>().data(), c.extent("n"), threads);
    });
  }
};

const std::vector<Rung>& QuicksortProblem::rungs() const {
  using enum Rung::Access;
  const auto rung = [](const char* name, const char* idea, Rung::Access access, const char* peer = "") {
    return Rung{.name = name,
                .idea = idea,
                .access = access,
                .dtypes = {DType::i32, DType::f32, DType::f64},
                .peer_of = peer};
  };
  static const std::vector<Rung> table = {
      rung("recursive", "a thread partitions and launches a kernel for each side: 2n + 1 launches", task),
      rung("small_ranges", "up to 1024 keys are sorted by a block in shared memory, and launch nothing",
           task),
      rung("block_partition", "1024 threads partition together: ballot, popcount and a scan", task),
      rung("three_way", "equal keys are done at once; the median of nine as pivot; a limited depth", task),
      rung("level_synchronous", "the host launches one kernel per level for all its ranges", task),
      rung("open_contract", "any sort that compares keys: the strategy is yours", task),
      rung("radix", "no comparisons: 8 bits per pass, one launch per pass", given),
      rung("cub_merge", "cub::DeviceMergeSort", given, "CUB"),
      rung("cub_radix", "cub::DeviceRadixSort", given, "CUB"),
  };
  return table;
}

std::vector<Case> QuicksortProblem::public_cases(const Rung& rung) const {
  std::vector<Case> cases;
  const bool recursive = rung.name == "recursive", serial = recursive || rung.name == "small_ranges";
  // Around a warp, a range that a block sorts, a tile of each rung, and primes.
  for (const DType dtype : rung.dtypes) {
    for (const std::int64_t n : {0, 1, 2, 3, 31, 32, 33, 64, 65, 997}) cases.push_back(case_of(n, dtype));
    if (recursive) continue;
    for (const std::int64_t n : {1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097, 10'007})
      cases.push_back(case_of(n, dtype));
  }
  cases.push_back(case_of(recursive ? 3001 : serial || rung.name == "block_partition" ? 10'009 : 20'011));
  // Where the first key is the pivot, some patterns end one key per level.
  const std::int64_t several = recursive ? 301 : serial || rung.name == "block_partition" ? 1100 : 3001;
  for (int pattern = sorted; pattern <= few; ++pattern)
    for (const DType dtype : rung.dtypes)
      cases.push_back(case_of(several, dtype, static_cast<Pattern>(pattern)));
  // The grader draws one type for each size. Only float and double have a NaN and a -0, so they have a size
  // of their own: whoever compares keys by `<` sees it before the hidden sizes do.
  for (const DType dtype : rung.dtypes)
    cases.push_back(case_of(several + (dtype == DType::i32 ? 0 : 1), dtype, special));
  for (int pattern = killer_first; pattern <= killer_ninther; ++pattern)
    cases.push_back(case_of(several, DType::i32, static_cast<Pattern>(pattern)));
  // Few keys above a range that a block sorts: a tree without a limit cuts off one key per level, and each
  // level is a launch that the grader waits for.
  cases.push_back(case_of(recursive ? several : 1150, DType::i32, killer_own));
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 1100 + i;
  return cases;
}

const ProblemRegistration<QuicksortProblem> registration;

}  // namespace
}  // namespace warplab
