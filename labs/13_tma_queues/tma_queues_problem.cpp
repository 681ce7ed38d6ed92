// Lab 13: the six kernels of the paper, a stencil, and the sizes of queues.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/host/bad_input.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "labs/13_tma_queues/problem/experiments.hpp"
#include "labs/13_tma_queues/problem/sizing_check.hpp"
#include "labs/13_tma_queues/queue_sizing.hpp"
#include "labs/13_tma_queues/tma_queues_shape.hpp"
#include "reference/tma_queues.hpp"

namespace warplab {
namespace {

constexpr const char* kernel_names[] = {tma_queues_kernel_names[0],
                                        tma_queues_kernel_names[1],
                                        tma_queues_kernel_names[2],
                                        tma_queues_kernel_names[3],
                                        tma_queues_kernel_names[4],
                                        tma_queues_kernel_names[5],
                                        "stencil"};
constexpr std::int64_t max_exact = std::int64_t{1} << 24;  // whole numbers that float sums hold
constexpr int default_tile = 1024, default_slots = 4;

int kernel_of(const Case& c) { return static_cast<int>(c.param("kernel", 0)); }
bool is(const Case& c, QueueKernel kernel) { return kernel_of(c) == static_cast<int>(kernel); }
bool is_stencil(const Case& c) { return kernel_of(c) == tma_queues_stencil_number; }
bool only_chooses(const Case& c) { return c.param("choose", 0) != 0; }
bool is_matrix(const Case& c) {
  return is(c, QueueKernel::matrix_vector) || is(c, QueueKernel::matrix_matrix);
}
bool has_sums(const Case& c) { return is(c, QueueKernel::dot_product) || is_matrix(c); }
bool has_rows(const Case& c) { return is_matrix(c) || is_stencil(c); }

void set_kernel(Case& c, int kernel) { c.set_param("kernel", kernel, kernel_names[kernel]); }

/// A parameter that says how a rung works: the arrays do not depend on it.
void set_of_rung(Case& c, const char* name, std::int64_t value) {
  c.set_param(name, static_cast<double>(value));
  for (Parameter& parameter : c.params)
    if (parameter.name == name) parameter.of_rung = true;
}

Case case_of(int kernel, std::int64_t m, std::int64_t k, std::int64_t n = 1) {
  Case c;
  c.size = {{"m", m}, {"k", k}, {"n", n}};
  set_kernel(c, kernel);
  return c;
}
Case case_of(QueueKernel kernel, std::int64_t m, std::int64_t k, std::int64_t n = 1) {
  return case_of(static_cast<int>(kernel), m, k, n);
}

/// A kernel at the size of table I, or at one that the emulator runs in a moment.
Case table_case(int kernel, Backend where) {
  const bool large = where == Backend::cuda;
  if (kernel == tma_queues_stencil_number)
    return large ? case_of(kernel, 8192, 8192) : case_of(kernel, 256, 300);
  if (large) {
    const auto [m, k, n] = tma_queues_table_sizes[kernel];
    return case_of(kernel, m, k, n);
  }
  switch (static_cast<QueueKernel>(kernel)) {
    case QueueKernel::dot_product:
      return case_of(kernel, 1, 131'072);
    case QueueKernel::matrix_vector:
      return case_of(kernel, 64, 2048);
    case QueueKernel::matrix_matrix:
      return case_of(kernel, 32, 1024, 32);
    default:
      return case_of(kernel, 1, 262'144);
  }
}

std::int64_t leading_of(const Case& c) { return tma_queues_leading(c.extent("k")); }

/// @throws std::invalid_argument for a case that no rung takes
void check_case(const Case& c) {
  const auto refuse = [](const std::string& sentence) { throw std::invalid_argument(sentence); };
  for (const auto& [name, extent] : c.size)
    if (extent < 0 || extent > 2147483391)
      refuse(fmt::format("{} is {}; it must be 0 to 2147483391", name, extent));
  if (kernel_of(c) < 0 || kernel_of(c) > tma_queues_stencil_number)
    refuse(fmt::format("kernel {} does not exist; kernels have the numbers 0 to 6", kernel_of(c)));
  if (!has_rows(c) && c.extent("m") != 1)
    refuse(fmt::format("m is {}; a kernel of vectors has 1 row: use --size 1x1000x1", c.extent("m")));
  if (!is(c, QueueKernel::matrix_matrix) && c.extent("n") != 1)
    refuse(fmt::format("n is {}; only matrix_matrix has more than 1 column", c.extent("n")));
  if (has_sums(c) && c.extent("k") > max_exact)
    refuse(fmt::format("k is {}; sums of more than {} whole numbers are not exact in float", c.extent("k"),
                       max_exact));
}

/// Whole numbers, so small that every sum of their products is exact, in any order.
void fill_whole(HostArray& array, std::int64_t rows, std::int64_t cols, std::int64_t terms,
                std::uint64_t seed) {
  const std::uint64_t most = terms <= max_exact / 4 ? 2 : 1;  // products up to 4, or 1
  const std::span<float> elements = array.as<float>();
  const auto leading = static_cast<std::int64_t>(elements.size()) / std::max<std::int64_t>(1, rows);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0; i < leading; ++i) {
      const auto at = static_cast<std::size_t>(row * leading + i);
      const auto number = static_cast<int>(random_bits(seed, at) % (2 * most + 1)) - static_cast<int>(most);
      elements[at] = i < cols ? static_cast<float>(number) : std::numeric_limits<float>::quiet_NaN();
    }
}

class TmaQueuesProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "tma_queues"; }
  std::string title() const override {
    return "Queues in shared memory: bulk copies, rings, and their sizes";
  }
  std::vector<std::string> size_names() const override { return {"m", "k", "n"}; }
  bool copies_asynchronously() const override { return true; }
  const std::vector<Rung>& rungs() const override;

