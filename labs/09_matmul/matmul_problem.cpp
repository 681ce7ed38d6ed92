// Lab 09: D = alpha A B + beta C for every shape, with gaps between the rows, and with
// elements from bytes to doubles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/host/bad_input.hpp"
#include "common/host/poison.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "labs/09_matmul/matmul_types.hpp"
#include "labs/09_matmul/matmul_workspace.hpp"
#include "labs/09_matmul/problem/check.hpp"

namespace warplab {
namespace {

constexpr std::int64_t max_extent = 2147483647;

Case product(std::int64_t m, std::int64_t n, std::int64_t k, DType dtype = DType::f32, double alpha = 1,
             double beta = 0, int pad = 0) {
  Case c;
  c.size = {{"m", m}, {"n", n}, {"k", k}};
  c.dtype = dtype;
  if (alpha != 1) c.set_param("alpha", alpha);
  if (beta != 0) c.set_param("beta", beta);
  if (pad != 0) c.set_param("pad", pad);
  return c;
}

/// What D and C hold.
DType sum_type(DType element) {
  switch (element) {
    case DType::f64:
      return DType::f64;
    case DType::f16:
    case DType::bf16:
    case DType::f32:
      return DType::f32;
    default:
      return DType::i32;
  }
}

bool is_whole(double x) { return x == std::floor(x) && std::abs(x) <= 2147483647.0; }

/// @throws std::invalid_argument for a case that no rung takes
MatmulShape checked_shape(const Case& c) {
  MatmulShape shape;
  for (const auto& [name, extent] :
       {std::pair{"m", &shape.m}, std::pair{"n", &shape.n}, std::pair{"k", &shape.k}}) {
    *extent = c.extent(name);
    if (*extent < 0 || *extent > max_extent)
      throw std::invalid_argument(fmt::format("{} is {}; it must be 0 to {}", name, *extent, max_extent));
  }
  if (c.dtype == DType::i64) throw std::invalid_argument("products of int64 are not part of this lab");
  shape.pad = static_cast<std::int64_t>(c.param("pad", 0));
  shape.alpha = c.param("alpha", 1);
  shape.beta = c.param("beta", 0);
  if (sum_type(c.dtype) == DType::i32)
    for (const auto& [name, factor] : {std::pair{"alpha", shape.alpha}, std::pair{"beta", shape.beta}})
      if (!is_whole(factor))
        throw std::invalid_argument(
            fmt::format("{} is {}; products of {} add up in int, and need a whole number", name, factor,
                        name_of(c.dtype)));
  return shape;
}

/// Puts what no kernel may use between the rows: NaN, or in integers a number like any other.
void fill_gaps(HostArray& matrix, std::int64_t width) {
  const std::int64_t leading = matrix.shape()[1];
  dispatch_any(matrix.dtype(), [&]<class T>() {
    if constexpr (std::is_integral_v<T>) return;
    const std::span<T> elements = matrix.as<T>();
    for (std::int64_t row = 0; row < matrix.shape()[0]; ++row)
      for (std::int64_t col = width; col < leading; ++col)
        elements[static_cast<std::size_t>(row * leading + col)] =
            static_cast<T>(std::numeric_limits<double>::quiet_NaN());
  });
}

class MatmulProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "matmul"; }
  std::string title() const override {
    return "Matrix products: reuse at each level, from L1 to Tensor Cores";
  }
  std::vector<std::string> size_names() const override { return {"m", "n", "k"}; }
  bool copies_asynchronously() const override { return true; }
  const std::vector<Rung>& rungs() const override;

