// Lab 04: one-dimensional convolution of a signal with a filter.
#include <algorithm>
#include <cmath>
#include <span>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "common/io/array_file.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "reference/conv1d.hpp"

namespace warplab {
namespace {

Case case_of(std::int64_t n, std::int64_t m, DType dtype = DType::f32) {
  Case c;
  c.size = {{"n", n}, {"m", m}};
  c.dtype = dtype;
  return c;
}

std::int64_t checked_extent(const Case& c, const char* name, std::int64_t least, std::int64_t most) {
  const std::int64_t value = c.extent(name);
  if (value < least || value > most)
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + "; it must be " +
                                std::to_string(least) + " to " + std::to_string(most));
  return value;
}
std::int64_t elements(const Case& c) { return checked_extent(c, "n", 0, std::int64_t{1} << 59); }
std::int64_t taps(const Case& c) { return checked_extent(c, "m", 1, 2147483647); }

/// The array in one dimension, as launchers take it: a CSV file has two.
HostArray flattened(const HostArray& array) {
  HostArray flat(array.dtype(), {array.count()});
  std::ranges::copy(array.bytes(), flat.bytes().begin());
  return flat;
}

/// The largest magnitude in an array that a file held. @throws BadInput where it is not finite
double largest(const HostArray& array, const char* what) {
  double most = 0;
  dispatch<float, double>(array.dtype(), [&]<class T>() {
    for (const T x : array.as<T>()) most = std::isfinite(x) ? std::max(most, std::fabs(double{x})) : INFINITY;
  });
  if (!std::isfinite(most)) throw BadInput(std::string(what) + " holds numbers that are not finite");
  return most;
}

/// Whether the inputs are multiples of 1/32, so that a sum of floats is exact in any order: see tolerance().
bool coarse(const Case& c) { return c.dtype == DType::f32 && taps(c) > 256 && taps(c) <= 16384; }

class Conv1dProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "conv1d"; }
  std::string title() const override {
    return "Convolution in one dimension: a filter's place, halos and reuse in registers";
  }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const auto rung = [](const char* name, const char* idea, Rung::Access access, bool block = true) {
      return Rung{.name = name,
                  .idea = idea,
                  .access = access,
                  .dtypes = {DType::f32, DType::f64},
                  .block = block ? std::optional(Extent3{256, 1, 1}) : std::nullopt,
                  .takes_block = block};
    };
    static const std::vector<Rung> table = {
        rung("global_stored", "filter in global memory; the output is the sum, written at every tap", given),
        // BEGIN WITHHELD
        rung("constant_stored", "filter in constant memory; the output is the sum", withheld),
        rung("shared_stored", "filter in shared memory; the output is the sum", withheld),
        // END WITHHELD
        rung("global", "filter in global memory; the sum in a register", task),
        rung("constant", "filter in constant memory: one address for a whole warp", task),
        rung("shared", "filter in shared memory, which every block fills for itself", task),
        rung("tiled", "the input in shared memory, with its halo; filter in constant memory", task),
        rung("register_tiled", "several outputs per thread, from a window in registers", task, false),
    };
    return table;
  }

  std::vector<std::string> size_names() const override { return {"n", "m"}; }

  Case default_case(Backend where) const override {
    return where == Backend::cuda ? case_of(3200000, 128) : case_of(128000, 128);
  }

  // Two of the published sizes, in the L2 cache of a large GPU, and one far beyond it.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    return {case_of(1280000, 128), case_of(3200000, 128), case_of(64000000, 128)};
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    // Nothing, single elements and taps, one off warps and blocks, primes, and filters longer than the input.
    static const std::int64_t sizes[][2] = {
        {0, 1},      {0, 300},   {1, 1},      {1, 5},     {2, 3},      {5, 4},     {31, 32},    {32, 31},
        {33, 33},    {255, 2},   {256, 256},  {257, 129}, {1021, 127}, {1000, 1},  {5003, 128}, {20011, 37},
        {1537, 200}, {511, 512}, {700, 4096}, {1, 4096},  {301, 1009}, {4801, 999}};
    for (const DType dtype : rung.dtypes) {
      for (const auto& [n, m] : sizes) cases.push_back(case_of(n, m, dtype));
      cases.push_back(case_of(4500, 4096, dtype));
    }
    if (rung.takes_block)
      for (const unsigned threads : {1u, 32u, 100u, 1000u, 1024u}) {
        cases.push_back(case_of(2003, 131));
        cases.back().block = Extent3{threads, 1, 1};
      }
    else  // one off its blocks, its vectors, its turns of the ring and its rounds
      for (const DType dtype : rung.dtypes)
        for (const int outputs : dtype == DType::f32 ? std::array{4, 20} : std::array{2, 14})
          for (const auto& [n, m] : {std::pair{128 * outputs, 24},
                                     {128 * outputs + 1, 23},
                                     {128 * outputs - 1, 25},
                                     {384 * outputs - 5, 3},
                                     {257 * outputs, 479},
                                     {1001, 481},
                                     {129 * outputs + 3, 961}}) {
            cases.push_back(case_of(n, dtype == DType::f32 ? m : (m + 1) / 2, dtype));
            cases.back().set_param("thread-outputs", outputs);
          }
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 400 + i;
    return cases;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"filter", "A .npy or .csv file in place of the filter; its length is m"},
            {"thread-outputs", "Outputs per thread of register_tiled: 4 or 20 of float, 2 or 14 of double"}};
  }

  void configure(Case& c, const std::map<std::string, std::string>& given,
                 Replacements& inputs) const override {
    if (const auto path = given.find("filter"); path != given.end()) {
      HostArray filter = flattened(read_array(path->second, c.dtype));
      if (filter.count() == 0)
        throw BadInput("--filter " + path->second + " is empty: a filter has 1 tap or more");
      c.extent("m") = filter.count();
      c.set_param("filter_max", largest(filter, ("--filter " + path->second).c_str()), path->second);
      inputs[1] = std::move(filter);
    }
    if (const auto outputs = given.find("thread-outputs"); outputs != given.end())
      c.set_param("thread-outputs",
                  static_cast<double>(parse_number("--thread-outputs", outputs->second, 1, 20)));
  }

  HostArray read_input(const std::string& path, std::optional<DType> dtype) const override {
    return flattened(ProblemCommandLine::read_input(path, dtype));
  }
  void adopt_input(Case& c, const HostArray& input) const override {
    c.extent("n") = input.count();
    c.dtype = input.dtype();
    if (c.dtype == DType::f32 || c.dtype == DType::f64) c.set_param("in_max", largest(input, "--input"));
  }

  // From [-1, 1): at random for filters of up to 256 taps, which all timed ones
  // are; coarse() for longer ones.
  std::vector<HostArray> inputs(const Case& c) const override {
    std::vector<HostArray> arrays;
    for (const std::int64_t count : {elements(c), taps(c)}) {
      const auto stream = static_cast<unsigned>(arrays.size());
      HostArray& array = arrays.emplace_back(c.dtype, std::vector{count});
      fill_random(array, c.seed, stream);
      if (coarse(c))
        for (float& x : array.as<float>()) x = std::floor(x * 32) / 32;
    }
    return arrays;
  }

  ArrayNames array_names() const override { return {{"in", "filter"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, {elements(c)}}}; }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override {
    std::vector<HostArray> out;
    out.emplace_back(c.dtype, in[0].shape());
    dispatch<float, double>(c.dtype, [&]<class T>() {
      reference::conv1d(in[0].as<T>().data(), in[1].as<T>().data(), out[0].as<T>().data(), in[0].count(),
                        in[1].count());
    });
    return out;
  }

  // A sum of m products, each product and each addition rounded, in any order and with or without fused
  // multiply-adds, is off by at most gamma_m * sum |filter| |in|, gamma_k = k u / (1 - k u), where u is half
  // the distance of 1 to its next neighbour (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1).
  // That sum is at most m * filter_max * in_max, which are 1 unless a file was given. For float the oracle
  // adds one rounding of its own, the one to float, and errors of double, far below: gamma_(m + 2) covers
  // them. For double it makes as many roundings as a rung: twice gamma_m.
  //
  // At 4096 taps that bound would be 1 in float, as large as the largest product: a rung might leave out a
  // tap. So long filters get coarse inputs, multiples of 2^-5 below 1 in magnitude or equal to it. Products
  // are multiples of 2^-10, sums at most m <= 2^14: 24 bits, which float has. Nothing is rounded, whatever
  // the order, and equality is asked for.
  Tolerance tolerance(const Case& c, std::size_t) const override {
    const bool files = c.param("in_max", -1) >= 0 || c.param("filter_max", -1) >= 0;
    if (coarse(c) && !files) return {};
    const double m = static_cast<double>(taps(c));
    const auto gamma = [](double k, double u) { return k * u / (1 - k * u); };
    const double relative = c.dtype == DType::f32 ? gamma(m + 2, 0x1p-24) : 2 * gamma(m, 0x1p-53);
    return {.atol = relative * m * c.param("filter_max", 1) * c.param("in_max", 1)};
  }

  // Taps beyond the end are counted like all others: at most m / n of them, where n is larger.
  Cost cost(const Case& c) const override {
    const double n = static_cast<double>(elements(c)), m = static_cast<double>(taps(c));
    return {.bytes = (n + m + n) * static_cast<double>(size_of(c.dtype)), .flops = 2 * n * m};
  }

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    return dispatch<float, double>(c.dtype, [&]<class T>() {
      return reference::conv1d_baseline(in[0].as<T>().data(), in[1].as<T>().data(), out[0].as<T>().data(),
                                        in[0].count(), in[1].count(), threads);
    });
  }
};

const ProblemRegistration<Conv1dProblem> registration;

}  // namespace
}  // namespace warplab
