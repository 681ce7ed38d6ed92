// Lab 10: the sum of a rule over n equal intervals, in float and double.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "common/host/bad_input.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"
#include "labs/10_riemann/riemann_shape.hpp"
#include "reference/riemann.hpp"

namespace warplab {
namespace {

using reference::Integrand;
using reference::IntegrandKind;
using reference::QuadratureRule;

constexpr const char* rule_names[] = {"left", "right", "midpoint", "trapezoid", "simpson", "romberg"};
constexpr const char* additions_name = ".additions";  // not shown: it follows from rung, grid and block
constexpr std::size_t rules_to_choose = 4;            // the others belong to rungs of their own
constexpr const char* function_names[] = {"exp_sin", "sin_square", "kinked", "root",
                                          "linear",  "constant",   "counted"};

QuadratureRule rule_of(const Case& c) {
  return static_cast<QuadratureRule>(static_cast<int>(c.param("rule", 0)));
}
IntegrandKind kind_of(const Case& c) {
  return static_cast<IntegrandKind>(static_cast<int>(c.param("function", 0)));
}
bool has_parameter(IntegrandKind kind) {
  return kind == IntegrandKind::kinked || kind == IntegrandKind::constant;
}

/// As the kernels see it: its parameter is a number of their type.
Integrand integrand_of(const Case& c) {
  const double parameter = c.param("parameter", 0);
  return {kind_of(c), c.dtype == DType::f32 ? static_cast<float>(parameter) : parameter};
}

Case case_of(std::int64_t n, DType dtype = DType::f64, IntegrandKind kind = IntegrandKind::exp_sin,
             QuadratureRule rule = QuadratureRule::left) {
  Case c;
  c.size = {{"n", n}};
  c.dtype = dtype;
  const auto function = static_cast<std::size_t>(kind), number = static_cast<std::size_t>(rule);
  c.set_param("function", static_cast<double>(function), function_names[function]);
  c.set_param("from", 0);
  c.set_param("to", 10);
  if (kind == IntegrandKind::kinked) c.set_param("parameter", std::numbers::pi);
  if (kind == IntegrandKind::constant) c.set_param("parameter", 0.1);
  c.set_param("rule", static_cast<double>(number), rule_names[number]);
  return c;
}

/// Refuses what is not allowed. @throws std::invalid_argument
void check_case(const Case& c) {
  const auto refuse = [](const std::string& sentence) { throw std::invalid_argument(sentence); };
  const std::int64_t n = c.extent("n");
  if (n < 1) refuse(fmt::format("n is {}; a sum needs 1 interval or more", n));
  if (n > riemann_max_intervals)
    refuse(fmt::format("n is {}; beyond 2^52 a double does not hold each i + 1/2", n));
  const double from = c.param("from", 0), to = c.param("to", 0);
  if (!(std::min(from, to) >= riemann_min_end && std::max(from, to) <= riemann_max_end))
    refuse(fmt::format("the interval from {:g} to {:g}: its ends must lie between {} and {}", from, to,
                       riemann_min_end, riemann_max_end));
  if (from > to) refuse(fmt::format("the interval from {:g} to {:g} is reversed", from, to));
  if (kind_of(c) == IntegrandKind::root && from < 0)
    refuse(fmt::format("the integrand has no values below 0; the interval begins at {:g}", from));
}

/// How often a rung evaluates its integrand, without the trapezoid rule's ends.
double evaluations_of(const Case& c) {
  const auto n = static_cast<double>(c.extent("n"));
  if (rule_of(c) == QuadratureRule::simpson) return 2 * n + 1;
  if (rule_of(c) == QuadratureRule::romberg) return (1 << riemann_halvings) * n + 1;
  return n;
}

/// How many operations each term of the sum has: its point (2), its value, and the addition.
double operations_of(IntegrandKind kind) {
  switch (kind) {
    case IntegrandKind::exp_sin:
      return 2 + 3 + 1;
    case IntegrandKind::sin_square:
    case IntegrandKind::kinked:
      return 2 + 2 + 1;
    case IntegrandKind::root:
      return 2 + 1 + 1;
    default:
      return 2 + 1;
  }
}

/// The most additions that one value goes through in a rung, in any order that its idea leaves open.
double longest_chain(const Rung& rung, const Case& c) {
  const std::int64_t block = std::max(1u, (*(c.block ? c.block : rung.block))[0]);
  const auto evaluations = static_cast<std::int64_t>(evaluations_of(c));
  if (rung.name == "naive") return static_cast<double>(evaluations) + 1;
  // The device decides how many blocks there are, within known bounds.
  const auto with_blocks = [&](std::int64_t blocks) {
    const double mine = static_cast<double>(riemann_share(evaluations, blocks * block)) + 2;
    const auto atomics = static_cast<double>(blocks);
    if (rung.name == "grid_stride" || rung.name == "unrolled")
      return mine + atomics * static_cast<double>(block);
    if (rung.name == "warp") return mine + 5 + atomics * static_cast<double>(riemann_share(block, 32));
    return mine + 10 + atomics;
  };
  if (c.grid) return with_blocks(std::max(1u, (*c.grid)[0]));
  const auto threads = static_cast<unsigned>(block);
  return std::max(with_blocks(riemann_blocks(evaluations, threads, riemann_min_blocks)),
                  with_blocks(riemann_blocks(evaluations, threads, riemann_max_blocks)));
}

/// How many equal values a chain of additions sums without any rounding: as long as the sum needs no more
/// bits than its type has.
double exact_additions(const Case& c) {
  const Integrand f = integrand_of(c);
  if (f.kind != IntegrandKind::constant || f.parameter == 0) return 0;
  double odd = std::fabs(static_cast<double>(f.parameter));  // without its factors of 2
  while (odd != std::floor(odd)) odd *= 2;
  while (std::fmod(odd, 2) == 0) odd /= 2;
  return (c.dtype == DType::f32 ? 0x1p24 : 0x1p53) / odd;
}

/// Whether each of the four sums per thread of `unrolled` adds equal values
/// without rounding; one sum may not.
bool four_sums_are_exact(const Case& c) {
  if (!c.grid || !c.block) return false;
  const std::int64_t threads = std::int64_t{(*c.grid)[0]} * (*c.block)[0];
  return static_cast<double>(riemann_share(c.extent("n"), 4 * threads)) <= exact_additions(c);
}

/// Bounds for the values that are summed, times the width.
struct Bounds {
  double values;     ///< of the sum of |f|
  double moved;      ///< of the sum of |f(x (1 + d)) - f(x)| / |d|, for tiny d
  double roundings;  ///< of the relative error of an evaluation in units of u
};

Bounds bounds_of(const Case& c) {
  const double from = c.param("from", 0), to = c.param("to", 0), parameter = c.param("parameter", 0);
  const double length = to - from, reach = std::max(std::fabs(from), std::fabs(to));
  switch (kind_of(c)) {
    case IntegrandKind::exp_sin: {  // |f| <= e^x, |f'| <= sqrt(2) e^x; exp within 1 ulp, sin within 2, a
                                    // product
      const double sum =
          std::exp(to) - std::exp(from) + length / static_cast<double>(c.extent("n")) * std::exp(to);
      return {sum, std::numbers::sqrt2 * reach * sum, 2 * (1 + 2) + 1};
    }
    case IntegrandKind::sin_square:  // |f'| <= 2 |x|; the square is rounded too, as if x moved by u / 2 more
      return {length, length * 3 * reach * reach, 2 * 2};
    case IntegrandKind::kinked:
      return {length * std::max(std::fabs(from - parameter), std::fabs(to - parameter)), length * reach, 1};
    case IntegrandKind::root:
      return {length * std::sqrt(to), length * std::sqrt(to) / 2, 1};
    case IntegrandKind::constant:
      return {length * std::fabs(parameter), 0, 0};
    case IntegrandKind::linear:
    case IntegrandKind::counted:
      break;
  }
  return {length * reach, length * reach, 0};
}

class RiemannProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "riemann"; }
  std::string title() const override { return "Riemann sums: what is a correct sum?"; }
  std::vector<std::string> size_names() const override { return {"n"}; }
  const std::vector<Rung>& rungs() const override;

