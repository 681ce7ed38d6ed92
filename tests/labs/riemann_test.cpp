// Lab 10: what its rungs promise beyond matching the reference: literals, counts of atomics and evaluations,
// the same bits for every grid, refusals, bad input, and the figures that it reports.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/testing/test_support.hpp"
#include "labs/10_riemann/riemann_shape.hpp"
#include "tests/common/command.hpp"

namespace warplab {
namespace {

const Problem& problem() { return problem_of("riemann"); }

enum Function { exp_sin, sin_square, kinked, root, linear, constant, counted };
enum Rule { left, right, midpoint, trapezoid };

struct Asked {
  Function function = exp_sin;
  double from = 0, to = 10;
  Rule rule = left;
  double parameter = 0;
};

Case case_of(std::int64_t n, Asked asked = {}, DType dtype = DType::f64) {
  Case c = problem().default_case(Backend::emulator);
  c.size = {{"n", n}};
  c.dtype = dtype;
  c.set_param("function", asked.function);
  c.set_param("from", asked.from);
  c.set_param("to", asked.to);
  c.set_param("rule", asked.rule);
  c.set_param("parameter", asked.parameter);
  return c;
}

Case launched_by(Case c, unsigned grid, unsigned block) {
  c.grid = Extent3{grid, 1, 1};
  c.block = Extent3{block, 1, 1};
  return c;
}

/// The rungs that are ours, and the peers where they were built.
std::vector<Rung> built_rungs() {
  std::vector<Rung> rungs = problem().rungs();
  std::erase_if(rungs, [](const Rung& rung) {
    return !rung.peer_of.empty() && !std::filesystem::exists(module_path("riemann", rung.name));
  });
  return rungs;
}

/// Calls a rung in this process.
template <class T>
T sum_of(const std::string& rung, Case c, std::size_t workspace_bytes = 1 << 20) {
  c.dtype = dtype_of<T>();
  const DeviceBuffer in(2 * sizeof(double)), out(sizeof(T)), workspace(workspace_bytes);
  Call call;
  call.problem_case = c;
  call.inputs = {{DType::f64, 2, in.data()}};
  call.outputs = {{dtype_of<T>(), 1, out.data()}};
  call.workspace = workspace.data();
  call.workspace_bytes = workspace_bytes;
  RungModule(module_path("riemann", rung)).call(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  T result;
  CUDA_CHECK(cudaMemcpy(&result, out.data(), sizeof result, cudaMemcpyDeviceToHost));
  for (const DeviceBuffer* b : {&in, &out, &workspace}) EXPECT_EQ(b->check_guards(), std::nullopt);
  return result;
}

/// What the rung says to this case; "" if it takes it.
std::string refusal(const std::string& rung, const Case& c, std::size_t workspace_bytes = 1 << 20) {
  try {
    sum_of<double>(rung, c, workspace_bytes);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

bool is_of_higher_order(const Rung& rung) { return rung.name == "simpson" || rung.name == "romberg"; }

// ---- literals

TEST(Riemann, EveryRungSumsALineByHand) {
  // f(x) = x on [0, 4] with 4 intervals: left 0 + 1 + 2 + 3, right 1 + 2 + 3 + 4, all others exact.
  const std::map<Rule, double> expected = {{left, 6}, {right, 10}, {midpoint, 8}, {trapezoid, 8}};
  for (const Rung& rung : built_rungs())
    for (const auto& [rule, value] : expected) {
      const Case c = case_of(4, {linear, 0, 4, rule});
      const double wanted = is_of_higher_order(rung) ? 8 : value;
      EXPECT_NEAR(sum_of<double>(rung.name, c), wanted, 1e-14) << rung.name << ", rule " << rule;
      EXPECT_NEAR(sum_of<float>(rung.name, c), wanted, 1e-5) << rung.name << ", rule " << rule;
    }
}

TEST(Riemann, OneIntervalIsOneValue) {
  for (const Rung& rung : built_rungs()) {
    if (is_of_higher_order(rung)) continue;
    EXPECT_EQ(sum_of<double>(rung.name, case_of(1, {kinked, 0, 4, left, 3})), 12) << rung.name;
    EXPECT_EQ(sum_of<double>(rung.name, case_of(1, {kinked, 0, 4, right, 3})), 4) << rung.name;
    EXPECT_EQ(sum_of<double>(rung.name, case_of(1, {kinked, 0, 4, midpoint, 3})), 4) << rung.name;
    EXPECT_EQ(sum_of<double>(rung.name, case_of(1, {kinked, 0, 4, trapezoid, 3})), 8) << rung.name;
  }
}

TEST(RiemannSimpson, IsExactForALine) {
  for (const std::int64_t n : {1, 2, 3, 1000})
    EXPECT_NEAR(sum_of<double>("simpson", case_of(n, {linear, -1, 3})), 4, 1e-14) << n;
  // (sqrt 0 + 4 sqrt 1/2 + sqrt 1) / 6
  EXPECT_NEAR(sum_of<double>("simpson", case_of(1, {root, 0, 1})), (4 * std::sqrt(0.5) + 1) / 6, 1e-15);
}

// ---- what each rung adds to the one before

/// What the lens counts in the rung's own kernel, in atomic operations; nothing on a GPU.
std::optional<std::uint64_t> atomics_of(const std::string& rung, const Case& c) {
  for (const lens::Launch& launch :
       record_rung(problem(), rung_of(problem(), rung), problem().for_rung(c, rung_of(problem(), rung))))
    if (launch.kernel.find("riemann_" + rung + "_kernel") != std::string::npos)
      return launch.counts.global_atomics.lanes;
  return std::nullopt;
}

/// How often a rung evaluates its integrand, by one that counts its calls.
std::optional<std::uint64_t> evaluations_of(const std::string& rung, std::int64_t n) {
  const auto of_sum = atomics_of(rung, case_of(n, {linear})),
             of_both = atomics_of(rung, case_of(n, {counted}));
  return of_sum ? std::optional(*of_both - *of_sum) : std::nullopt;
}

constexpr const char* only_on_the_emulator = "the lens counts on the emulator";

TEST(RiemannNaive, SendsOneAtomicPerInterval) {
  const auto atomics = atomics_of("naive", case_of(5003));
  if (!atomics) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*atomics, 5003u);
}

TEST(RiemannGridStride, SendsOneAtomicPerThread) {
  const auto atomics = atomics_of("grid_stride", launched_by(case_of(5003), 7, 96));
  if (!atomics) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*atomics, 7u * 96);
}

TEST(RiemannUnrolled, FourSumsOfAConstantAreExact) {
  // 16,384 values of 1 + 2^-11 by one thread: 4096 of them fit 24 bits, 16,384 do not.
  const Case c = launched_by(case_of(16'384, {constant, 0, 16, left, 1 + 0x1p-11}), 1, 1);
  EXPECT_EQ(sum_of<float>("unrolled", c), 16 * (1 + 0x1p-11f));
  EXPECT_GT(std::fabs(sum_of<float>("grid_stride", c) - 16 * (1 + 0x1p-11f)), 1e-3f) << "a single sum rounds";
}

TEST(RiemannWarp, SendsOneAtomicPerWarp) {
  const auto atomics = atomics_of("warp", launched_by(case_of(5003), 7, 96));
  if (!atomics) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*atomics, 7u * 3);
}

TEST(RiemannShared, SendsOneAtomicPerBlock) {
  const auto atomics = atomics_of("shared", launched_by(case_of(5003), 7, 96));
  if (!atomics) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*atomics, 7u);
}

TEST(Riemann, EveryRungEvaluatesEachIntervalOnce) {
  for (const Rung& rung : problem().rungs()) {
    if (is_of_higher_order(rung) || !rung.peer_of.empty()) continue;
    const auto evaluations = evaluations_of(rung.name, 5003);
    if (!evaluations) GTEST_SKIP() << only_on_the_emulator;
    EXPECT_EQ(*evaluations, 5003u) << rung.name;
  }
}

TEST(RiemannSimpson, NeedsTwoEvaluationsPerInterval) {
  const auto evaluations = evaluations_of("simpson", 5003);
  if (!evaluations) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*evaluations, 2u * 5003 + 1);
}

TEST(RiemannRomberg, NeedsSixteenEvaluationsPerInterval) {
  const auto evaluations = evaluations_of("romberg", 503);
  if (!evaluations) GTEST_SKIP() << only_on_the_emulator;
  EXPECT_EQ(*evaluations, 16u * 503 + 1);
}

TEST(RiemannCompensated, LosesNothingOfAConstant) {
  // 0.1f is not a sum of few powers of 2: each of 100,003 additions rounds.
  const Case c = launched_by(case_of(100'003, {constant, 0, 10, left, 0.1}), 1, 32);
  const float exact = 10 * 0.1f;
  EXPECT_EQ(sum_of<float>("compensated", c), exact);
  EXPECT_GT(std::fabs(sum_of<float>("grid_stride", c) - exact), 4e-7f) << "a plain sum of floats errs";
}

TEST(RiemannReproducible, GivesTheSameBitsForEveryGridAndBlock) {
  const auto check = []<class T>(T) {
    for (const Function function : {exp_sin, sin_square, constant}) {
      const Case c = case_of(20'011, {function, 0, 10, trapezoid, 0.1}, dtype_of<T>());
      const T first = sum_of<T>("reproducible", c);
      for (const auto& [grid, block] : {std::pair{1u, 32u}, {1u, 1024u}, {13u, 96u}, {300u, 256u}}) {
        const T again = sum_of<T>("reproducible", launched_by(c, grid, block));
        EXPECT_EQ(std::memcmp(&first, &again, sizeof(T)), 0)
            << "function " << function << ", grid " << grid << ", block " << block << ": " << first << " and "
            << again;
      }
    }
  };
  check(float());
  check(double());
}

TEST(RiemannShared, GivesOtherBitsForOtherGrids) {
  std::set<float> sums;
  for (const unsigned grid : {1u, 13u, 50u, 200u})
    sums.insert(sum_of<float>("shared", launched_by(case_of(20'011), grid, 96)));
  EXPECT_GT(sums.size(), 1u) << "then nobody needs reproducible";
}

// ---- the lens

TEST(RiemannLens, FindsNothingWrongWithAnyRung) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.peer_of.empty()) continue;
    for (const Case& c :
         {case_of(5003), case_of(1021, {root, 0, 3, trapezoid}, DType::f32), case_of(1, {counted})})
      for (const lens::Launch& launch : record_rung(problem(), rung, problem().for_rung(c, rung)))
        for (const lens::Finding& finding : launch.findings)
          ADD_FAILURE() << rung.name << ": " << name_of(finding.kind) << " at " << finding.file << ":"
                        << finding.line << ": " << finding.text;
  }
}

// ---- what is refused

TEST(Riemann, EveryRungRefusesWhatHasNoSum) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Rung& rung : built_rungs()) {
    EXPECT_EQ(refusal(rung.name, case_of(0)), "n is 0; a sum needs 1 interval or more") << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(-5)), "n is -5; a sum needs 1 interval or more") << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(5, {exp_sin, 3, 2})), "the interval from 3 to 2 is reversed")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(5, {exp_sin, 0, infinity})),
              "the interval from 0 to inf: its ends must lie between -50 and 50")
        << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(5, {root, -1, 2})),
              "the integrand has no values below 0; the interval begins at -1")
        << rung.name;
    EXPECT_NE(refusal(rung.name, case_of((std::int64_t{1} << 52) + 1)), "") << rung.name;
    EXPECT_EQ(refusal(rung.name, case_of(5, {exp_sin, 2, 2})), "") << rung.name;
  }
  EXPECT_THROW(problem().inputs(case_of(0)), std::invalid_argument);
  EXPECT_THROW(problem().inputs(case_of(5, {exp_sin, 3, 2})), std::invalid_argument);
}

