// Lab 07's problem: matrices of all shapes, an exact oracle, and the tables of the
// report that the lab goes back to.
#include "common/host/random.hpp"
#include "harness/problem/problem.hpp"
#include "reference/transpose.hpp"

namespace warplab {
namespace {

Case matrix(std::int64_t rows, std::int64_t cols, DType dtype = DType::i32,
            std::optional<Extent3> block = {}) {
  Case c;
  c.size = {{"rows", rows}, {"cols", cols}};
  c.dtype = dtype;
  c.block = block;
  return c;
}

std::int64_t checked_extent(const Case& c, const char* name) {
  const std::int64_t value = c.extent(name);
  if (value < 0 || value > 2147483647)
    throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                "; it must be 0 to 2147483647");
  return value;
}

class TransposeProblem : public Problem {
 public:
  std::string lab() const override { return "transpose"; }
  std::string title() const override { return "Matrix transpose: coalescing, tiles and bank conflicts"; }
  std::vector<std::string> size_names() const override { return {"rows", "cols"}; }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const std::vector<DType> all{DType::i32, DType::f32, DType::f64};
    static const std::vector<Rung> table{
        {"naive",
         "one element per thread, straight from row to column; any block",
         task,
         all,
         Extent3{32, 32, 1},
         {},
         true},
        {"tiled", "a tile of 32x32 turned in shared memory: whole sectors on both sides", task, all},
        {"tiled_padded", "rows of 33 in shared memory: no bank conflicts", task, all},
        {"tiled_padded_rows", "256 threads per tile, four rows each: more loads in flight", task, all},
        {"tiled_swizzled", "columns permuted instead of padded: no conflicts, rows stay aligned", task, all},
        {"vectorized",
         "16 bytes per access: micro-tiles turned in registers, a swizzled tile, long rows written", task,
         all},
    };
    return table;
  }

  Case default_case(Backend where) const override {
    return where == Backend::cuda ? matrix(4096, 4096) : matrix(1024, 1024);
  }

  // The two published sizes, and one far beyond every cache.
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where)};
    return {matrix(1024, 1024), matrix(4096, 4096), matrix(16384, 16384)};
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    // Empty, single, one off each tile's side (32, 64, 128), primes, rows and
    // columns, very flat and very tall.
    static const std::int64_t sizes[][2] = {{0, 0},    {0, 5},     {5, 0},     {1, 1},    {4, 4},   {31, 31},
                                            {32, 32},  {33, 33},   {31, 64},   {63, 65},  {64, 64}, {65, 63},
                                            {68, 132}, {127, 131}, {1, 997},   {997, 1},  {3, 131}, {131, 3},
                                            {192, 64}, {129, 127}, {128, 128}, {4099, 2}, {2, 4099}};
    std::vector<Case> cases;
    for (const DType dtype : rung.dtypes)
      for (const auto& [rows, cols] : sizes) cases.push_back(matrix(rows, cols, dtype));
    if (rung.takes_block) {
      for (const Extent3 block :
           {Extent3{16, 32, 1}, Extent3{8, 16, 1}, Extent3{16, 16, 1}, Extent3{1, 32, 1}, Extent3{2, 32, 1},
            Extent3{32, 1, 1}, Extent3{1, 1, 1}, Extent3{7, 9, 1}})
        for (const auto& [rows, cols] : {std::pair{37, 67}, std::pair{67, 37}})
          cases.push_back(matrix(rows, cols, DType::i32, block));
      // Of these nearly all of a block lies outside of the matrix: few blocks, as its threads cost time all
      // the same.
      for (const Extent3 block : {Extent3{1, 1024, 1}, Extent3{1024, 1, 1}})
        for (const auto& [rows, cols] : {std::pair{3, 5}, std::pair{5, 3}})
          cases.push_back(matrix(rows, cols, DType::i32, block));
    }
    // More tiles down, and more across, than a grid may have in y.
    if (rung.takes_block) {
      cases.push_back(matrix(65537, 2, DType::i32, Extent3{2, 1, 1}));
      cases.push_back(matrix(2, 65537, DType::i32, Extent3{1, 2, 1}));
    } else {
      constexpr std::int64_t largest_tile = 64;
      cases.push_back(matrix(65536 * largest_tile + 1, 1));
      cases.push_back(matrix(1, 65536 * largest_tile + 1));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = 1 + i;
    return cases;
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    std::vector<HostArray> in;
    in.emplace_back(c.dtype, std::vector{checked_extent(c, "rows"), checked_extent(c, "cols")});
    if (c.dtype == DType::i32)
      fill_random(in[0], c.seed, -2147483648.0,
                  2147483647.0);  // so that no two elements are likely to be equal
    else
      fill_random(in[0], c.seed, -1e6, 1e6);
    return in;
  }

  ArrayNames array_names() const override { return {{"in"}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    return {{c.dtype, {checked_extent(c, "cols"), checked_extent(c, "rows")}}};
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    std::vector<HostArray> out;
    out.emplace_back(c.dtype, outputs(c)[0].shape);
    dispatch<int, float, double>(c.dtype, [&]<class T>() {
      reference::transpose(inputs.at(0).as<T>().data(), out[0].as<T>().data(), c.extent("rows"),
                           c.extent("cols"));
    });
    return out;
  }

  // Elements are moved, not computed: every one must be equal.
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }

  Cost cost(const Case& c) const override {
    const double elements = static_cast<double>(c.extent("rows")) * static_cast<double>(c.extent("cols"));
    return {.bytes = 2 * elements * static_cast<double>(size_of(c.dtype)),
            .flops = 0};  // each read once, written once
  }

  bool baseline(const Case& c, const std::vector<HostArray>& inputs, std::vector<HostArray>& outputs,
                int threads) const override {
    return dispatch<int, float, double>(c.dtype, [&]<class T>() {
      return reference::transpose_baseline(inputs.at(0).as<T>().data(), outputs.at(0).as<T>().data(),
                                           c.extent("rows"), c.extent("cols"), threads);
    });
  }
};

const ProblemRegistration<TransposeProblem> registration;

}  // namespace
}  // namespace warplab