  Case default_case(Backend where) const override {
    return where == Backend::cuda ? product(4096, 4096, 4096) : product(128, 128, 128);
  }
  std::vector<Case> default_cases(Backend where) const override {
    if (where == Backend::emulator) return {default_case(where), product(128, 128, 128, DType::f16)};
    return {product(1024, 1024, 1024), product(4096, 4096, 4096), product(8192, 8192, 8192),
            product(4096, 4096, 4096, DType::f16), product(8192, 8192, 8192, DType::f16)};
  }
  bool runs_by_itself(const Case& c, const Rung& rung) const override;
  std::vector<Case> public_cases(const Rung& rung) const override;
  std::vector<Case> sweep() const override;

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"alpha", "the factor of A B, 1 without it"},
            {"beta", "the factor of C, 0 without it"},
            {"pad", "elements between the end of a row and the next one: 0 (the default) to 4096"},
            {"shape", "what wmma multiplies at a time: 16x16x16 (the default), 32x8x16 or 8x32x16"},
            {"sums", "what wmma adds halves up in: float (the default) or half"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override;
  void adopt_input(Case& c, const HostArray& input) const override;
  Case for_rung(const Case& c, const Rung& rung) const override;

  std::vector<HostArray> inputs(const Case& c) const override;
  ArrayNames array_names() const override { return {{"a", "b", "c"}, {"d"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    const MatmulShape shape = checked_shape(c);
    return {{sum_type(c.dtype), {shape.m, shape.n + shape.pad}}};
  }
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>&,
                                          std::size_t) const override {
    const MatmulShape shape = checked_shape(c);
    if (shape.pad == 0) return std::nullopt;
    HostArray d(sum_type(c.dtype), {shape.m, shape.n + shape.pad});
    fill_poison(d.bytes());
    matmul_mark_gaps(d, shape);
    return d;
  }
  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override {
    return matmul_expected(checked_shape(c), in);
  }
  Comparison check(const Case& c, const std::vector<HostArray>& in, const std::vector<HostArray>& expected,
                   std::size_t, const HostArray& d) const override {
    return matmul_compare(checked_shape(c), in, expected, d, roundings(c), unit_roundoff(c));
  }
  Tolerance tolerance(const Case& c, std::size_t) const override;
  std::string shortfall(const Case& c, const Rung&, double max_abs_error) const override;
  Cost cost(const Case& c) const override;
  std::size_t workspace_bytes(const Case& c, const Rung& rung) const override;

  bool baseline(const Case& c, const std::vector<HostArray>& in, std::vector<HostArray>& out,
                int threads) const override {
    const MatmulShape shape = checked_shape(c);
    return shape.products() <= 0x1p30 && matmul_cpu(shape, in, out.at(0), threads);
  }

 private:
  static double unit_roundoff(const Case& c);
  static double roundings(const Case& c);
};

const std::vector<Rung>& MatmulProblem::rungs() const {
  using enum Rung::Access;
  static const std::vector<Rung> table = [] {
    std::vector<Rung> rows = {
        {"naive", "one thread per element, the lanes of a warp down a column", given, {}},
        {"coalesced", "the lanes of a warp along a row", task, {}},
        {"tiled", "tiles of 32x32 in shared memory", task, {}},
        {"registers_1d", "eight elements of a column per thread, sums in registers", task, {}},
        {"registers_2d", "8x8 elements per thread: an outer product per step", task, {}},
        {"vectorized", "16 bytes per access, A transposed, no bank conflicts", task, {}},
        {"async", "a ring of tiles, copied while earlier ones are multiplied", task, {}},
        {"split_k", "several blocks share the sum over k of one tile", given, {}},
        {"vector", "one row or column of D: lanes along a row, blocks along k", given, {}},
        {"wmma", "Tensor Cores by nvcuda::wmma, fragments from tiles in shared memory", task, {}},
        {"mma_ldmatrix", "Tensor Cores by mma.sync, tiles by cp.async, operands by ldmatrix", given, {}},
        {"wgmma_tma", "products of whole warpgroups, tiles by the tensor memory accelerator", given, {}},
        {"auto", "the best of these for the type and the shape", given, {}},
        {"cublas", "cublasGemmEx", given, {}},
    };
    for (Rung& row : rows) {
      if (row.name == "wmma") row.needs_for = {{DType::bf16, "sm_80"}};
      if (row.name == "mma_ldmatrix") row.needs = "sm_80";
      if (row.name == "wgmma_tma") row.needs = "sm_90a";
    }
    for (Rung& row : rows)
      for (const MatmulTypes& types : matmul_types::table)
        if (types.rung == row.name) row.dtypes = types.dtypes;
    rows.back().peer_of = "cuBLAS";
    return rows;
  }();
  return table;
}

bool MatmulProblem::runs_by_itself(const Case& c, const Rung& rung) const {
  // A type that is not the case's would be another case; `--dtype` asks for it.
  if (!std::ranges::count(rung.dtypes, c.dtype)) return false;
  // One thread per element at 8192 takes seconds, and shows what 4096 shows.
  const bool slow = rung.name == "naive" || rung.name == "coalesced" || rung.name == "tiled";
  return !slow || checked_shape(c).products() <= 0x1p37;
}

std::vector<Case> MatmulProblem::public_cases(const Rung& rung) const {
  // Nothing to add or to compute, a single element, vectors, one off a tile's side (16, 32, 64, 128), primes,
  // very flat and very tall, so that the grid goes on in further layers; several tiles along k.
  static const std::int64_t sizes[][3] = {
      {1, 1, 1},    {5, 7, 0},    {0, 5, 3},     {5, 0, 3},      {1, 33, 129}, {33, 1, 65}, {1, 1, 257},
      {16, 16, 16}, {32, 32, 32}, {31, 33, 15},  {33, 31, 17},   {64, 64, 8},  {65, 63, 9}, {65, 33, 129},
      {7, 131, 31}, {131, 7, 37}, {127, 129, 7}, {128, 128, 16}, {2, 300, 3},  {300, 2, 3}, {8200, 2, 3}};
  std::vector<Case> cases;
  for (const DType dtype : rung.dtypes) {
    for (const auto& [m, n, k] : sizes) cases.push_back(product(m, n, k, dtype));
    for (const int pad : {0, 1, 4, 7}) cases.push_back(product(37, 41, 43, dtype, -2, 3, pad));
    cases.push_back(product(64, 64, 64, dtype, 2, -1, 32));
    cases.push_back(product(5, 6, 0, dtype, 1, 2));  // D = beta C
    cases.push_back(product(9, 8, 7, dtype, 0, 1));
    // Tiles of 128x256, two blocks per cluster on few multiprocessors, and more
    // steps than its ring has stages.
    if (rung.name == "wgmma_tma") cases.push_back(product(256, 512, 512, dtype));
  }
  if (rung.name == "wmma") {
    const std::vector<Case> square = cases;
    for (const auto& [rows, cols] : {std::pair{32, 8}, {8, 32}})
      for (Case c : square) {
        c.set_param("fragment_rows", rows);
        c.set_param("fragment_cols", cols);
        cases.push_back(c);
      }
    for (Case c : square)
      if (c.dtype == DType::f16) {
        c.set_param("half_sums", 1, "half");
        cases.push_back(c);
      }
  }
  // cuBLAS multiplies bytes only where all rows begin at multiples of 4 bytes, and says so elsewhere.
  if (rung.name == "cublas")
    std::erase_if(cases, [](const Case& c) {
      const auto pad = static_cast<std::int64_t>(c.param("pad", 0));
      return c.dtype == DType::i8 && ((c.extent("n") + pad) % 4 != 0 || (c.extent("k") + pad) % 4 != 0);
    });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].seed = 900 + i;
    cases[i] = for_rung(cases[i], rung);
  }
  return cases;
}