  Case default_case(Backend where) const override {
    return table_case(static_cast<int>(QueueKernel::sum_vectors), where);
  }
  std::vector<Case> default_cases(Backend where) const override {
    std::vector<Case> cases = {default_case(where)};
    for (int kernel = 0; kernel <= tma_queues_stencil_number; ++kernel)
      if (kernel != static_cast<int>(QueueKernel::sum_vectors)) cases.push_back(table_case(kernel, where));
    return cases;
  }
  bool runs_by_itself(const Case& c, const Rung& rung) const override { return takes(rung, c); }
  Case for_rung(const Case& c, const Rung& rung) const override;
  std::vector<Case> public_cases(const Rung& rung) const override;
  std::vector<Experiment> experiments() const override { return tma_queues_experiments(table_1()); }
  /// Every size of the queues of the six kernels: what a search without ACTA has to try.
  std::vector<Case> sweep() const override {
    std::vector<Case> cases;
    for (const Case& kernel : table_1())
      for (const Case& c : tma_queues_sizes(kernel)) cases.push_back(c);
    return cases;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"kernel",
             "elementwise_k, elementwise, sum_vectors (the default), dot_product, matrix_vector, "
             "matrix_matrix or stencil: without --size at the published size"},
            {"tile", "elements of each vector per slot: 4 to 8192, a multiple of 4"},
            {"slots", "slots of a queue: 1 to 8"},
            {"blocks", "blocks per multiprocessor, 0 (the default) for as many as fit"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override;

  std::string input_help() const override { return "Not taken: --kernel and --size choose what is computed"; }
  HostArray read_input(const std::string& path, std::optional<DType>) const override {
    throw BadInput("--input " + path + ": this lab makes its own numbers; --kernel and --size choose them");
  }

  std::vector<HostArray> inputs(const Case& c) const override;
  std::vector<ArraySpec> outputs(const Case& c) const override;
  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& in) const override;
  Comparison check(const Case& c, const std::vector<HostArray>& in, const std::vector<HostArray>& expected,
                   std::size_t i, const HostArray& actual) const override {
    if (only_chooses(c)) return SizingCheck(c).judge(actual);
    return Problem::check(c, in, expected, i, actual);
  }

  // Elementwise kernels round once, like the oracle, which rounds a double to float: 53 bits are enough for
  // that to be the same number (Figueroa, 1995). Sums are of whole numbers up to 2^24, so exact in any order.
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }
  Cost cost(const Case& c) const override;
  std::string paired_with_peers() const override { return "acta"; }
  std::size_t workspace_bytes(const Case&, const Rung& rung) const override {
    return rung.name == "cub" ? std::size_t{1} << 22 : 0;
  }
  std::vector<std::pair<std::string, double>> figures(const Case& c,
                                                      const std::vector<HostArray>& outputs) const override;

