// Lab 02: c = a + b for vectors.
#include "common/host/extreme_values.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "reference/vector_add.hpp"

namespace warplab {
namespace {

Case case_of(std::int64_t n, DType dtype = DType::f32) {
  Case c;
  c.size = {{"n", n}};
  c.dtype = dtype;
  return c;
}

class VectorAddProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "vector_add"; }
  std::string title() const override { return "Vector addition: threads, grids and bytes in flight"; }

  const std::vector<Rung>& rungs() const override {
    static const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::i32};
    using enum Rung::Access;
    const auto rung = [](const char* name, const char* idea, Rung::Access access = task) {
      return Rung{.name = name,
                  .idea = idea,
                  .access = access,
                  .dtypes = dtypes,
                  .block = Extent3{256, 1, 1},
                  .takes_block = true,
                  .takes_grid = true};
    };
    static const std::vector<Rung> table = {
        rung("one_per_thread", "one element per thread, with a guard for the threads past the end"),
        // BEGIN WITHHELD
        rung("two_dimensional", "the same from a block and a grid of two dimensions", withheld),
        // END WITHHELD
        rung("grid_stride", "threads stride over the vector, so every grid is right"),
        rung("vectorized", "16 bytes per load or store: fewer requests"),
    };
    return table;
  }

  std::vector<std::string> size_names() const override { return {"n"}; }

  Case default_case(Backend where) const override {
    return case_of(std::int64_t{1} << (where == Backend::cuda ? 26 : 22));
  }

  // In the last-level cache, beyond it, and 1 GiB an array.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    return {case_of(1 << 20), case_of(1 << 24), case_of(1 << 28)};
  }

  std::vector<Case> sweep() const override {
    const std::int64_t n = backend == Backend::cuda ? 1 << 28 : 1 << 16;
    std::vector<Case> cases;
    for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u})
      cases.emplace_back(case_of(n)).block = Extent3{threads, 1, 1};
    for (const std::int64_t share : {256, 16, 1}) cases.push_back(case_of(n / share, DType::f64));
    return cases;
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    for (DType dtype : rung.dtypes)
      for (std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 255, 256, 257, 1021, 4096, 65537, 1000003})
        cases.push_back(case_of(n, dtype));
    for (unsigned threads : {1u, 32u, 100u, 1000u, 1024u}) {
      cases.push_back(case_of(5003));
      cases.back().block = Extent3{threads, 1, 1};
    }
    // BEGIN WITHHELD
    if (rung.name == "two_dimensional")
      for (const auto& [block, grid] : {std::pair{Extent3{16, 16, 1}, Extent3{5, 4, 1}},
                                        {Extent3{5, 5, 1}, Extent3{3, 67, 1}},
                                        {Extent3{1, 1024, 1}, Extent3{1, 5, 1}}}) {
        cases.push_back(case_of(5003));
        cases.back().block = block;
        cases.back().grid = grid;
      }
    // END WITHHELD
    // Grids larger than the vector needs; for the rungs that stride also smaller ones.
    std::vector<unsigned> grids = {20, 1000};
    if (rung.name == "grid_stride" || rung.name == "vectorized") grids.insert(grids.end(), {1, 3});
    for (unsigned blocks : grids) {
      cases.push_back(case_of(5003));
      cases.back().block = Extent3{256, 1, 1};
      cases.back().grid = Extent3{blocks, 1, 1};
    }
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 100 + i;
    return cases;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"launches",
             "How many times in a row to add, with one transfer to the device and one back: 1 to 100000"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    if (const auto launches = given.find("launches"); launches != given.end())
      c.set_param("launches", static_cast<double>(parse_number("--launches", launches->second, 1, 100000)));
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    const std::int64_t n = c.extent("n");
    if (n < 0) throw std::invalid_argument("n is " + std::to_string(n) + "; it must be 0 or more");
    std::vector<HostArray> arrays;
    for (unsigned stream : {0u, 1u}) {
      HostArray& array = arrays.emplace_back(c.dtype, std::vector<std::int64_t>{n});
      fill_random(array, c.seed, stream);
      sprinkle_extreme_values(array, c.seed + 7 * stream);
    }
    return arrays;
  }

  ArrayNames array_names() const override { return {{"a", "b"}, {"c"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, {c.extent("n")}}}; }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override {
    std::vector<HostArray> out;
    out.emplace_back(c.dtype, in[0].shape());
    dispatch<float, double, int>(c.dtype, [&]<class T>() {
      reference::vector_add(in[0].as<T>().data(), in[1].as<T>().data(), out[0].as<T>().data(), in[0].count());
    });
    return out;
  }

  // One addition is rounded once, to the nearest T, by the GPU as by the CPU, so equality is asked
  // for. For float the oracle adds in double and rounds the sum: that is the same number, since
  // double has 53 bits of precision and 2 * 24 + 2 suffice for rounding twice to be harmless
  // (Figueroa, 1995). Sums of int are exact.
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }

  Cost cost(const Case& c) const override {
    const double additions = static_cast<double>(c.extent("n")) * c.param("launches", 1);
    return {.bytes = 3 * additions * static_cast<double>(size_of(c.dtype)), .flops = additions};
  }

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    const auto launches = static_cast<int>(c.param("launches", 1));
    return dispatch<float, double, int>(c.dtype, [&]<class T>() {
      bool ran = true;
      for (int launch = 0; launch < launches && ran; ++launch)
        ran = reference::vector_add_baseline(in[0].as<T>().data(), in[1].as<T>().data(),
                                             out[0].as<T>().data(), in[0].count(), threads);
      return ran;
    });
  }
};

const ProblemRegistration<VectorAddProblem> registration;

}  // namespace
}  // namespace warplab