// Shapes in which one dimension changes and the others stay: squares, deep, flat, tall, vectors, one off a
// tile, and odd leading dimensions.
std::vector<Case> MatmulProblem::sweep() const {
  std::vector<Case> cases;
  if (backend == Backend::emulator) {
    for (const DType dtype : {DType::f32, DType::f16})
      for (const auto& [m, n, k] : {std::array{64, 64, 64}, {1, 64, 64}, {64, 64, 1}, {65, 63, 33}})
        cases.push_back(product(m, n, k, dtype));
    return cases;
  }
  for (const int n : {128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192})
    cases.push_back(product(n, n, n, DType::f16));
  for (const int k : {16, 64, 256, 1024, 16384}) cases.push_back(product(4096, 4096, k, DType::f16));
  for (const int k : {4096, 16384, 65536, 262144}) cases.push_back(product(256, 256, k, DType::f16));
  for (const int m : {1, 2, 8, 16, 64, 256, 1024}) cases.push_back(product(m, 4096, 4096, DType::f16));
  for (const int n : {1, 8, 64, 512}) cases.push_back(product(4096, n, 4096, DType::f16));
  for (const int n : {4095, 4097, 4103, 4104, 4112, 4224}) cases.push_back(product(n, n, n, DType::f16));
  for (const int pad : {1, 4, 8}) cases.push_back(product(4096, 4096, 4096, DType::f16, 1, 0, pad));
  cases.push_back(product(4096, 4096, 4096, DType::f16, 1, 1));
  cases.push_back(product(4097, 257, 1023, DType::f16));
  cases.push_back(product(1009, 2003, 3001, DType::f16));
  cases.push_back(product(65536, 64, 64, DType::f16));
  cases.push_back(product(64, 65536, 64, DType::f16));
  for (const int n : {512, 1024, 2048, 4096}) cases.push_back(product(n, n, n));
  cases.push_back(product(4096, 4096, 16));
  cases.push_back(product(256, 256, 65536));
  cases.push_back(product(1, 4096, 4096));
  cases.push_back(product(4096, 1, 4096));
  cases.push_back(product(4097, 257, 1023));
  cases.push_back(product(4097, 4097, 4097));
  return cases;
}

