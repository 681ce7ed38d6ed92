// Lab 00's problem. Its rungs are whole programs for different tasks: a case's parameter `step` names its
// rung. All arrays are host memory.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "harness/rung/backend.hpp"
#include "reference/first_program.hpp"

namespace warplab {
namespace {

constexpr const char* steps[] = {"saxpy",         "checked",     "timed", "outer_product",
                                 "uniform_warps", "block_count", "dot3",  "two_streams"};
enum Step { saxpy, checked, timed, outer_product, uniform_warps, block_count, dot3, two_streams };

Step step_of(const Case& c) { return static_cast<Step>(static_cast<int>(c.param("step", saxpy))); }

std::int64_t count_of(const Case& c) {
  const std::int64_t n = c.extent("n");
  if (n < 0 || n > 1 << 30)
    throw std::invalid_argument("n is " + std::to_string(n) + "; it must be 0 to 1073741824");
  return n;
}

std::int64_t param(const Case& c, const char* name, std::int64_t least, std::int64_t most) {
  const double value = c.param(name, static_cast<double>(least));
  if (value != std::floor(value) || value < static_cast<double>(least) || value > static_cast<double>(most))
    throw std::invalid_argument(std::string(name) + " must be a whole number from " + std::to_string(least) +
                                " to " + std::to_string(most));
  return static_cast<std::int64_t>(value);
}

constexpr std::int64_t max_copies = std::int64_t{1} << 40, max_cols = 1 << 20, max_threads = 1 << 20,
                       max_launches = 1000;
constexpr std::int64_t too_many_copies = std::int64_t{1} << 38;  // no device has 4 * 2^38 bytes: 1 TiB

std::int64_t copies_of(const Case& c) {
  const std::int64_t copies = param(c, "copies", 0, max_copies), n = count_of(c);
  if (n > 0 && copies > std::numeric_limits<std::int64_t>::max() / 4 / n)
    throw std::invalid_argument(std::to_string(copies) + " copies of " + std::to_string(n) +
                                " elements of 4 bytes are more bytes than 63 bits count");
  return copies;
}
std::int64_t cols_of(const Case& c) { return param(c, "cols", 0, max_cols); }
std::int64_t launches_of(const Case& c) { return param(c, "launches", 1, max_launches); }

/// The code that `checked` must return: 0 cudaSuccess, 2 cudaErrorMemoryAllocation, 9
/// cudaErrorInvalidConfiguration.
int error_of(const Case& c) {
  const std::int64_t threads = param(c, "threads", 1, max_threads);
  if (count_of(c) == 0 || copies_of(c) == 0) return 0;
  const std::int64_t max_elements = 0x7fffffff * threads;  // of a grid, one per thread
  if (copies_of(c) >= too_many_copies) return 2;
  return threads > 1024 || count_of(c) * copies_of(c) > max_elements ? 9 : 0;
}

/// Elements of the array that `checked` writes; of one that it must not touch, as many as its input has.
std::int64_t copied(const Case& c) { return error_of(c) ? count_of(c) : count_of(c) * copies_of(c); }

HostArray filled(DType dtype, std::int64_t count, const Case& c, unsigned stream) {
  HostArray array(dtype, {count});
  fill_random(array, c.seed, stream);
  return array;
}

class FirstProgramProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "first_program"; }
  std::string title() const override { return "First program: from the host to the device and back"; }
  std::vector<std::string> size_names() const override { return {"n"}; }
  bool host_buffers() const override { return true; }
  bool whole_programs() const override { return true; }

  const std::vector<Rung>& rungs() const override {
    using enum Rung::Access;
    static const std::vector<Rung> table{
        {"saxpy", "a whole program: allocate, copy, launch, copy back, free", task, {DType::f32}},
        {"checked", "every error is noticed, and all memory is freed", task, {DType::f32}},
        {"timed", "events around the launches give ms and GB/s", task, {DType::f32}},
        {"outer_product", "blocks and grids of two dimensions", task, {DType::i32}},
        {"uniform_warps", "all lanes of a warp take the same branch", task, {DType::i32}},
        {"block_count", "one atomic operation per block", task, {DType::f32}},
        {"dot3", "vector types: sum in a register, store once", task, {DType::f32}},
        {"two_streams", "events order two streams, and the host goes on", task, {DType::f32}},
    };
    return table;
  }

  Case default_case(Backend where) const override {
    return case_of(where == Backend::cuda ? 1 << 16 : 1 << 12);
  }

