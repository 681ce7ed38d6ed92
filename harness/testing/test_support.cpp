#include "harness/testing/test_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>

#include "harness/console/case_text.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/build_tree.hpp"
#include "harness/worker/worker_client.hpp"

namespace warplab {
namespace {

WorkerClient& worker_for(const std::string& lab, const std::string& rung) {
  static std::map<std::string, std::unique_ptr<WorkerClient>> workers;
  std::unique_ptr<WorkerClient>& worker = workers[lab + "/" + rung];
  if (!worker)
    worker = std::make_unique<WorkerClient>(module_path(lab, rung), WorkerOptions{worker_path(), 60, {}});
  return *worker;
}

constexpr std::uint64_t every_block = 0;  // for the lens

/// A test whose body is a function, for registration at run time.
class FunctionTest : public ::testing::Test {
 public:
  explicit FunctionTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

/// Ends the test where the rung cannot be judged. @return whether it was ended
bool ended_early(const Rung& rung, const RungOutcome& outcome) {
  if (outcome.status == RungStatus::unavailable) {
    [&] { GTEST_SKIP() << outcome.why; }();
    return true;
  }
  if (outcome.status == RungStatus::todo) {
    // One that is given may call one that is not, as `auto` does.
    if (rung.access == Rung::Access::given)
      [&] { GTEST_SKIP() << "it needs a rung that is to do: " << outcome.why; }();
    else
      ADD_FAILURE() << "to do: " << outcome.why;
    return true;
  }
  return false;
}

/// Whether a library says that it cannot do a size, which is not a mistake.
bool is_beyond_peer(const Rung& rung, const RungOutcome& outcome) {
  return !rung.peer_of.empty() && outcome.status == RungStatus::refused && !outcome.why.empty();
}

double size_of(const Case& c) {
  double size = 1;
  for (const auto& [name, extent] : c.size) size *= static_cast<double>(extent);
  return size;
}

/// Why a rung cannot run on this device for elements of this type; "" if it can. Asked without the rung's
/// module: where a rung cannot run, it may not have been built.
std::string lacking_here(const Rung& rung, DType dtype) {
  if (rung.needs.empty() && !rung.needs_for.contains(dtype)) return "";
  static const DeviceInfo device = WorkerClient({}, WorkerOptions{worker_path(), 60, {}}).device();
  return what_is_lacking(rung, dtype, device);
}

/// The rung's public cases, without types that need more than this device has where others do not.
std::vector<Case> cases_of_this_device(const Problem& problem, const Rung& rung) {
  std::vector<Case> cases = problem.public_cases(rung);
  std::erase_if(cases, [&rung](const Case& c) {
    return rung.needs_for.contains(c.dtype) && !lacking_here(rung, c.dtype).empty();
  });
  return cases;
}

/// The same. Under a tool that makes kernels a hundred times slower, WARPLAB_LARGEST_CASE leaves out those
/// whose extents multiply to more.
std::vector<Case> tested_cases(const Problem& problem, const Rung& rung) {
  std::vector<Case> cases = cases_of_this_device(problem, rung);
  if (const char* const largest = std::getenv("WARPLAB_LARGEST_CASE"))
    std::erase_if(cases, [most = std::atof(largest)](const Case& c) { return size_of(c) > most; });
  return cases;
}

void matches_reference_at_every_size(const Problem& problem, const Rung& rung) {
  const std::vector<Case> cases = tested_cases(problem, rung);
  ASSERT_FALSE(cases.empty()) << problem.lab() << " has no public cases for " << rung.name;
  std::size_t refused = 0;
  for (const Case& c : cases) {
    const RungOutcome outcome = run_rung(problem, rung, c);
    if (ended_early(rung, outcome)) return;
    if (is_beyond_peer(rung, outcome)) {
      ++refused;
      continue;
    }
    const bool equal =
        !outcome.comparisons.empty() && std::all_of(outcome.comparisons.begin(), outcome.comparisons.end(),
                                                    [](const Comparison& x) { return x.accepted; });
    // A rung that changed its inputs fails the test of that name, not this one.
    EXPECT_TRUE(outcome.accepted() || (outcome.inputs_changed && equal))
        << case_text(c) << ": " << name_of(outcome.status) << ": " << outcome.why;
    if (::testing::Test::HasFailure()) return;  // the first size that goes wrong says most
  }
  EXPECT_LT(refused, cases.size()) << rung.name << " refuses every size";
}

void leaves_inputs_unchanged(const Problem& problem, const Rung& rung) {
  for (const Case& c : cases_of_this_device(problem, rung)) {
    const RungOutcome outcome = run_rung(problem, rung, c);
    if (ended_early(rung, outcome)) return;
    ASSERT_FALSE(outcome.inputs_changed) << case_text(c) << ": " << outcome.why;
    if (is_beyond_peer(rung, outcome)) continue;
    ASSERT_FALSE(outcome.comparisons.empty()) << case_text(c) << " did not run: " << outcome.why;
  }
}

std::string camel_case(const std::string& words) {
  std::string text;
  bool start = true;
  for (char c : words) {
    if (c == '_')
      start = true;
    else
      text +=
          std::exchange(start, false) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
  }
  return text;
}

}  // namespace

const Problem& problem_of(const std::string& lab) {
  const auto found = problem_registry().find(lab);
  if (found == problem_registry().end())
    throw std::invalid_argument("no problem called " + lab + " is linked into this program");
  return *found->second;
}

const Rung& rung_of(const Problem& problem, const std::string& rung) {
  const Rung* const found = problem.find_rung(rung);
  if (!found) throw std::invalid_argument(problem.lab() + " has no rung called " + rung);
  return *found;
}

std::string suite_name(const std::string& lab, const std::string& rung) {
  return camel_case(lab) + camel_case(rung);
}

RungOutcome run_rung(const Problem& problem, const Rung& rung, const Case& c) {
  std::vector<HostArray> inputs = problem.inputs(c);
  const std::vector<HostArray> expected = problem.expected(c, inputs);
  return run_rung(problem, rung, c, std::move(inputs), expected);
}

std::vector<lens::Launch> record_rung(const Problem& problem, const Rung& rung, const Case& c) {
  if (backend == Backend::cuda) return {};
  std::vector<HostArray> inputs = problem.inputs(c);
  const std::vector<HostArray> expected = problem.expected(c, inputs);
  RungOutcome outcome = run_rung(problem, rung, c, std::move(inputs), expected, every_block);
  EXPECT_TRUE(outcome.accepted()) << rung.name << " at " << case_text(c) << ": " << outcome.why;
  return std::move(outcome.lens).value_or(std::vector<lens::Launch>());
}

RungOutcome run_rung(const Problem& problem, const Rung& rung, const Case& c, std::vector<HostArray> inputs,
                     const std::vector<HostArray>& expected, std::optional<std::uint64_t> lens_blocks) {
  RungOutcome outcome;
  outcome.inputs = std::move(inputs);
  outcome.why = lacking_here(rung, c.dtype);
  outcome.status = RungStatus::unavailable;
  if (!outcome.why.empty()) return outcome;
  FreshOutputs outputs = fresh_outputs(problem, c, outcome.inputs);
  RungRequest request = request_for(problem, rung, c, outcome.inputs, outputs);
  request.lens_blocks = lens_blocks;
  const RungReply reply = worker_for(problem.lab(), rung.name).run(request);
  outcome.outputs = std::move(outputs.arrays);
  outcome.status = reply.status;
  outcome.why = reply.why;
  outcome.inputs_changed = reply.inputs_changed;
  outcome.counts = reply.counts;
  outcome.lens = reply.lens;
  if (reply.status != RungStatus::ok && !reply.inputs_changed) return outcome;
  for (std::size_t i = 0; i < outcome.outputs.size(); ++i) {
    outcome.comparisons.push_back(problem.check(c, outcome.inputs, expected, i, outcome.outputs[i]));
    if (outcome.comparisons.back().accepted) continue;
    outcome.status = RungStatus::failed;
    outcome.why += (outcome.why.empty() ? "" : "\n") + outcome.comparisons.back().report;
  }
  return outcome;
}

void register_lab_tests(const std::string& lab) {
  const Problem& problem = problem_of(lab);
  using Body = void (*)(const Problem&, const Rung&);
  for (const Rung& rung : problem.rungs()) {
    if (!rung.peer_of.empty() && !std::filesystem::exists(module_path(lab, rung.name))) continue;
    for (const auto& [name, body] :
         {std::pair<const char*, Body>{"MatchesReferenceAtEverySize", matches_reference_at_every_size},
          {"LeavesInputsUnchanged", leaves_inputs_unchanged}})
      ::testing::RegisterTest(suite_name(lab, rung.name).c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                              [&problem, &rung, body = body]() -> ::testing::Test* {
                                return new FunctionTest([&problem, &rung, body] { body(problem, rung); });
                              });
  }
}

}  // namespace warplab