  Case default_case(Backend where) const override {
    return case_of(where == Backend::cuda ? 1'000'000'000 : 100'000);
  }

  std::vector<Case> default_cases(Backend where) const override;
  // All at the first case; the curves of errors over n need only rungs that differ in them.
  bool runs_by_itself(const Case& c, const Rung& rung) const override {
    if (rule_of(c) == QuadratureRule::left) return true;
    if (rung.name == "naive") return c.extent("n") <= 10'000'000;  // a second and more after that
    if (rung.name == "romberg") return c.extent("n") <= 100'000;   // exact long before
    return rung.name == "shared" || rung.name == "simpson" || rung.name == "compensated";
  }
  Case for_rung(const Case& c, const Rung& rung) const override;
  std::vector<Case> public_cases(const Rung& rung) const override;

  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"rule",
             "left (the default), right, midpoint or trapezoid; simpson and romberg have rules of their own"},
            {"function", "exp_sin (the default), sin_square, kinked, root, linear, constant or counted"},
            {"from", "where the interval begins (0)"},
            {"to", "where it ends (10)"},
            {"parameter", "where the kink of kinked lies (pi), or the value of constant (0.1)"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override;

  std::string input_help() const override { return "Not taken: a Riemann sum reads no array"; }
  HostArray read_input(const std::string& path, std::optional<DType>) const override {
    throw BadInput("--input " + path +
                   ": a Riemann sum reads no array; --function, --from and --to choose what is summed");
  }

  // Nothing is read. The harness hands each lab an array all the same: here the ends of the interval.
  std::vector<HostArray> inputs(const Case& c) const override {
    check_case(c);
    std::vector<HostArray> in;
    in.emplace_back(DType::f64, std::vector<std::int64_t>{2});
    in[0].as<double>()[0] = c.param("from", 0);
    in[0].as<double>()[1] = c.param("to", 0);
    return in;
  }

  // A case with several shapes of launch has a result of each, and, where they must be the same, how many
  // differ from the first in any bit.
  ArrayNames array_names() const override { return {{}, {"out"}}; }
  std::vector<ArraySpec> outputs(const Case& c) const override {
    check_case(c);
    const auto shapes = static_cast<std::int64_t>(c.param("shapes", 1));
    if (c.param("same_bits", 0) == 0) return {{c.dtype, {shapes}}};
    return {{c.dtype, {shapes}}, {DType::i64, {1}}};
  }

  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>&) const override;
  Tolerance tolerance(const Case& c, std::size_t i) const override;

  // One result is written. Operations are those of the formula: exp, sin and sqrt count as one each.
  // An evaluation of `counted` is an atomic operation: those of a warp's 32 lanes share a sector of 32 bytes.
  Cost cost(const Case& c) const override {
    const double counted = kind_of(c) == IntegrandKind::counted ? evaluations_of(c) : 0;
    return {.bytes = static_cast<double>(size_of(c.dtype)) + counted,
            .flops = evaluations_of(c) * operations_of(kind_of(c))};
  }
  std::optional<OwnCeiling> own_ceiling(const Case& c) const override {
    Case same = c;
    same.block = same.grid = std::nullopt;
    std::erase_if(same.params,
                  [](const Parameter& p) { return p.name == additions_name || p.name == "shapes"; });
    same.set_param("rule", 0, rule_names[0]);
    return OwnCeiling{"ceiling", "the same evaluations, kept in registers", same};
  }
  std::string paired_with_peers() const override {
    return "shared";
  }  // the fastest of those that do what CUB does
  std::vector<std::pair<std::string, double>> figures(const Case& c,
                                                      const std::vector<HostArray>& outputs) const override;

  std::size_t workspace_bytes(const Case& c, const Rung&) const override {
    const std::int64_t blocks = std::max<std::int64_t>(riemann_max_blocks, c.grid ? (*c.grid)[0] : 0);
    return riemann_reserved_bytes + std::max(std::size_t{1} << 20, riemann_workspace(blocks));
  }
};