  Case for_rung(const Case& c, const Rung& rung) const override {
    Case result = c;
    result.dtype = rung.dtypes.front();
    const auto step = std::ranges::find(steps, rung.name) - std::begin(steps);
    result.params = {{"step", static_cast<double>(step), rung.name}};
    const auto keep = [&](const char* name, double usual) { result.set_param(name, c.param(name, usual)); };
    if (step == checked) keep("copies", 3), keep("threads", 256);
    if (step == timed) keep("launches", 10);
    if (step == outer_product) keep("cols", 300);
    return result;
  }

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"cols", "columns of the table of outer_product, which has n rows (300)"},
            {"copies", "how many copies checked writes (3)"},
            {"threads", "threads per block of checked (256)"},
            {"launches", "how many launches timed measures (10)"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    const auto set = [&](const char* name, std::int64_t least, std::int64_t most) {
      if (const auto found = given.find(name); found != given.end())
        c.set_param(name,
                    static_cast<double>(parse_number(std::string("--") + name, found->second, least, most)));
    };
    set("cols", 0, max_cols);
    set("copies", 0, max_copies);
    set("threads", 1, max_threads);
    set("launches", 1, max_launches);
  }

  std::vector<Case> public_cases(const Rung& rung) const override {
    std::vector<Case> cases;
    const auto add = [&](std::int64_t n, std::vector<Parameter> params = {}) {
      Case c = case_of(n);
      c.params = std::move(params);
      c.seed = 1 + cases.size();
      cases.push_back(for_rung(c, rung));
    };
    if (rung.name == steps[outer_product]) {
      constexpr std::pair<int, int> shapes[] = {{0, 5},   {5, 0},   {1, 1},   {16, 16},   {15, 17},  {17, 15},
                                                {1, 999}, {999, 1}, {31, 33}, {200, 300}, {300, 200}};
      for (const auto& [rows, cols] : shapes) add(rows, {{"cols", static_cast<double>(cols)}});
      return cases;
    }
    for (const std::int64_t n : {0, 1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1021, 30011, 1000003})
      add(n);
    if (rung.name == steps[checked]) {
      constexpr double too_many = static_cast<double>(too_many_copies);
      add(100, {{"copies", 0}});
      add(100, {{"copies", 7}, {"threads", 1024}});
      add(100, {{"copies", 7}, {"threads", 1025}});
      add(1, {{"copies", 1}, {"threads", 2048}});
      add(1000, {{"copies", too_many}});
      add(1, {{"copies", too_many}, {"threads", 32}});
    }
    if (rung.name == steps[timed]) add(1000, {{"launches", 1}}), add(1000, {{"launches", 3}});
    return cases;
  }

  std::vector<HostArray> inputs(const Case& c) const override {
    const std::int64_t n = count_of(c);
    std::vector<HostArray> in;
    switch (step_of(c)) {
      case saxpy:
      case timed:
        for (unsigned stream : {0u, 1u}) in.push_back(filled(DType::f32, n, c, stream));
        in.push_back(filled(DType::f32, 1, c, 2));  // a
        break;
      case checked:
        in.push_back(filled(DType::f32, n, c, 0));
        break;
      case outer_product:
        in.push_back(filled(DType::i32, n, c, 0));
        in.push_back(filled(DType::i32, cols_of(c), c, 1));
        break;
      case uniform_warps:
        in.push_back(filled(DType::i32, n, c, 0));
        break;
      case block_count:
        in.push_back(filled(DType::f32, n, c, 0));
        in.push_back(
            filled(DType::f32, 1, c, 1));  // the limit: an element's value, so that "above" is not "from"
        if (n > 0) in[1].as<float>()[0] = in[0].as<float>()[static_cast<std::size_t>(n / 2)];
        break;
      case dot3:
        for (unsigned stream : {0u, 1u}) in.push_back(filled(DType::f32, 3 * n, c, stream));
        break;
      case two_streams:
        for (unsigned stream : {0u, 1u}) in.push_back(filled(DType::f32, n, c, stream));
        break;
    }
    return in;
  }

  std::vector<ArraySpec> outputs(const Case& c) const override {
    const std::int64_t n = count_of(c);
    switch (step_of(c)) {
      case checked:
        return {{DType::f32, {copied(c)}}, {DType::i32, {1}}};
      case outer_product:
        return {{DType::i32, {n, cols_of(c)}}};
      case uniform_warps:
        return {{DType::i32, {n}}};
      case block_count:
        return {{DType::i32, {1}}};
      case two_streams:  // which is called twice
        return {{DType::f32, {2, n}}};
      default:
        return {{DType::f32, {n}}};
    }
  }

  // A call that fails leaves its output as it was.
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>& inputs,
                                          std::size_t i) const override {
    if (step_of(c) != checked || i != 0 || error_of(c) == 0) return std::nullopt;
    return inputs.at(0);
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    const std::int64_t n = count_of(c);
    std::vector<HostArray> out;
    for (const ArraySpec& spec : outputs(c)) out.emplace_back(spec.dtype, spec.shape);
    const auto floats = [&](std::size_t i) { return inputs.at(i).as<float>().data(); };
    switch (step_of(c)) {
      case saxpy:
      case timed:
        reference::add_multiples(*floats(2), static_cast<int>(applications(c)), floats(0), floats(1),
                                 out[0].as<float>().data(), n);
        break;
      case checked:
        if (n > 0) reference::repeat(floats(0), n, out[0].as<float>().data(), copied(c));
        out[1].as<int>()[0] = error_of(c);
        break;
      case outer_product:
        reference::outer_product(inputs.at(0).as<int>().data(), n, inputs.at(1).as<int>().data(), cols_of(c),
                                 out[0].as<int>().data());
        break;
      case uniform_warps:
        for (std::int64_t i = 0; i < n; ++i)
          out[0].as<int>()[static_cast<std::size_t>(i)] =
              reference::work_on(i, inputs.at(0).as<int>()[static_cast<std::size_t>(i)]);
        break;
      case block_count:
        out[0].as<int>()[0] = static_cast<int>(reference::count_above(floats(0), n, *floats(1)));
        break;
      case dot3:
        reference::dot3(floats(0), floats(1), out[0].as<float>().data(), n);
        break;
      case two_streams:
        for (const std::int64_t call : {0, 1})
          reference::add_multiples(1, 1, floats(0), floats(1), out[0].as<float>().data() + call * n, n);
        break;
    }
    return out;
  }

  // Host memory for the two figures of `timed`.
  std::size_t workspace_bytes(const Case&, const Rung& rung) const override {
    return rung.name == steps[timed] ? 2 * sizeof(float) : 0;
  }

  // u = 2^-24; |a|, |x| and |y| are below 1. Step k of y += a * x rounds a product below 1 and a sum below 1
  // + k, so K steps are off by at most u * (1 + 2) + ... + u * (1 + 1 + K) <= u * K * (K + 5) / 2. A dot
  // product of three is off by at most u * (3 products below 1 + a sum below 2 + a sum below 3). One more u
  // rounds the oracle, relative to its value. A sum of two is rounded as the oracle is; integers and copies
  // are exact.
  Tolerance tolerance(const Case& c, std::size_t) const override {
    constexpr double u = 0x1p-24;
    const double k = static_cast<double>(applications(c));
    switch (step_of(c)) {
      case saxpy:
      case timed:
        return {.atol = 1.01 * u * k * (k + 5) / 2, .rtol = u};
      case dot3:
        return {.atol = 1.01 * u * 8, .rtol = u};
      default:
        return {};
    }
  }

  // For limits, which are counted on the emulator. On a GPU a call also allocates and copies, so its time is
  // not that of these bytes.
  Cost cost(const Case& c) const override {
    if (backend == Backend::cuda) return {};
    const double n = static_cast<double>(count_of(c));
    switch (step_of(c)) {
      case saxpy:
      case timed:
        return {.bytes = 12 * n * static_cast<double>(applications(c))};
      case checked:
        return {.bytes = error_of(c) || copied(c) == 0 ? 0 : 4 * (n + static_cast<double>(copied(c)))};
      case outer_product: {
        const double cols = static_cast<double>(cols_of(c));
        return {.bytes = n * cols > 0 ? 4 * (n + cols + n * cols) : 0};
      }
      case uniform_warps:
        return {.bytes = 8 * n};
      case block_count:
        return {.bytes = 4 * n};
      case dot3:
        return {.bytes = 28 * n};
      case two_streams:
        return {.bytes = 2 * 12 * n};
    }
    return {};
  }

 private:
  static Case case_of(std::int64_t n) {
    Case c;
    c.size = {{"n", n}};
    return c;
  }
  /// How often a * x is added.
  static std::int64_t applications(const Case& c) { return step_of(c) == timed ? 1 + launches_of(c) : 1; }
};

const ProblemRegistration<FirstProgramProblem> registration;

}  // namespace
}  // namespace warplab