 private:
  static std::vector<Case> table_1() {
    std::vector<Case> kernels;
    for (int kernel = 0; kernel < tma_queues_kernels; ++kernel)
      kernels.push_back(table_case(kernel, backend));
    return kernels;
  }
  static bool takes(const Rung& rung, const Case& c) {
    if (rung.name == "stencil") return is_stencil(c);
    if (rung.name == "multicast") return is(c, QueueKernel::matrix_matrix);
    if (rung.name == "cub") return is(c, QueueKernel::dot_product);
    if (rung.name == "cublas") return is_matrix(c);
    return !is_stencil(c);
  }
};

const std::vector<Rung>& TmaQueuesProblem::rungs() const {
  using enum Rung::Access;
  const auto rung = [](const char* name, const char* idea, Rung::Access access, const char* needs = "",
                       const char* peer = "") {
    return Rung{.name = name,
                .idea = idea,
                .access = access,
                .dtypes = {DType::f32},
                .needs = needs,
                .peer_of = peer};
  };
  static const std::vector<Rung> table = {
      rung("synchronous", "load a tile, wait for it, use it", given),
      rung("double_buffer", "memcpy_async brings the next tile while this one is used", task),
      rung("pipeline", "cuda::pipeline: a tile on its way in every slot", task),
      rung("ring_cp_async", "a warp fills the slots, eight empty them: full and empty barriers", task),
      rung("bulk_copy", "one thread starts a copy, hardware does it, a barrier counts its bytes", task,
           "sm_90a"),
      rung("stencil", "a tensor map: boxes with halo, zeros beyond the edge, swizzled", task, "sm_90a"),
      rung("ring", "queues of operands: a producer's warp, and consumers at their own pace", given, "sm_90a"),
      rung("multicast", "the blocks of a cluster read the same tiles once", given, "sm_90a"),
      rung("acta", "tile and slots are computed from figures of the GPU and the kernel", task, "sm_90a"),
      rung("cub", "cub::DeviceReduce::TransformReduce", given, "", "CUB"),
      rung("cublas", "cublasSgemv, cublasGemmEx (pedantic float)", given, "", "cuBLAS"),
  };
  return table;
}

Case TmaQueuesProblem::for_rung(const Case& given, const Rung& rung) const {
  Case c = given;
  if (only_chooses(c)) {
    set_kernel(c, std::clamp(kernel_of(c), 0, tma_queues_kernels - 1));
    return c;
  }
  if (!takes(rung, c)) {
    const bool as_table = c.size == table_case(kernel_of(c), backend).size;
    const int kernel = rung.name == "stencil"     ? tma_queues_stencil_number
                       : rung.name == "multicast" ? static_cast<int>(QueueKernel::matrix_matrix)
                       : rung.name == "cub"       ? static_cast<int>(QueueKernel::dot_product)
                       : rung.name == "cublas"    ? static_cast<int>(QueueKernel::matrix_vector)
                                                  : static_cast<int>(QueueKernel::sum_vectors);
    set_kernel(c, kernel);
    if (as_table) c.size = table_case(kernel, backend).size;
  }
  set_kernel(c, kernel_of(c));
  // A vector that is shorter than a queue gets fewer slots; a matrix's stage has many rows.
  const std::int64_t tile = static_cast<std::int64_t>(
      c.param("tile", is(c, QueueKernel::matrix_matrix) ? default_tile / 4 : default_tile));
  const std::int64_t tiles = tile > 0 ? tma_queues_share(c.extent("k"), tile) : 1;
  if (rung.name == "acta" || !rung.peer_of.empty()) return c;
  if (c.param("tile", 0) == 0 && !is_stencil(c)) set_of_rung(c, "tile", tile);
  if (c.param("slots", 0) == 0)
    set_of_rung(c, "slots",
                is_stencil(c) ? default_slots : std::clamp<std::int64_t>(tiles, 1, default_slots));
  return c;
}

