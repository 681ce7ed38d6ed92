#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/host/case.hpp"
#include "common/host/compare.hpp"
#include "common/host/host_array.hpp"
#include "harness/rung/rung.hpp"
#include "harness/rung/rung_request.hpp"

namespace warplab {

class ProblemCommandLine;

/// The least work that the problem compels, whatever the strategy.
struct Cost {
  double bytes = 0;  ///< device memory that must be read plus written
  double flops = 0;  ///< floating-point (or integer) operations
  /// The type that they are done in, where it is not the case's: f16 stands for matrix products of halves.
  std::optional<DType> arithmetic = std::nullopt;
};

/// A kernel of the lab's own that does a case's operations and nothing else. It bounds the rungs where
/// neither a copy nor multiply-adds do. Its module is built like a rung's, but it is not one: nobody checks
/// its outputs.
struct OwnCeiling {
  std::string module;  ///< "ceiling": the file is `<lab>_ceiling.cu`
  std::string what;    ///< "the same evaluations, kept in registers"
  Case problem_case;   ///< what it runs; cost() of this case has its operations
};

/// Type and shape of one output.
struct ArraySpec {
  DType dtype;
  std::vector<std::int64_t> shape;
};

/// The parameters of a launcher that are arrays: {{"a", "b"}, {"c"}}.
struct ArrayNames {
  std::vector<std::string> inputs, outputs;
};

/// One row of a published table, to be replayed by `--suite published`: see published_rows.hpp.
struct Experiment {
  std::string table;  ///< "004 table 2"
  std::string label;  ///< "5"
  std::string rung;   ///< the rung that does what the report's kernel did
  Case problem_case;
  std::map<std::string, double> published;  ///< named with units: {"titan_x_ms", 0.06}
  std::string note = {};                    ///< what was corrected, or why a figure differs
};

/// A lab's problem: everything about a lab but its kernels and its command line. Host code; never in a
/// worker.
class Problem {
 public:
  virtual ~Problem() = default;

  virtual std::string lab() const = 0;    ///< the stem: "transpose"
  virtual std::string title() const = 0;  ///< "Matrix transpose: coalescing, tiles and bank conflicts"
  /// The table of rungs, in the order of the ladder.
  virtual const std::vector<Rung>& rungs() const = 0;
  virtual std::vector<std::string> size_names() const = 0;  ///< in the order of --size: {"rows", "cols"}

  /// What the program runs without --size, small enough for the backend.
  virtual Case default_case(Backend backend) const = 0;
  /// All the sizes that it then runs, small to large; one that is too large for the machine becomes a row
  /// that says so.
  virtual std::vector<Case> default_cases(Backend where) const { return {default_case(where)}; }
  /// Whether a program that was asked for no rung in particular runs this one at one of its own cases: not
  /// where that takes long and shows nothing that another of them does not.
  virtual bool runs_by_itself(const Case&, const Rung&) const { return true; }
  /// `c` as one rung needs it. Labs whose rungs solve different parts add the parameter that says which;
  /// whoever makes a case of its own (program, tests, grader) passes it through here before using it.
  virtual Case for_rung(const Case& c, const Rung&) const { return c; }
  /// The visible test cases for one rung: awkward sizes and every element type that it supports.
  virtual std::vector<Case> public_cases(const Rung& rung) const = 0;
  /// The published rows that `--suite published` replays: those of the lab's published.json.
  /// @throws BadInput where that file is wrong
  virtual std::vector<Experiment> experiments() const;
  /// Many cases for `--suite sweep`, each run by every rung that takes its type and, where it has one, its
  /// block: how performance follows the shape.
  virtual std::vector<Case> sweep() const { return {}; }