void MatmulProblem::configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const {
  const auto text_of = [&](const char* name) -> const std::string* {
    const auto found = given.find(name);
    return found == given.end() ? nullptr : &found->second;
  };
  for (const char* name : {"alpha", "beta"})
    if (const std::string* const text = text_of(name)) {
      char* end = nullptr;
      const double value = std::strtod(text->c_str(), &end);
      if (text->empty() || *end != '\0' || !(std::abs(value) <= 1e6))
        throw BadInput(fmt::format("--{} {} is not a number from -1e6 to 1e6", name, *text));
      c.set_param(name, value);
    }
  if (const std::string* const text = text_of("pad"))
    c.set_param("pad", static_cast<double>(parse_number("--pad", *text, 0, 4096)));
  if (const std::string* const text = text_of("shape")) {
    static constexpr const char* shapes[] = {"16x16x16", "32x8x16", "8x32x16"};
    static constexpr int rows[] = {16, 32, 8};
    const std::size_t choice = parse_choice("--shape", *text, shapes);
    c.set_param("fragment_rows", rows[choice]);
    c.set_param("fragment_cols", 256 / rows[choice]);
  }
  if (const std::string* const text = text_of("sums")) {
    static constexpr const char* sums[] = {"float", "half"};
    const std::size_t choice = parse_choice("--sums", *text, sums);
    c.set_param("half_sums", static_cast<double>(choice), sums[choice]);
  }
  try {
    checked_shape(c);
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());
  }
}

void MatmulProblem::adopt_input(Case& c, const HostArray& input) const {
  if (input.shape().size() != 2)
    throw BadInput("--input holds an array that is not a matrix; it takes the place of A");
  c.extent("m") = input.shape()[0];
  c.extent("k") = input.shape()[1];
  c.set_param("pad", 0);
  c.dtype = input.dtype();
}

Case MatmulProblem::for_rung(const Case& c, const Rung& rung) const {
  Case own = c;
  if (rung.name != "wmma")
    std::erase_if(own.params, [](const Parameter& p) {
      return p.name == "half_sums" || p.name.starts_with("fragment_");
    });
  for (Parameter& p : own.params) p.of_rung = p.name == "half_sums" || p.name.starts_with("fragment_");
  return own;
}