const std::vector<Rung>& RiemannProblem::rungs() const {
  using enum Rung::Access;
  const auto rung = [](const char* name, const char* idea, Rung::Access access, bool takes_grid = true) {
    return Rung{.name = name,
                .idea = idea,
                .access = access,
                .dtypes = {DType::f64, DType::f32},
                .block = Extent3{riemann_block, 1, 1},
                .takes_block = true,
                .takes_grid = takes_grid};
  };
  static const std::vector<Rung> table = [&] {
    std::vector<Rung> rows = {
        rung("naive", "one thread and one atomic per interval", given, false),
        rung("grid_stride", "a long sum per thread, one atomic per thread", task),
        rung("unrolled", "four independent sums per thread", task),
        rung("warp", "shuffles join a warp: one atomic per warp", task),
        rung("shared", "shared memory joins a block: one atomic per block", task),
        rung("simpson", "a rule of higher order: fewer evaluations beat faster ones", task),
        rung("romberg", "five trapezoid sums extrapolated, in one pass", task),
        rung("compensated", "what each addition rounds off is kept and added at the end", task),
        rung("reproducible", "the same bits for every grid and block", task),
    };
    Rung& cub = rows.emplace_back(rung("cub", "cub::DeviceReduce::TransformReduce", given, false));
    cub.block = std::nullopt;
    cub.takes_block = false;
    cub.peer_of = "CUB";
    return rows;
  }();
  return table;
}

