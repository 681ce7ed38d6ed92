// Lab 03: C = A + B for matrices.
#include <cmath>

#include "common/host/extreme_values.hpp"
#include "common/host/poison.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "reference/matrix_add.hpp"

namespace warplab {
namespace {

Case case_of(std::int64_t rows, std::int64_t cols, DType dtype = DType::f32) {
  Case c;
  c.size = {{"rows", rows}, {"cols", cols}};
  c.dtype = dtype;
  return c;
}

constexpr int max_gap = 4096;

/// Elements that `c` has between the end of a row and the next row.
std::int64_t gap_of(const Case& c) { return static_cast<std::int64_t>(c.param("gap", 0)); }

/// The gap that cudaMallocPitch makes: rows begin at multiples of 512 bytes.
std::int64_t gap_of_cuda(std::int64_t cols, DType dtype) {
  if (cols < 0) return 0;  // such a case is refused later
  const auto in_512_bytes = static_cast<std::int64_t>(512 / size_of(dtype));
  return (in_512_bytes - cols % in_512_bytes) % in_512_bytes;
}

/// Of the arrays, gaps included.
std::vector<std::int64_t> shape_of(const Case& c) { return {c.extent("rows"), c.extent("cols") + gap_of(c)}; }

/// Calls visit(its first element, its columns) for each row.
template <class Visit>
void for_each_row(const Case& c, Visit&& visit) {
  const auto rows = static_cast<std::size_t>(c.extent("rows"));
  const auto cols = static_cast<std::size_t>(c.extent("cols"));
  const std::size_t pitch = cols + static_cast<std::size_t>(gap_of(c));
  for (std::size_t row = 0; row < rows; ++row) visit(row * pitch, cols);
}

/// A matrix whose gaps hold what they must still hold after a call; the rows are not set.
HostArray gaps_of(const Case& c) {
  HostArray array(c.dtype, shape_of(c));
  if (gap_of(c) != 0) fill_random(array, c.seed, 2);
  return array;
}

/// The blocks of table 2.
constexpr Extent3 published_blocks[] = {{32, 32, 1}, {1024, 1, 1}, {1000, 1, 1},
                                        {16, 16, 1}, {5, 50, 1},   {5, 5, 1}};

class MatrixAddProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "matrix_add"; }
  std::string title() const override {
    return "Matrix addition: block shapes, the guard and the cost of shape";
  }