TEST(Riemann, EveryRungRefusesBlocksThatItCannotUse) {
  for (const Rung& rung : problem().rungs()) {
    if (!rung.takes_block) continue;
    Case c = case_of(5);
    c.block = Extent3{2048, 1, 1};
    EXPECT_EQ(refusal(rung.name, c),
              "a block of 2048 is too large: CUDA allows 1024 threads in all, and 64 in z")
        << rung.name;
    c.block = Extent3{100, 1, 1};
    const bool any = rung.name == "naive" || rung.name == "grid_stride" || rung.name == "unrolled";
    EXPECT_EQ(refusal(rung.name, c).empty(), any) << rung.name;
  }
}

TEST(Riemann, RefusesAWorkspaceThatIsTooSmall) {
  const Case c = launched_by(case_of(500), 100, 32);
  for (const char* rung : {"compensated", "reproducible"}) {
    EXPECT_EQ(refusal(rung, c, riemann_reserved_bytes + riemann_workspace(100)), "") << rung;
    EXPECT_EQ(refusal(rung, c, riemann_reserved_bytes + 1599),
              "a workspace of 1599 bytes is too small: this launch needs 1600")
        << rung;
  }
}

// ---- the program

house::Outcome program(const std::string& arguments) {
  return house::run("'" WARPLAB_BINARY_DIR "/bin/riemann' " + arguments);
}