std::vector<HostArray> MatmulProblem::inputs(const Case& c) const {
  const MatmulShape shape = checked_shape(c);
  std::vector<HostArray> in;
  in.emplace_back(c.dtype, std::vector{shape.m, shape.k + shape.pad});
  in.emplace_back(c.dtype, std::vector{shape.k, shape.n + shape.pad});
  // What must not be read is not there.
  in.emplace_back(sum_type(c.dtype), std::vector{shape.beta == 0 ? 0 : shape.m, shape.n + shape.pad});
  for (unsigned i = 0; i < 3; ++i) {
    if (in[i].dtype() == DType::i32)  // also products and sums that wrap
      fill_random(in[i], random_bits(c.seed, i), -2147483648.0, 2147483647.0);
    else
      fill_random(in[i], c.seed, i);
    if (shape.pad > 0) fill_gaps(in[i], i == 0 ? shape.k : shape.n);
  }
  return in;
}

double MatmulProblem::unit_roundoff(const Case& c) {
  if (c.param("half_sums", 0) != 0) return 0x1p-11;
  const DType type = sum_type(c.dtype);
  return type == DType::i32 ? 0 : type == DType::f64 ? 0x1p-53 : 0x1p-24;
}

// Each of the k products of an element of D goes through at most k additions, alpha and beta add two
// roundings. Products of halves and bfloat16 are exact in float; those of float and double are fused with
// their addition, or rounded once more: k + 3 in all. So for every order
//     |computed - exact| <= gamma (|alpha| |A| |B| + |beta| |C|),   gamma = (1 + u)^(k + 3) - 1.
// Tensor Cores shift the products that they add to the largest of them and cut off what lies below, at twice
// a rounding's error per term, and one more for the sum that they add to: 2 (q + 1) u for q products, where
// q >= 4, so at most 2.5 u per product. 4 covers it. (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of
// NVIDIA tensor cores", PeerJ Computer Science, 2021.) The oracle for double sums in double: twice the bound.
double MatmulProblem::roundings(const Case& c) {
  const double terms = static_cast<double>(c.extent("k")) + 3;
  return terms * (c.dtype == DType::f64 ? 2 : c.dtype == DType::f32 ? 1 : 4);
}

/// For seeded inputs, whose elements are in [-1, 1): |A| |B| <= k. check() takes the rows of A and columns of
/// B that there are.
Tolerance MatmulProblem::tolerance(const Case& c, std::size_t) const {
  const MatmulShape shape = checked_shape(c);
  const double gamma = std::expm1(roundings(c) * std::log1p(unit_roundoff(c)));
  const double magnitude =
      std::abs(shape.alpha) * static_cast<double>(std::max<std::int64_t>(shape.k, 1)) + std::abs(shape.beta);
  return {.atol = gamma * magnitude, .rtol = 0};
}

std::string MatmulProblem::shortfall(const Case& c, const Rung&, double max_abs_error) const {
  if (c.param("half_sums", 0) == 0 || max_abs_error <= 0.5) return {};
  return fmt::format("sums in half are off by up to {:.2g}: too many products for 11 bits", max_abs_error);
}

Cost MatmulProblem::cost(const Case& c) const {
  const MatmulShape shape = checked_shape(c);
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
             k = static_cast<double>(shape.k);
  const auto element = static_cast<double>(size_of(c.dtype)),
             sum = static_cast<double>(size_of(sum_type(c.dtype)));
  Cost cost{.bytes = (m * k + k * n) * element + m * n * sum * (shape.beta == 0 ? 1 : 2),
            .flops = 2 * m * n * k};
  if (c.dtype == DType::bf16) cost.arithmetic = DType::f16;  // Tensor Cores multiply both at one rate
  return cost;
}

std::size_t MatmulProblem::workspace_bytes(const Case& c, const Rung& rung) const {
  const MatmulShape shape = checked_shape(c);
  if (rung.name == "wgmma_tma" || rung.name == "auto" || rung.name == "split_k" || rung.name == "vector")
    return matmul_workspace_bytes(shape.m, shape.n, shape.k, size_of(c.dtype));
  return 0;
}

const ProblemRegistration<MatmulProblem> registration;

}  // namespace
}  // namespace warplab