void TmaQueuesProblem::configure(Case& c, const std::map<std::string, std::string>& given,
                                 Replacements&) const {
  if (const auto kernel = given.find("kernel"); kernel != given.end()) {
    const auto number = static_cast<int>(parse_choice("--kernel", kernel->second, kernel_names));
    if (c.size == table_case(kernel_of(c), backend).size) c.size = table_case(number, backend).size;
    set_kernel(c, number);
  }
  const auto number = [&](const char* name, int least, int most) {
    if (const auto found = given.find(name); found != given.end())
      set_of_rung(c, name, parse_number(std::string("--") + name, found->second, least, most));
  };
  number("tile", 1, 1 << 20);
  number("slots", 0, 1 << 20);
  number("blocks", 0, 64);
  if (given.contains("slots") && c.param("slots", 1) == 0)
    throw BadInput("--slots 0: a queue without slots holds no tile; it must have 1 to 8");
  try {
    check_case(c);
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());
  }
}

std::vector<Case> TmaQueuesProblem::public_cases(const Rung& rung) const {
  using enum QueueKernel;
  std::vector<Case> cases;
  const auto sized = [](Case c, int tile, int slots) {
    set_of_rung(c, "tile", tile);
    set_of_rung(c, "slots", slots);
    return c;
  };
  // Nothing, less than 16 bytes, around a tile, a prime, several rounds of every slot, all awkward.
  for (const QueueKernel kernel : {elementwise_k, elementwise, sum_vectors, dot_product}) {
    for (const std::int64_t k : {0, 1, 3, 4, 5, 63, 64, 65, 1023, 1024, 1025, 4099, 50'021})
      cases.push_back(case_of(kernel, 1, k));
    for (const int slots : {1, 2, 3, 5, 8}) cases.push_back(sized(case_of(kernel, 1, 10'007), 64, slots));
    cases.push_back(sized(case_of(kernel, 1, 20'011), 4, 3));
    cases.push_back(sized(case_of(kernel, 1, 20'011), 8192, 2));
  }
  for (const auto& [m, k] :
       {std::pair{0, 5}, {5, 0}, {1, 1}, {7, 3}, {8, 64}, {9, 65}, {17, 1025}, {100, 517}})
    cases.push_back(case_of(matrix_vector, m, k));
  for (const auto& [m, k, n] : {std::array{0, 5, 3},
                                {3, 5, 0},
                                {5, 0, 3},
                                {1, 1, 1},
                                {8, 64, 16},
                                {9, 65, 17},
                                {7, 131, 15},
                                {40, 515, 50}})
    cases.push_back(case_of(matrix_matrix, m, k, n));
  for (const int slots : {1, 2, 3}) {
    cases.push_back(sized(case_of(matrix_vector, 70, 1030), 64, slots));
    cases.push_back(sized(case_of(matrix_matrix, 70, 515, 33), 64, slots));
  }
  for (const auto& [rows, cols] :
       {std::pair{0, 5}, {5, 0}, {1, 1}, {1, 100}, {100, 1}, {128, 24}, {129, 25}, {127, 23}, {300, 97}})
    for (const int slots : {1, 3})
      cases.push_back(sized(case_of(tma_queues_stencil_number, rows, cols), 64, slots));
  std::erase_if(cases, [&](const Case& c) { return !takes(rung, c); });

  if (rung.name == "acta")
    for (const int device : {0, 1})  // an H100 and an H200: as they are, with other latencies and bandwidths
      for (const auto& [latency, bandwidth] : {std::pair{100, 100}, {300, 100}, {300, 300}})
        for (const QueueKernel kernel : {elementwise_k, sum_vectors, dot_product, matrix_matrix}) {
          Case c = table_case(static_cast<int>(kernel), Backend::cuda);
          c.set_param("choose", 1);
          c.set_param("device", device, SizingCheck::devices().at(static_cast<std::size_t>(device)));
          c.set_param("latency", latency);
          c.set_param("bandwidth", bandwidth);
          cases.push_back(c);
        }
  if (rung.name == "cublas")  // which takes no matrix without rows, columns or length
    std::erase_if(cases, [](const Case& c) { return c.extent("m") * c.extent("k") * c.extent("n") == 0; });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].seed = 1300 + i;
    cases[i] = for_rung(cases[i], rung);
  }
  return cases;
}

std::vector<HostArray> TmaQueuesProblem::inputs(const Case& c) const {
  check_case(c);
  std::vector<HostArray> in;
  if (only_chooses(c)) {
    const std::vector<double> demand = SizingCheck(c).demand();
    in.emplace_back(DType::f64, std::vector<std::int64_t>{queue_demand_numbers});
    std::ranges::copy(demand, in[0].as<double>().begin());
    return in;
  }
  const std::int64_t k = c.extent("k"), m = c.extent("m"), n = c.extent("n");
  if (!has_rows(c)) {
    const int operands = is(c, QueueKernel::elementwise_k) ? 1 : 2;
    for (int v = 0; v < operands; ++v) {
      HostArray& vector = in.emplace_back(DType::f32, std::vector<std::int64_t>{k});
      if (has_sums(c))
        fill_whole(vector, 1, k, k, c.seed + 1000 * static_cast<unsigned>(v));
      else
        fill_random(vector, c.seed, static_cast<unsigned>(v));
    }
    return in;
  }
  // Rows that begin at multiples of 16 bytes; what lies between them is NaN.
  fill_whole(in.emplace_back(DType::f32, std::vector<std::int64_t>{m, leading_of(c)}), m, k, k, c.seed);
  if (is_matrix(c))
    fill_whole(in.emplace_back(DType::f32, std::vector<std::int64_t>{n, leading_of(c)}), n, k, k,
               c.seed + 1000);
  return in;
}

std::vector<ArraySpec> TmaQueuesProblem::outputs(const Case& c) const {
  check_case(c);
  if (only_chooses(c)) return {{DType::i64, {2}}};
  if (is_stencil(c)) return {{DType::f32, {c.extent("k"), c.extent("m")}}};
  if (is_matrix(c)) return {{DType::f32, {c.extent("m"), c.extent("n")}}};
  return {{DType::f32, {is(c, QueueKernel::dot_product) ? 1 : c.extent("k")}}};
}

std::vector<HostArray> TmaQueuesProblem::expected(const Case& c, const std::vector<HostArray>& in) const {
  std::vector<HostArray> out;
  const ArraySpec spec = outputs(c).front();
  out.emplace_back(spec.dtype, spec.shape);
  if (only_chooses(c)) {
    std::ranges::copy(SizingCheck(c).best(), out[0].as<std::int64_t>().begin());
    return out;
  }
  const std::int64_t k = c.extent("k"), m = c.extent("m"), n = c.extent("n");
  const float* const a = in.at(0).as<float>().data();
  const float* const b = in.size() > 1 ? in[1].as<float>().data() : nullptr;
  float* const z = out[0].as<float>().data();
  if (is(c, QueueKernel::elementwise_k)) reference::scale(static_cast<float>(c.param("factor", 1)), a, z, k);
  if (is(c, QueueKernel::elementwise)) reference::multiply(a, b, z, k);
  if (is(c, QueueKernel::sum_vectors)) reference::add(a, b, z, k);
  if (is(c, QueueKernel::dot_product)) reference::product_of_rows(a, b, z, 1, 1, k, k);
  if (is_matrix(c)) reference::product_of_rows(a, b, z, m, n, k, leading_of(c));
  if (is_stencil(c)) reference::transposed_stencil(a, z, m, k, leading_of(c));
  return out;
}

Cost TmaQueuesProblem::cost(const Case& c) const {
  if (only_chooses(c)) return {};
  const auto k = static_cast<double>(c.extent("k")), m = static_cast<double>(c.extent("m")),
             n = static_cast<double>(c.extent("n"));
  if (is_stencil(c)) return {.bytes = 8 * m * k, .flops = 5 * m * k};
  if (is_matrix(c)) return {.bytes = 4 * (m * k + n * k + m * n), .flops = 2 * m * n * k};
  if (is(c, QueueKernel::dot_product)) return {.bytes = 8 * k + 4, .flops = 2 * k};
  return {.bytes = (is(c, QueueKernel::elementwise_k) ? 8 : 12) * k, .flops = k};
}

std::vector<std::pair<std::string, double>> TmaQueuesProblem::figures(
    const Case& c, const std::vector<HostArray>& outputs) const {
  if (!only_chooses(c)) return {};
  const auto chosen = outputs.at(0).as<std::int64_t>();
  return {{"tile", static_cast<double>(chosen[0])},
          {"slots", static_cast<double>(chosen[1])},
          {"regret", SizingCheck(c).regret(chosen[0], chosen[1])}};
}

const ProblemRegistration<TmaQueuesProblem> registration;

}  // namespace
}  // namespace warplab