TEST(RiemannProgram, AnswersBadInputWithASentenceAndCode2) {
  const std::pair<const char*, const char*> bad[] = {
      {"--from 3 --to 2", "the interval from 3 to 2 is reversed"},
      {"--to inf", "--to inf is not a finite number"},
      {"--to nan", "--to nan is not a finite number"},
      {"--to 1e99", "the interval from 0 to 1e+99: its ends must lie between -50 and 50"},
      {"--from ten", "--from ten is not a finite number"},
      {"--size 0", "--size 0 (double): n is 0; a sum needs 1 interval or more"},
      {"--size=-3", "--size -3 is out of range"},
      {"--rule simson", "--rule simson is unknown"},
      {"--function exp_sine", "--function exp_sine is unknown; did you mean exp_sin?"},
      {"--function root --from -1", "the integrand has no values below 0; the interval begins at -1"},
      {"--parameter 3", "--parameter does not go with --function exp_sin, which has none"},
      {"--input x.npy", "a Riemann sum reads no array"}};
  for (const auto& [arguments, sentence] : bad) {
    const auto [code, output] = program(arguments);
    EXPECT_EQ(code, 2) << arguments << "\n" << output;
    EXPECT_NE(output.find(sentence), std::string::npos) << arguments << "\n" << output;
    EXPECT_TRUE(output.starts_with("riemann: ")) << "before the table begins\n" << output;
  }
}