  /// Seeded inputs, never constant. @throws std::invalid_argument for a case that the problem does not allow.
  virtual std::vector<HostArray> inputs(const Case& c) const = 0;
  /// Shapes and types of what a launcher writes.
  virtual std::vector<ArraySpec> outputs(const Case& c) const = 0;
  /// What launchers call these arrays, for reports. Arrays without a name are numbered.
  virtual ArrayNames array_names() const { return {}; }
  /// What output `i` holds before a call, for a lab whose launchers leave part of it untouched; nothing:
  /// only poison. What a launcher must write should be poison here too.
  virtual std::optional<HostArray> initial_output(const Case&, const std::vector<HostArray>& /*inputs*/,
                                                  std::size_t /*i*/) const {
    return std::nullopt;
  }
  /// The oracle's outputs, or what check() wants instead; floating point accumulates in double.
  virtual std::vector<HostArray> expected(const Case& c, const std::vector<HostArray>& inputs) const = 0;
  /// The bound on |x - expected| for output `i`, with its derivation in a comment.
  virtual Tolerance tolerance(const Case& c, std::size_t i) const = 0;
  /// Whether output `i` of a call is right, given what expected() returned: element by element within
  /// tolerance(). A problem overrides this where it has a closer bound for these inputs, or where expected()
  /// returns something smaller than the outputs, from which a large output can be checked.
  virtual Comparison check(const Case& c, const std::vector<HostArray>& inputs,
                           const std::vector<HostArray>& expected, std::size_t i,
                           const HostArray& actual) const;
  /// Why a rung that came this close is not to be used at this case, or "": for one whose arithmetic loses
  /// more with size than anyone would accept, though its tolerance, which is derived from that arithmetic,
  /// says that it works as it should. It becomes a row with its error and without a time.
  virtual std::string shortfall(const Case&, const Rung&, double /*max_abs_error*/) const { return {}; }
  /// Bytes that must move and operations that must be done, whatever the strategy.
  virtual Cost cost(const Case& c) const = 0;
  /// What bounds a case, where it is a kernel of the lab's own.
  virtual std::optional<OwnCeiling> own_ceiling(const Case&) const { return std::nullopt; }
  /// The rung that is timed against a peer; "": the last one.
  virtual std::string paired_with_peers() const { return {}; }
  /// Named figures of a verified case beyond the error against expected(): {"rule error", 0.06}.
  virtual std::vector<std::pair<std::string, double>> figures(
      const Case&, const std::vector<HostArray>& /*outputs*/) const {
    return {};
  }
  /// Device memory for a launcher's intermediate results, in bytes.
  virtual std::size_t workspace_bytes(const Case&, const Rung&) const { return 0; }
  /// Whether buffers are host memory (labs about the runtime API rather than kernels).
  virtual bool host_buffers() const { return false; }
  /// Whether a launcher is a whole host program: it takes host memory, and allocates, copies, launches and
  /// frees by itself. Such launchers may call the runtime's functions when they are graded, and may hold a
  /// `main`.
  virtual bool whole_programs() const { return false; }
  /// Whether solutions copy asynchronously. Others may not when they are graded: such copies are not stores,
  /// so they would hide what a store costs.
  virtual bool copies_asynchronously() const { return false; }
  /// Whether rungs launch kernels, which the lens then counts.
  bool launches_kernels() const { return whole_programs() || !host_buffers(); }

  /// The CPU baseline, in the case's own type: the fastest loops that the lab has, vectorised, OpenMP if
  /// `threads` > 1.
  /// @return false where the lab has none.
  virtual bool baseline(const Case&, const std::vector<HostArray>& /*inputs*/,
                        std::vector<HostArray>& /*outputs*/, int /*threads*/) const {
    return false;
  }

  /// What the lab's program takes beside the common flags, and how it reads and writes files.
  virtual const ProblemCommandLine& command_line() const;

  /// The rung called `name`, or null.
  const Rung* find_rung(std::string_view name) const {
    for (const Rung& rung : rungs())
      if (rung.name == name) return &rung;
    return nullptr;
  }
};

/// Arrays for the outputs of a call, as request and launcher are to find them.
struct FreshOutputs {
  std::vector<HostArray> arrays;
  bool preset = false;  ///< some hold what the problem puts there, and the others poison
};
FreshOutputs fresh_outputs(const Problem& problem, const Case& c, const std::vector<HostArray>& inputs);
/// The same in place of `outputs`, whose arrays stay as they are where a call writes all of them anyway.
void renew_outputs(const Problem& problem, const Case& c, const std::vector<HostArray>& inputs,
                   FreshOutputs& outputs);
/// One call of a rung on these arrays, which must outlive it; neither timed nor recorded.
RungRequest request_for(const Problem& problem, const Rung& rung, const Case& c,
                        const std::vector<HostArray>& inputs, FreshOutputs& outputs);

/// All problems linked into this program, by lab.
std::map<std::string, const Problem*>& problem_registry();

/// Registers a problem at start-up: `static const ProblemRegistration<TransposeProblem> registration;`
template <class P>
struct ProblemRegistration {
  P problem;
  ProblemRegistration() { problem_registry()[problem.lab()] = &problem; }
};

}  // namespace warplab