// The published case for all rungs, then the midpoint rule with more and more
// intervals, for the curves of errors.
std::vector<Case> RiemannProblem::default_cases(Backend where) const {
  std::vector<Case> cases = {default_case(where)};
  const std::int64_t most = where == Backend::cuda ? 1'000'000'000 : 1'000'000;
  for (const DType dtype : {DType::f64, DType::f32})
    for (std::int64_t n = 10; n <= most; n *= 10)
      cases.push_back(case_of(n, dtype, IntegrandKind::exp_sin, QuadratureRule::midpoint));
  return cases;
}

Case RiemannProblem::for_rung(const Case& c, const Rung& rung) const {
  Case complete = c;
  std::erase_if(complete.params, [](const Parameter& p) { return p.name == additions_name; });
  const auto name_choice = [&](const char* name, const auto& names) {
    const auto number = static_cast<std::size_t>(complete.param(name, 0));
    if (number < std::size(names)) complete.set_param(name, static_cast<double>(number), names[number]);
  };
  name_choice("function", function_names);
  name_choice("rule", rule_names);
  if (rung.name == "simpson") complete.set_param("rule", 4, rule_names[4]);
  if (rung.name == "romberg") complete.set_param("rule", 5, rule_names[5]);
  // A peer keeps its order to itself: any order has fewer than n + 1 additions in a chain.
  const double additions =
      rung.peer_of.empty() ? longest_chain(rung, complete) : evaluations_of(complete) + 1;
  Parameter roundings{.name = additions_name, .value = additions, .of_rung = true};
  // Those that remove the roundings of additions leave two: of the sum and of its product with the width.
  if (rung.name == "compensated" || rung.name == "reproducible") roundings.value = 2;
  // What four exact sums leave: two joins, and an atomic per thread.
  if (rung.name == "unrolled" && four_sums_are_exact(complete))
    roundings.value = 2 + static_cast<double>((*complete.grid)[0]) * (*complete.block)[0];
  complete.params.push_back(roundings);
  return complete;
}