  const std::vector<Rung>& rungs() const override {
    static const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::i32};
    const auto rung = [](const char* name, const char* idea, Extent3 block) {
      return Rung{.name = name,
                  .idea = idea,
                  .access = Rung::Access::task,
                  .dtypes = dtypes,
                  .block = block,
                  .takes_block = true,
                  .takes_grid = true};
    };
    static const std::vector<Rung> table = {
        rung("one_per_thread", "one element per thread in two dimensions, guarded at both edges", {32, 8, 1}),
        rung("grid_stride", "threads stride over rows and columns, so every grid is right", {32, 8, 1}),
        rung("pitched", "rows with gaps between them, 16 bytes per load or store", {256, 1, 1}),
    };
    return table;
  }

  std::vector<std::string> size_names() const override { return {"rows", "cols"}; }

  Case default_case(Backend where) const override {
    const std::int64_t extent = where == Backend::cuda ? 8192 : 2048;
    return case_of(extent, extent);
  }

  // In the last-level cache, beyond it, and 1 GiB an array.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    return {case_of(1024, 1024), case_of(4096, 4096), case_of(16384, 16384)};
  }

  std::vector<Case> sweep() const override {
    const std::int64_t extent = backend == Backend::cuda ? 4096 : 256;
    std::vector<Case> cases;
    for (const auto& [columns, rows] : {std::pair{8u, 8u},
                                        {16u, 16u},
                                        {32u, 4u},
                                        {32u, 8u},
                                        {32u, 16u},
                                        {32u, 32u},
                                        {64u, 4u},
                                        {128u, 2u},
                                        {256u, 1u},
                                        {1024u, 1u},
                                        {1u, 256u}})
      cases.emplace_back(case_of(extent, extent)).block = Extent3{columns, rows, 1};
    return cases;
  }

  Case for_rung(const Case& c, const Rung& rung) const override {
    Case complete = c;
    if (!complete.block) complete.block = rung.block;
    const auto usual = static_cast<double>(gap_of_cuda(c.extent("cols"), c.dtype));
    std::erase_if(complete.params, [](const Parameter& p) { return p.name == "gap"; });
    if (rung.name == "pitched") complete.set_param("gap", c.param("gap", usual));
    return complete;
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    const auto add = [&](std::int64_t rows, std::int64_t cols, DType dtype = DType::f32) -> Case& {
      return cases.emplace_back(for_rung(case_of(rows, cols, dtype), rung));
    };
    for (DType dtype : rung.dtypes) {
      for (std::int64_t extent : {0, 1, 31, 32, 33, 127, 256})
        add(extent, extent, dtype);  // around the block
      add(0, 5, dtype), add(5, 0, dtype);
      add(1, 1009, dtype), add(1009, 1, dtype);  // one row, one column
      add(3, 100003, dtype);                     // very flat
      add(70001, 2, dtype);                      // very tall
      add(101, 67, dtype);                       // primes
    }
    for (const Extent3& shape : published_blocks)  // at a size that none of them divides
      add(203, 307).block = shape;
    add(203, 307).grid = Extent3{40, 30, 1};  // more blocks than needed
    if (rung.name != "one_per_thread") {
      add(203, 307).grid = Extent3{1, 1, 1};
      add(203, 307).grid = Extent3{3, 2, 1};
      add(66000, 3).block = Extent3{32, 1, 1};  // more rows than a grid of flat blocks may have
    }
    if (rung.name == "pitched")
      for (DType dtype : rung.dtypes)
        for (int gap : {0, 1, 2, 3, 5, 64})  // rows that begin anywhere, or at multiples of 16 bytes
          add(37, 83, dtype).set_param("gap", gap), add(37, 84, dtype).set_param("gap", gap);
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 200 + i;
    return cases;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {
        {"launches",
         "How many times in a row to add, with one transfer to the device and one back: 1 to 100000"},
        {"gap", "Elements between a row's end and the next row, for pitched: 0 to 4096 (up to 512 bytes)"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    if (const auto launches = given.find("launches"); launches != given.end())
      c.set_param("launches", static_cast<double>(parse_number("--launches", launches->second, 1, 100000)));
    if (const auto gap = given.find("gap"); gap != given.end())
      c.set_param("gap", static_cast<double>(parse_number("--gap", gap->second, 0, max_gap)));
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    for (const char* name : {"rows", "cols"})
      if (const std::int64_t value = c.extent(name); value < 0)
        throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                    "; it must be 0 or more");
    if (const double gap = c.param("gap", 0); gap < 0 || gap > max_gap || gap != std::floor(gap))
      throw std::invalid_argument("gap must be 0 to " + std::to_string(max_gap));
    std::vector<HostArray> arrays;
    for (unsigned stream : {0u, 1u}) {
      HostArray& array = arrays.emplace_back(c.dtype, shape_of(c));
      fill_random(array, c.seed, stream);
      sprinkle_extreme_values(array, c.seed + 7 * stream);
    }
    return arrays;
  }

  ArrayNames array_names() const override { return {{"a", "b"}, {"c"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, shape_of(c)}}; }

  // What lies between the rows of C is somebody else's.
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>&,
                                          std::size_t) const override {
    if (gap_of(c) == 0) return std::nullopt;
    HostArray output = gaps_of(c);
    for_each_row(c, [&](std::size_t first, std::size_t cols) {
      fill_poison(output.bytes().subspan(first * size_of(c.dtype), cols * size_of(c.dtype)));
    });
    return output;
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override {
    std::vector<HostArray> out;
    out.push_back(gaps_of(c));
    dispatch<float, double, int>(c.dtype, [&]<class T>() {
      const T *const a = in[0].as<T>().data(), *const b = in[1].as<T>().data();
      T* const sums = out[0].as<T>().data();
      if (gap_of(c) == 0) return reference::matrix_add(a, b, sums, c.extent("rows"), c.extent("cols"));
      for_each_row(c, [&](std::size_t first, std::size_t) {
        reference::matrix_add(a + first, b + first, sums + first, 1, c.extent("cols"));
      });
    });
    return out;
  }

  // One addition is rounded once, to the nearest T, by the GPU as by the CPU, so equality is asked
  // for. For float the oracle adds in double and rounds the sum: that is the same number, since
  // double has 53 bits of precision and 2 * 24 + 2 suffice for rounding twice to be harmless
  // (Figueroa, 1995). Sums of integers are exact.
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }

  Cost cost(const Case& c) const override {
    const double additions = static_cast<double>(c.extent("rows")) * static_cast<double>(c.extent("cols")) *
                             c.param("launches", 1);
    return {.bytes = 3 * additions * static_cast<double>(size_of(c.dtype)), .flops = additions};
  }

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    if (gap_of(c) != 0) return false;
    const auto launches = static_cast<int>(c.param("launches", 1));
    return dispatch<float, double, int>(c.dtype, [&]<class T>() {
      bool ran = true;
      for (int launch = 0; launch < launches && ran; ++launch)
        ran =
            reference::matrix_add_baseline(in[0].as<T>().data(), in[1].as<T>().data(), out[0].as<T>().data(),
                                           c.extent("rows"), c.extent("cols"), threads);
      return ran;
    });
  }
};

const ProblemRegistration<MatrixAddProblem> registration;

}  // namespace
}  // namespace warplab
