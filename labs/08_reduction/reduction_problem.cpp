// Lab 08: one number made of many. Sums, minima, maxima and means of int, float and double.
#include <cmath>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "labs/08_reduction/reduction_shape.hpp"
#include "reference/reduction.hpp"

namespace warplab {
namespace {

constexpr const char* operations[] = {"sum", "min", "max", "mean"};
enum Operation { sum, min, max, mean };

Operation operation_of(const Case& c) { return static_cast<Operation>(c.param("op", sum)); }

Case case_of(std::int64_t n, DType dtype = DType::i32, Operation operation = sum,
             std::optional<Extent3> block = {}, std::optional<Extent3> grid = {}) {
  Case c;
  c.size = {{"n", n}};
  c.dtype = dtype;
  c.block = block;
  c.grid = grid;
  c.set_param("op", operation, operations[operation]);
  return c;
}

/// n, if there is an operation on so many elements. @throws std::invalid_argument if not
std::int64_t checked_size(const Case& c) {
  const std::int64_t n = c.extent("n");
  if (n < 0) throw std::invalid_argument("n is " + std::to_string(n) + "; it must be 0 or more");
  if (n == 0 && operation_of(c) != sum)
    throw std::invalid_argument("the " + std::string(operations[operation_of(c)]) +
                                " of no elements does not exist; only a sum has a value for n = 0");
  return n;
}

/// The most additions that one element goes through in a rung: how deep the tree of its order can be.
/// Additions to the identity, which are exact, may be counted.
double longest_chain(const Rung& rung, const Case& c) {
  const std::int64_t n = c.extent("n"), block = std::max(1u, (*(c.block ? c.block : rung.block))[0]);
  const auto levels = [](std::int64_t values) { return std::ceil(std::log2(static_cast<double>(values))); };
  const auto share = [](std::int64_t count, std::int64_t parts) {
    return static_cast<double>(reduction_share(count, parts));
  };
  if (rung.name == "naive_atomic") return static_cast<double>(n);
  if (rung.name.starts_with("interleaved") || rung.name == "sequential")
    return levels(block) + share(n, block);  // a block's tree, then one atomic per block
  if (!rung.takes_grid) return 1 + levels(block) + share(n, 2 * block);

  // The rungs that stride: a sum in each thread, a tree in the block, then the blocks. The
  // device decides how many blocks there are, within known bounds; a / blocks + blocks is
  // largest at one of them, and rounding adds 1.
  const auto with_blocks = [&](std::int64_t blocks) {
    if (rung.name != "single_pass") return share(n, blocks * block) + 10 + static_cast<double>(blocks);
    const std::int64_t width = 16 / static_cast<std::int64_t>(size_of(c.dtype));  // accumulators of a thread
    // Two elements may lie outside the vectors. At the end one block sums the
    // blocks' results as it did its own.
    return share(n, width * blocks * block) + 2 + static_cast<double>(width) + 10 + share(blocks, block) + 10;
  };
  if (c.grid) return with_blocks(std::max(1u, (*c.grid)[0]));
  const std::int64_t items =
      rung.name == "single_pass" ? n * static_cast<std::int64_t>(size_of(c.dtype)) / 16 : n;
  const std::int64_t useful = std::max<std::int64_t>(1, reduction_share(items, block));
  return 1 + std::max(with_blocks(std::min(useful, reduction_min_blocks)),
                      with_blocks(std::min(useful, reduction_max_blocks)));
}

class ReductionProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "reduction"; }
  std::string title() const override {
    return "Reduction: atomics, trees, shuffles and one pass over memory";
  }
  std::vector<std::string> size_names() const override { return {"n"}; }
  const std::vector<Rung>& rungs() const override;

  Case default_case(Backend where) const override {
    return case_of(where == Backend::cuda ? 100'000'000 : 1 << 22);
  }

  // From what a launch costs to what memory costs; the last is the published one.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    return {case_of(10'000),     case_of(100'000),     case_of(1'000'000),
            case_of(10'000'000), case_of(100'000'000), case_of(1'000'000'000)};
  }

  std::vector<Case> sweep() const override {
    std::vector<Case> cases;
    for (const unsigned threads : {128u, 256u, 512u})
      cases.emplace_back(case_of(backend == Backend::cuda ? 100'000'000 : 1 << 16)).block =
          Extent3{threads, 1, 1};
    return cases;
  }

  Case for_rung(const Case& c, const Rung& rung) const override {
    Case complete = c;
    const bool rounds = c.dtype != DType::i32 && operation_of(c) != min && operation_of(c) != max;
    std::erase_if(complete.params, [](const Parameter& p) { return p.name == "additions"; });
    // A peer keeps its order to itself: any order has fewer than n additions in a chain.
    if (rounds)
      complete.set_param("additions",
                         rung.peer_of.empty() ? longest_chain(rung, c) : static_cast<double>(c.extent("n")));
    return complete;
  }