void RiemannProblem::configure(Case& c, const std::map<std::string, std::string>& given,
                               Replacements&) const {
  const auto choose = [&](const char* name, std::span<const char* const> choices) {
    const auto found = given.find(name);
    if (found == given.end()) return;
    const std::size_t choice = parse_choice(std::string("--") + name, found->second, choices);
    c.set_param(name, static_cast<double>(choice), choices[choice]);
  };
  const auto number = [&](const char* name) {
    const auto found = given.find(name);
    if (found == given.end()) return;
    const std::string& text = found->second;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      throw BadInput(fmt::format("--{} {} is not a finite number", name, text));
    c.set_param(name, value);
  };
  choose("rule", std::span(rule_names).first<rules_to_choose>());
  choose("function", function_names);
  number("from");
  number("to");
  std::erase_if(c.params, [&](const Parameter& p) { return p.name == "parameter"; });
  if (kind_of(c) == IntegrandKind::kinked) c.set_param("parameter", std::numbers::pi);
  if (kind_of(c) == IntegrandKind::constant) c.set_param("parameter", 0.1);
  if (given.contains("parameter") && !has_parameter(kind_of(c)))
    throw BadInput(fmt::format("--parameter does not go with --function {}, which has none",
                               function_names[static_cast<std::size_t>(kind_of(c))]));
  number("parameter");
  try {
    Case one = c;
    one.extent("n") = 1;
    check_case(one);
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());
  }
}

