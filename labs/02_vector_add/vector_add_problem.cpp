// Lab 02: c = a + b for vectors.
#include "common/extreme_values.hpp"
#include "common/random.hpp"
#include "harness/problem.hpp"
#include "reference/vector_add.hpp"

namespace warplab {
namespace {

Case case_of(std::int64_t n, DType dtype = DType::f32) {
  Case c;
  c.size = {{"n", n}};
  c.dtype = dtype;
  return c;
}

/// A row of the table of section 3, with the times of the appendix in milliseconds.
struct Published {
  std::int64_t n;
  int launches;
  unsigned blocks;
  double titan_x_cpu, titan_x_gpu, titan_x_h2d, titan_x_d2h, titan_x_memcpy, titan_x_total, v100_cpu,
      v100_gpu;
};

constexpr Published published[] = {
    {100, 1, 1, 0.001, 0.060032, 0.002048, 0.001184, 0.003232, 0.063264, 0, 0.042976},
    {1000, 1, 4, 0.004, 0.069568, 0.002656, 0.00144, 0.004096, 0.073664, 0.003, 0.045056},
    {10000, 1, 40, 0.036, 0.060608, 0.012768, 0.008832, 0.0216, 0.082208, 0.033, 0.043872},
    {100000, 1, 391, 0.396, 0.0736, 0.06816, 0.032416, 0.100576, 0.174176, 0.334, 0.048864},
    {1000000, 1, 3907, 22.845, 0.14096, 1.6634, 18.864, 20.5274, 20.66836, 3.13, 0.063456},
    {10000000, 1, 39063, 40.348, 0.76944, 201.95, 26.895, 228.845, 229.61444, 31.53, 0.20416},
    {100, 100, 1, 0.044, 1.58166, 0.001952, 0.00112, 0.003072, 1.584732, 0.035, 1.03117},
    {100, 200, 1, 0.082, 2.95117, 0.00208, 0.001184, 0.003264, 2.954434, 0.069, 1.98525},
    {100, 300, 1, 0.13, 4.29638, 0.002048, 0.001184, 0.003232, 4.299612, 0.106, 2.9952},
    {10000000, 100, 39063, 10846.7, 288.979, 27.469, 27.799, 55.268, 344.247, 3186.68, 15.7568},
    {10000000, 200, 39063, 20878.2, 366.811, 19.131, 124.21, 143.341, 510.152, 6312.74, 31.0619},
    {10000000, 300, 39063, 31552.3, 662.707, 12.777, 26.068, 38.845, 701.552, 9534.76, 46.7993},
};

class VectorAddProblem : public Problem {
 public:
  std::string lab() const override { return "vector_add"; }
  std::string title() const override { return "Vector addition: threads, grids and bytes in flight"; }

  const std::vector<Rung>& rungs() const override {
    static const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::i32};
    const auto rung = [](const char* name, const char* idea) {
      return Rung{.name = name,
                  .idea = idea,
                  .access = Rung::Access::task,
                  .dtypes = dtypes,
                  .block = Extent3{256, 1, 1},
                  .takes_block = true,
                  .takes_grid = true};
    };
    static const std::vector<Rung> table = {
        rung("one_per_thread", "one element per thread, with a guard for the threads past the end"),
        rung("grid_stride", "threads stride over the vector, so every grid is right"),
        rung("vectorized", "16 bytes a load or store: more bytes in flight"),
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

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    for (DType dtype : rung.dtypes)
      for (std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 255, 256, 257, 1021, 4096, 65537, 1000003})
        cases.push_back(case_of(n, dtype));
    for (unsigned threads : {1u, 32u, 100u, 1000u, 1024u}) {
      cases.push_back(case_of(5003));
      cases.back().block = Extent3{threads, 1, 1};
    }
    // Grids larger than the vector needs; for the rungs that stride also smaller ones.
    std::vector<unsigned> grids = {20, 1000};
    if (rung.name != "one_per_thread") grids.insert(grids.end(), {1, 3});
    for (unsigned blocks : grids) {
      cases.push_back(case_of(5003));
      cases.back().block = Extent3{256, 1, 1};
      cases.back().grid = Extent3{blocks, 1, 1};
    }
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 100 + i;
    return cases;
  }

  std::vector<Experiment> experiments() const override {
    std::vector<Experiment> rows;
    for (const Published& row : published) {
      Experiment& e = rows.emplace_back();
      e.table = "004 section 3";
      e.label = std::to_string(rows.size());
      e.rung = "one_per_thread";
      e.problem_case = case_of(row.n);
      e.problem_case.block = Extent3{256, 1, 1};
      e.problem_case.grid = Extent3{row.blocks, 1, 1};
      if (row.launches > 1) e.problem_case.params = {{"launches", static_cast<double>(row.launches)}};
      e.published = {{"titan_x_cpu_ms", row.titan_x_cpu},
                     {"titan_x_gpu_ms", row.titan_x_gpu},
                     {"titan_x_h2d_ms", row.titan_x_h2d},
                     {"titan_x_d2h_ms", row.titan_x_d2h},
                     {"titan_x_memcpy_ms", row.titan_x_memcpy},
                     {"titan_x_total_ms", row.titan_x_total},
                     {"v100_cpu_ms", row.v100_cpu},
                     {"v100_gpu_ms", row.v100_gpu}};
      e.note = "the print exchanges the columns of block and grid: replayed as meant, in blocks of 256";
    }
    return rows;
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