  std::vector<Case> public_cases(const Rung& rung) const override;

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"op", "what to compute: sum (the default), min, max or mean"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    const auto op = given.find("op");
    if (op == given.end()) return;
    const std::size_t choice = parse_choice("--op", op->second, operations);
    c.set_param("op", static_cast<double>(choice), operations[choice]);
  }

  void adopt_input(Case& c, const HostArray& input) const override;

  std::vector<HostArray> inputs(const Case& c) const override {
    std::vector<HostArray> in;
    in.emplace_back(c.dtype, std::vector{checked_size(c)});
    fill_random(in[0], c.seed);  // integers in [-1000, 1000], else multiples of 2^-24 in [-1, 1)
    return in;
  }

  ArrayNames array_names() const override { return {{"in"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    checked_size(c);
    return {{operation_of(c) == mean ? DType::f64 : c.dtype, {1}}};
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override;
  Tolerance tolerance(const Case& c, std::size_t i) const override;

  Cost cost(const Case& c) const override {
    const auto n = static_cast<double>(c.extent("n"));
    return {.bytes = (n + 1) * static_cast<double>(size_of(c.dtype)), .flops = n};  // each read once
  }

  // For the rungs that keep one value per block, and more than CUB asks for: a few thousand partial results.
  std::size_t workspace_bytes(const Case& c, const Rung&) const override {
    const std::int64_t blocks = std::max<std::int64_t>(reduction_max_blocks, c.grid ? (*c.grid)[0] : 0);
    return std::max(std::size_t{1} << 20, reduction_single_pass_workspace(blocks));
  }

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    using reference::Reduction;
    constexpr Reduction reductions[] = {Reduction::sum, Reduction::min, Reduction::max, Reduction::mean};
    return dispatch<int, float, double>(c.dtype, [&]<class T>() {
      return reference::reduction_baseline(reductions[operation_of(c)], in.at(0).as<T>().data(),
                                           out.at(0).bytes().data(), c.extent("n"), threads);
    });
  }
};

const std::vector<Rung>& ReductionProblem::rungs() const {
  using enum Rung::Access;
  const auto rung = [](const char* name, const char* idea, Rung::Access access,
                       unsigned block = reduction_block, bool takes_grid = false) {
    return Rung{.name = name,
                .idea = idea,
                .access = access,
                .dtypes = {DType::i32, DType::f32, DType::f64},
                .block = Extent3{block, 1, 1},
                .takes_block = true,
                .takes_grid = takes_grid};
  };
  static const std::vector<Rung> table = [&] {
    std::vector<Rung> rows = {
        rung("naive_atomic", "every element goes to the total by an atomic of its own", given),
        rung("interleaved", "a tree in shared memory, between neighbours: warps half empty", given),
        rung("interleaved_strided", "the same tree by full warps: bank conflicts instead of divergence",
             given),
        rung("sequential", "the second half joins the first: full warps, no bank conflicts", task),
        rung("first_add", "two elements per thread, joined as they are loaded", task),
        rung("last_warp_unrolled", "the last six steps by one warp, with __syncwarp()", task),
        rung("fully_unrolled", "the block's size as a template parameter: no loop left", task),
        rung("grid_stride", "few long-lived blocks: a long sum a thread, then one tree", task,
             reduction_block, true),
        rung("warp_shuffle", "registers handed from lane to lane: one barrier per block", task,
             reduction_block, true),
        rung("single_pass", "16 bytes per load, four in flight; the last block joins the blocks' results",
             task, reduction_single_pass_block, true),
    };
    Rung& cub = rows.emplace_back(rung("cub", "cub::DeviceReduce", given));
    cub.block = std::nullopt;
    cub.takes_block = false;
    cub.peer_of = "CUB";
    return rows;
  }();
  return table;
}

std::vector<Case> ReductionProblem::public_cases(const Rung& rung) const {
  std::vector<Case> cases;
  const unsigned own = rung.block ? (*rung.block)[0] : reduction_block;
  // Around a warp, a block and its tile, and primes; one that fills many blocks.
  const std::int64_t tile = 2 * static_cast<std::int64_t>(own);
  const std::int64_t sizes[] = {1,   2,       3,        4,    5,        31,  32,   33,    own - 1,
                                own, own + 1, tile - 1, tile, tile + 1, 997, 4096, 65537, 100'003};
  for (const DType dtype : rung.dtypes) {
    cases.push_back(case_of(0, dtype));
    for (const std::int64_t n : sizes) cases.push_back(case_of(n, dtype));
    for (const Operation operation : {min, max, mean})
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{33}, tile + 1, std::int64_t{20'011}})
        cases.push_back(case_of(n, dtype, operation));
  }
  std::vector<unsigned> blocks;
  if (rung.name == "naive_atomic")
    blocks = {1, 7, 1000, 1024};
  else if (rung.name == "last_warp_unrolled")
    blocks = {64, 256, 1024};
  else if (rung.name == "fully_unrolled" || rung.name == "grid_stride")
    blocks = {256, 512};
  else if (rung.name == "warp_shuffle" || rung.name == "single_pass")
    blocks = {32, 96, 1024};
  else if (rung.takes_block)
    blocks = {1, 2, 32, 1024};
  for (const unsigned block : blocks)
    for (const DType dtype : {DType::i32, DType::f32})
      cases.push_back(case_of(5003, dtype, sum, Extent3{block, 1, 1}));
  if (rung.takes_grid)
    for (const unsigned grid : {1u, 3u, 1000u}) {
      cases.push_back(case_of(20'011, DType::f32, sum, Extent3{128, 1, 1}, Extent3{grid, 1, 1}));
      cases.push_back(case_of(20'011, DType::i32, mean, Extent3{128, 1, 1}, Extent3{grid, 1, 1}));
    }
  if (rung.takes_grid) cases.push_back(case_of(3'000'001));  // more than once around the grid
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].seed = 800 + i;
    cases[i] = for_rung(cases[i], rung);
  }
  return cases;
}

void ReductionProblem::adopt_input(Case& c, const HostArray& input) const {
  ProblemCommandLine::adopt_input(c, input);
  if (input.dtype() != DType::f32 && input.dtype() != DType::f64) return;
  // The tolerance needs sum |x|, which a seeded input bounds by itself.
  double magnitude = 0;
  dispatch<float, double>(input.dtype(), [&]<class T>() {
    for (const T x : input.as<T>()) magnitude += std::fabs(static_cast<double>(x));
  });
  if (!std::isfinite(magnitude))
    throw BadInput(
        "--input holds an infinity or what is not a number; a reduction needs finite elements, also in sum");
  c.set_param("sum_of_magnitudes", magnitude * (1 + 0x1p-20));  // itself rounded, n times
}

std::vector<HostArray> ReductionProblem::expected(const Case& c, const std::vector<HostArray>& in) const {
  const std::int64_t n = checked_size(c);
  const ArraySpec spec = outputs(c)[0];
  std::vector<HostArray> out;
  out.emplace_back(spec.dtype, spec.shape);
  dispatch<int, float, double>(c.dtype, [&]<class T>() {
    const T* x = in.at(0).as<T>().data();
    const auto total = [&] {
      if constexpr (std::is_integral_v<T>)
        return reference::exact_sum(x, n);
      else
        return reference::compensated_sum(x, n);
    };
    switch (operation_of(c)) {
      case sum:
        out[0].as<T>()[0] = static_cast<T>(total());  // an int is what is left modulo 2^32
        break;
      case min:
        out[0].as<T>()[0] = reference::minimum(x, n);
        break;
      case max:
        out[0].as<T>()[0] = reference::maximum(x, n);
        break;
      case mean:
        out[0].as<double>()[0] = static_cast<double>(total()) / static_cast<double>(n);
    }
  });
  return out;
}

// Integers, minima and maxima must be equal: int sums are exact modulo 2^32 in any order, the mean of ints
// divides an exact sum once, as the oracle does.
//
// A sum of floating-point numbers depends on its order. Each addition multiplies its exact result by 1 + d,
// |d| <= u (2^-24 for float, 2^-53 for double). An element that goes through at most k additions is
// multiplied by k such factors, so for any order with chains of at most k
//     |computed - exact| <= ((1 + u)^k - 1) * sum |x|,
// also where k u is not small. k, the parameter "additions", is counted for each rung; without it, it is n -
// 1, which no order exceeds. sum |x| <= n for seeded inputs, whose elements are in [-1, 1). To this come: the
// oracle's own error, 2^-53 |sum| + n^2 2^-106 sum |x| for the compensated sum, its rounding to the output's
// type, u |sum|, and for atomics on floats that CUDA sets results below 2^-126 to 0: 2^-125 for each. A mean
// of floats is summed in double, whatever its elements, and divided: one more rounding on each side. The last
// factor covers the rounding of this bound itself.
Tolerance ReductionProblem::tolerance(const Case& c, std::size_t) const {
  const Operation operation = operation_of(c);
  if (c.dtype == DType::i32 || operation == min || operation == max) return {};
  const auto n = static_cast<double>(c.extent("n"));
  const double u = c.dtype == DType::f32 && operation == sum ? 0x1p-24 : 0x1p-53;
  const double magnitudes = c.param("sum_of_magnitudes", n);
  const double growth = std::expm1(c.param("additions", n) * std::log1p(u));
  const double oracle = n * n * 0x1p-106;
  const double flushed = c.dtype == DType::f32 ? n * 0x1p-125 : 0;
  double atol = ((growth + oracle) * magnitudes + flushed) * (1 + 0x1p-20);
  if (operation == mean && n > 0) atol /= n;
  return {.atol = atol, .rtol = 2 * u + 2 * 0x1p-53};
}

const ProblemRegistration<ReductionProblem> registration;

}  // namespace
}  // namespace warplab
