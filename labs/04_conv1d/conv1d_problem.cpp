// Lab 04: one-dimensional convolution of a signal with a filter.
#include <algorithm>
#include <cmath>
#include <span>

#include "common/bad_input.hpp"
#include "common/io/array_file.hpp"
#include "common/random.hpp"
#include "harness/options.hpp"
#include "harness/problem.hpp"
#include "harness/problem_command_line.hpp"
#include "reference/conv1d.hpp"

namespace warplab {
namespace {

Case case_of(std::int64_t n, std::int64_t m, DType dtype = DType::f32) {
  Case c;
  c.size = {{"n", n}, {"m", m}};
  c.dtype = dtype;
  return c;
}

/// A row of table 3, with the times in milliseconds of appendix 8.3: the filter in global memory.
struct Published {
  DType dtype;
  std::int64_t n, m;
  double cpu, gpu, h2d, d2h, memcpy, total;
};

constexpr Published published[] = {
    {DType::f32, 1280000, 32, 166.144559, 1.810112, 0.56989, 2.1192, 2.68909, 4.499202},
    {DType::f32, 1280000, 64, 352.529806, 3.63408, 0.57037, 2.1118, 2.68217, 6.31625},
    {DType::f32, 1280000, 100, 481.500205, 5.36736, 0.62276, 1.9976, 2.62036, 7.98772},
    {DType::f32, 1280000, 128, 681.105225, 4.558016, 0.6471, 2.0083, 2.6554, 7.213416},
    {DType::f32, 1280000, 160, 759.491343, 6.283264, 0.60014, 1.751, 2.35114, 8.634404},
    {DType::f32, 1280000, 200, 1029.78404, 8.932768, 3.629, 2.1487, 5.7777, 14.710468},
    {DType::f32, 1280000, 256, 1266.530555, 9.05232, 3.6633, 1.9336, 5.5969, 14.64922},
    {DType::f32, 320000, 128, 172.972962, 1.427776, 0.42218, 0.32771, 0.74989, 2.177666},
    {DType::f32, 640000, 128, 293.857043, 2.688544, 1.0201, 0.92958, 1.94968, 4.638224},
    {DType::f32, 1280000, 128, 715.717712, 4.643712, 0.86717, 2.1597, 3.02687, 7.670582},
    {DType::f32, 1920000, 128, 871.812922, 6.894464, 4.3098, 2.7357, 7.0455, 13.939964},
    {DType::f32, 2560000, 128, 1162.075456, 9.245152, 5.6464, 3.2468, 8.8932, 18.138352},
    {DType::f32, 3200000, 128, 1519.545263, 11.207872, 9.89, 4.7189, 14.6089, 25.816772},
    {DType::f64, 1280000, 32, 175.309864, 2.129664, 8.43, 4.0529, 12.4829, 14.612564},
    {DType::f64, 1280000, 64, 355.01804, 3.034016, 1.345, 4.6045, 5.9495, 8.983516},
    {DType::f64, 1280000, 100, 544.46133, 5.890368, 8.6345, 4.8191, 13.4536, 19.343968},
    {DType::f64, 1280000, 128, 696.174747, 5.902752, 7.9031, 4.9791, 12.8822, 18.784952},
    {DType::f64, 1280000, 160, 846.687975, 6.724256, 7.8314, 3.5796, 11.411, 18.135256},
    {DType::f64, 1280000, 200, 903.357921, 7.46576, 2.3105, 4.0445, 6.355, 13.82076},
    {DType::f64, 1280000, 256, 1247.355298, 10.02384, 7.778, 4.0936, 11.8716, 21.89544},
    {DType::f64, 320000, 128, 174.005531, 1.658464, 1.4504, 1.2117, 2.6621, 4.320564},
    {DType::f64, 640000, 128, 292.378909, 2.906496, 1.4104, 1.9768, 3.3872, 6.293696},
    {DType::f64, 1280000, 128, 692.077252, 5.84944, 7.7513, 5.1069, 12.8582, 18.70764},
    {DType::f64, 1920000, 128, 965.685331, 8.190496, 3.205, 4.7574, 7.9624, 16.152896},
    {DType::f64, 2560000, 128, 1167.45247, 10.879584, 2.4406, 8.5013, 10.9419, 21.821484},
    {DType::f64, 3200000, 128, 1523.375297, 14.314592, 21.272, 8.7521, 30.0241, 44.338692},
};

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

  // Two of the report's sizes, in the L2 cache of a large GPU, and one far beyond it.
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

  std::vector<Experiment> experiments() const override {
    std::vector<Experiment> rows;
    for (const char* memory : {"global", "constant", "shared"}) {
      if (!find_rung(std::string(memory) + "_stored")) continue;  // students have only the first
      int number = 0;
      for (const Published& row : published) {
        Experiment& e = rows.emplace_back();
        e.table = std::string("004 table 3, filter in ") + memory + " memory";
        e.label = std::to_string(++number);
        e.rung = std::string(memory) + "_stored";
        e.problem_case = case_of(row.n, row.m, row.dtype);
        e.problem_case.block = Extent3{256, 1, 1};
        e.note = "the report does not say its blocks: replayed with 256, and without reading past the end";
        if (e.rung == "global_stored")
          e.published = {{"titan_x_cpu_ms", row.cpu},       {"titan_x_gpu_ms", row.gpu},
                         {"titan_x_h2d_ms", row.h2d},       {"titan_x_d2h_ms", row.d2h},
                         {"titan_x_memcpy_ms", row.memcpy}, {"titan_x_total_ms", row.total}};
        else
          e.note += "; its times exist only as a figure";
      }
    }
    return rows;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"filter", "A .npy or .csv file in place of the filter; its length is m"},
            {"thread-outputs", "Outputs a thread of register_tiled: 4 or 20 of float, 2 or 14 of double"}};
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