/// Sizes around blocks and vectors, each function and each rule.
std::vector<Case> cases_of_all() {
  using enum IntegrandKind;
  std::vector<Case> cases;
  const std::int64_t own = riemann_block;
  for (const DType dtype : {DType::f64, DType::f32}) {
    for (const std::int64_t n : std::initializer_list<std::int64_t>{1, 2, 3, 31, 32, 33, own - 1, own,
                                                                    own + 1, 997, 4 * own + 1, 20'011})
      cases.push_back(case_of(n, dtype));
    for (const IntegrandKind kind : {sin_square, kinked, root, linear, constant})
      for (const std::int64_t n : {7, 1000, 4099}) cases.push_back(case_of(n, dtype, kind));
    for (const QuadratureRule rule :
         {QuadratureRule::right, QuadratureRule::midpoint, QuadratureRule::trapezoid})
      for (const std::int64_t n : {1, 33, 1021}) {
        cases.push_back(case_of(n, dtype, exp_sin, rule));
        cases.push_back(case_of(n, dtype, linear, rule));
      }
    cases.push_back(case_of(20'011, dtype, exp_sin, QuadratureRule::trapezoid));  // of several blocks
    cases.push_back(case_of(100'003, dtype, constant));
    Case negative = case_of(515, dtype, kinked, QuadratureRule::midpoint);
    negative.set_param("from", -7.25);
    negative.set_param("to", -1.5);
    negative.set_param("parameter", -3);
    cases.push_back(negative);
    Case empty = case_of(100, dtype);
    empty.set_param("from", 2);
    empty.set_param("to", 2);
    cases.push_back(empty);
    Case zero = case_of(100, dtype, linear);  // no value is larger than 0
    zero.set_param("from", 0);
    zero.set_param("to", 0);
    cases.push_back(zero);
  }
  return cases;
}

/// Cases for one rung: its own block and grid, and what it promises beyond the others.
void add_cases_of(const Rung& rung, std::vector<Case>& cases) {
  using enum IntegrandKind;
  std::vector<unsigned> blocks = {32, 96, 1024};
  if (rung.name == "naive" || rung.name == "grid_stride" || rung.name == "unrolled") blocks = {1, 7, 1000};
  if (rung.takes_block)
    for (const unsigned block : blocks) {
      cases.push_back(case_of(5003, DType::f32, linear));
      cases.back().block = Extent3{block, 1, 1};
    }
  if (rung.takes_grid)
    for (const unsigned grid : {1u, 3u, 50u}) {
      cases.push_back(case_of(5003, DType::f64, sin_square));
      cases.back().grid = Extent3{grid, 1, 1};
    }
  if (rung.name == "unrolled") {  // each of the four sums is exact; a single one would round 8192 times
    cases.push_back(case_of(16'384, DType::f32, constant));
    cases.back().set_param("to", 16);
    cases.back().set_param("parameter", 1 + 0x1p-11);
    cases.back().grid = cases.back().block = Extent3{1, 1, 1};
  }
  if (rung.name == "compensated")  // long chains of additions, all of which round
    for (const unsigned block : {32u, 96u}) {
      cases.push_back(case_of(100'003, DType::f32, constant));
      cases.back().grid = Extent3{1, 1, 1};
      cases.back().block = Extent3{block, 1, 1};
    }
  if (rung.name == "reproducible")
    for (const DType dtype : {DType::f64, DType::f32})
      for (const IntegrandKind kind : {exp_sin, kinked, constant}) {
        cases.push_back(case_of(3001, dtype, kind, QuadratureRule::trapezoid));
        cases.back().set_param("shapes", 3);
        cases.back().set_param("same_bits", 1);
        cases.back().set_param("other_grid", 7);
        cases.back().set_param("other_block", 96);
      }
}

std::vector<Case> RiemannProblem::public_cases(const Rung& rung) const {
  std::vector<Case> cases = cases_of_all();
  add_cases_of(rung, cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].seed = 1000 + i;
    cases[i] = for_rung(cases[i], rung);
  }
  return cases;
}

std::vector<HostArray> RiemannProblem::expected(const Case& c, const std::vector<HostArray>&) const {
  const long double sum =
      reference::rule_sum(integrand_of(c), c.param("from", 0), c.param("to", 0), c.extent("n"), rule_of(c));
  std::vector<HostArray> out;
  for (const ArraySpec& spec : outputs(c)) out.emplace_back(spec.dtype, spec.shape);
  dispatch<float, double>(c.dtype, [&]<class T>() {
    for (T& value : out[0].as<T>()) value = static_cast<T>(sum);
  });
  return out;
}

// What the result errs by, against the integral: the rule's error plus that of the roundings.
std::vector<std::pair<std::string, double>> RiemannProblem::figures(
    const Case& c, const std::vector<HostArray>& outputs) const {
  const Integrand f = integrand_of(c);
  const double from = c.param("from", 0), to = c.param("to", 0);
  const long double exact = reference::integral(f, from, to),
                    sum = reference::rule_sum(f, from, to, c.extent("n"), rule_of(c));
  const double computed = dispatch<float, double>(
      c.dtype, [&]<class T>() { return static_cast<double>(outputs.at(0).as<T>()[0]); });
  return {{"evaluations", evaluations_of(c)},
          {"additions", c.param(additions_name, evaluations_of(c) + 1)},
          {"error", static_cast<double>(computed - exact)},
          {"rule error", static_cast<double>(sum - exact)},
          {"rounding error", static_cast<double>(computed - sum)}};
}

// The oracle is the rule's own sum, so what is left are roundings. With u = 2^-24 for float and 2^-53 for
// double, V a bound on the sum of the |f(x_i)| times the width, and M one on how far that sum moves when the
// points do, it errs by
//   - V ((1 + u)^k - 1) for a chain of k additions (.additions), with 3 more for the trapezoid rule's
//   ends, the product
//     with the width and the last rounding;
//   - V r u for the evaluations, r as documented for CUDA's exp and sin (an ulp is at most 2 u);
//   - M (u + 3 * 2^-53) for the points: each is computed in double, by to - from, an i + place and
//   multiply-adds that
//     are rounded, and then rounded to its type.
// The weights of simpson and romberg are below 2 widths, and add 2 roundings. The compensated sum's
// second-order term, n^2 u^2, and the words of reproducible, 2^-62 n of V, stay below u for all sizes that
// anyone runs; the oracle's own error is 2^-58 V. The last factor covers the rounding of this bound itself.
Tolerance RiemannProblem::tolerance(const Case& c, std::size_t i) const {
  if (i > 0) return {};
  const double u = c.dtype == DType::f32 ? 0x1p-24 : 0x1p-53;
  const Bounds bounds = bounds_of(c);
  const bool weighted = rule_of(c) == QuadratureRule::simpson || rule_of(c) == QuadratureRule::romberg;
  const double roundings = c.param(additions_name, evaluations_of(c) + 1) + (weighted ? 5 : 3);
  const double chain = std::expm1(roundings * std::log1p(u));
  const double atol =
      bounds.values * (chain + bounds.roundings * u + 0x1p-57) + bounds.moved * (u + 3 * 0x1p-53);
  return {.atol = (weighted ? 2 : 1) * atol * (1 + 0x1p-20), .rtol = 0};
}

const ProblemRegistration<RiemannProblem> registration;

}  // namespace
}  // namespace warplab