// ---- the problem

TEST(RiemannProblem, ReportsTheRulesErrorBesideTheRoundings) {
  const Case c = problem().for_rung(case_of(1000), rung_of(problem(), "shared"));
  const RungOutcome outcome = run_rung(problem(), rung_of(problem(), "shared"), c);
  ASSERT_TRUE(outcome.accepted()) << outcome.why;
  std::map<std::string, double> figures;
  for (const auto& [name, value] : problem().figures(c, outcome.outputs)) figures[name] = value;
  EXPECT_EQ(figures.at("evaluations"), 1000);
  EXPECT_EQ(figures.at("additions"), c.param(".additions", 0));
  ASSERT_TRUE(figures.contains("rule error") && figures.contains("rounding error"));
  EXPECT_NEAR(figures.at("rule error"), 59.66, 0.01);  // about -width (f(10) - f(0)) / 2
  EXPECT_NEAR(figures.at("error"), figures.at("rule error") + figures.at("rounding error"), 1e-12);
  EXPECT_LT(std::fabs(figures.at("rounding error")), 1e-10);
}

TEST(RiemannProblem, ToleratesTheRoundingsOfARungAndNotTheRulesError) {
  const auto bound = [](const std::string& rung, const Case& c) {
    return problem().tolerance(problem().for_rung(c, rung_of(problem(), rung)), 0).atol;
  };
  const Case of_constant = case_of(100'000, {constant, 0, 10, left, 0.1}, DType::f32);
  EXPECT_LT(bound("compensated", of_constant), 6 * 0x1p-24);
  EXPECT_NEAR(bound("naive", of_constant), 1e5 * 0x1p-24, 1e-3 * 1e5 * 0x1p-24 + 4e-5);
  EXPECT_LT(bound("shared", of_constant), 60 * 0x1p-24);
  EXPECT_LT(bound("shared", case_of(100'000)), 1e-9);  // the rule's error is 0.6
}

TEST(RiemannProblem, ACountBeyond32BitsHasBlocksAndATolerance) {
  constexpr std::int64_t n = (std::int64_t{1} << 33) + 1;
  for (const Rung& rung : problem().rungs()) {
    const Case c = problem().for_rung(case_of(n), rung);
    EXPECT_TRUE(std::isfinite(problem().tolerance(c, 0).atol)) << rung.name;
    EXPECT_NEAR(problem().expected(c, {})[0].as<double>()[0], 3249.958972, 1e-4) << rung.name;
  }
  EXPECT_EQ(riemann_blocks(n, 256, 1056), 1056);
  EXPECT_EQ(riemann_blocks(n, 256, 1 << 20), riemann_max_blocks);
  EXPECT_EQ(riemann_blocks(1, 256, 1056), 1);
}

TEST(RiemannProblem, ReplaysTheReportsFiveKernels) {
  std::vector<std::string> rungs;
  for (const Experiment& row : problem().experiments()) {
    EXPECT_NE(problem().find_rung(row.rung), nullptr) << row.rung;
    EXPECT_TRUE(row.published.empty()) << "the figure has no numbers";
    EXPECT_NE(row.note, "") << row.label;
    rungs.push_back(row.rung);
  }
  EXPECT_EQ(rungs, (std::vector<std::string>{"naive", "grid_stride", "unrolled", "warp", "shared"}));
}

TEST(RiemannProblem, PublicCasesReachEveryIntegrandRuleAndAwkwardSize) {
  for (const Rung& rung : problem().rungs()) {
    std::set<std::pair<double, DType>> functions;
    std::set<double> rules;
    std::set<std::int64_t> sizes;
    for (const Case& c : problem().public_cases(rung)) {
      functions.insert({c.param("function", -1), c.dtype});
      rules.insert(c.param("rule", -1));
      sizes.insert(c.extent("n"));
    }
    EXPECT_EQ(functions.size(), 12u) << rung.name;
    EXPECT_EQ(rules.size(), is_of_higher_order(rung) ? 1u : 4u) << rung.name;
    for (const std::int64_t n : {1, 31, 32, 33, 997, 100'003})
      EXPECT_TRUE(sizes.contains(n)) << rung.name << " is not tried at " << n;
  }
}

}  // namespace
}  // namespace warplab

WARPLAB_LAB_TESTS(riemann);
