// The problem of the lab "mischief": the output is a copy of the input.
#include <algorithm>

#include "common/host/poison.hpp"
#include "common/host/random.hpp"
#include "harness/console/flag_values.hpp"
#include "harness/problem/problem.hpp"
#include "harness/problem/problem_command_line.hpp"

namespace warplab {
namespace {

class MischiefProblem : public Problem, public ProblemCommandLine {
 public:
  std::string lab() const override { return "mischief"; }
  std::string title() const override { return "Mischief: what rungs can do wrong"; }
  const std::vector<Rung>& rungs() const override {
    static const std::vector<Rung> table = [] {
      std::vector<Rung> rungs;
      for (const char* name : {"copies",           "keeps",          "silent",    "wrong",
                               "crashes",          "loops",          "exits",     "throws",
                               "throws_int",       "todo",           "refuses",   "changes_inputs",
                               "writes_past_end",  "writes_before",  "prints",    "unchecked",
                               "nonsense",         "leaves_a_child", "races",     "looks_past_end",
                               "reads_its_output", "no_entry",       "not_built", "elsewhere"})
        rungs.push_back({name,
                         std::string("what a rung does that ") + name,
                         name == std::string_view("todo") ? Rung::Access::task : Rung::Access::given,
                         {DType::f32, DType::f64}});
      rungs.front().takes_block = true;
      rungs.back().needs = "sm_1a";
      rungs.push_back({"a_library", "what a library does", Rung::Access::given, {DType::f32}});
      rungs.back().peer_of = "Mischief Plus";
      return rungs;
    }();
    return table;
  }
  std::vector<std::string> size_names() const override { return {"n"}; }
  Case default_case(Backend) const override { return with(1000, DType::f32); }
  std::vector<Case> public_cases(const Rung&) const override {
    return {with(0, DType::f32), with(33, DType::f64), with(1000, DType::f32)};
  }
  std::vector<Experiment> experiments() const override {
    return {{"table 1", "2", "copies", with(64, DType::f32), {{"titan_x_ms", 0.5}}, "as printed"},
            {"table 2", "3", "copies", with(std::int64_t{1} << 50, DType::f32), {{"titan_x_ms", 9}}}};
  }
  const ProblemCommandLine& command_line() const override { return *this; }
  std::vector<LabOption> lab_options() const override {
    return {{"keep", "How many elements of the output are to be left as they are"}};
  }
  void configure(Case& c, const std::map<std::string, std::string>& given, Replacements&) const override {
    if (const auto keep = given.find("keep"); keep != given.end())
      c.set_param("keep", static_cast<double>(parse_number("--keep", keep->second, 0, c.extent("n"))),
                  keep->second + " elements");
  }
  std::optional<HostArray> initial_output(const Case& c, const std::vector<HostArray>&,
                                          std::size_t) const override {
    if (c.param("keep", 0) == 0) return std::nullopt;
    HostArray before(c.dtype, {c.extent("n")});
    fill_poison(before.bytes());
    keep_sevens(c, before);
    return before;
  }
  std::vector<HostArray> inputs(const Case& c) const override {
    if (c.extent("n") == 13) throw std::invalid_argument("13 is unlucky");
    HostArray x(c.dtype, {c.extent("n")});
    fill_random(x, c.seed);
    return {std::move(x)};
  }
  std::vector<ArraySpec> outputs(const Case& c) const override { return {{c.dtype, {c.extent("n")}}}; }
  std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const override {
    std::vector<HostArray> outputs = inputs;
    keep_sevens(c, outputs[0]);
    return outputs;
  }
  Tolerance tolerance(const Case&, std::size_t) const override { return {}; }
  Cost cost(const Case& c) const override {
    return {2.0 * static_cast<double>(c.extent("n")) * static_cast<double>(size_of(c.dtype)), 0};
  }

 private:
  /// What is in the elements that are left as they are.
  static void keep_sevens(const Case& c, HostArray& array) {
    const auto kept = static_cast<std::size_t>(c.param("keep", 0));
    dispatch<float, double>(array.dtype(),
                            [&]<class T>() { std::fill_n(array.as<T>().begin(), kept, T{7}); });
  }
  static Case with(std::int64_t n, DType dtype) {
    Case c;
    c.size = {{"n", n}};
    c.dtype = dtype;
    return c;
  }
};

const ProblemRegistration<MischiefProblem> registration;

}  // namespace
}  // namespace warplab
