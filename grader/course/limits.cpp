#include "grader/course/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "lens/count_fields.hpp"
#include "lens/merge.hpp"

namespace warplab {
namespace {

constexpr double sector_bytes = 32, widest_request_bytes = 32 * 16;
/// A launcher that sorts or transposes by copies needs thousands; others need three.
constexpr std::uint64_t max_transfers = 64;
/// Of one that launches nothing, as where the output is the input: one row transposed, a filter of one tap.
constexpr std::uint64_t max_transfers_without_kernel = 4;

/// The counts of a run, and what they are held against. Sums over all launches, or the worst of them: a
/// launch that does nothing changes neither.
struct Run {
  lens::Counts counts;
  double launches = 0, threads = 0;
  double depth = 0, pending = 0, barriers = 0, waits = 0;  ///< of the launch that has most
  double busiest = 0;       ///< steps of each launch's busiest warp, added up: launches follow one another
  double shared_bytes = 0;  ///< of a block, in the launch that takes most
  double flops_compelled = 0;
  lens::Work work;
  double bytes_compelled = 0, outputs = 0, inputs = 0, input_bytes = 0;

  /// The outputs, or the inputs of a reduction: what the work grows with.
  double elements() const { return std::max(outputs, inputs); }
  /// Words of constant memory beyond one per request: lanes that read different words there read data.
  double scattered_constants() const {
    return static_cast<double>(counts.constant.addresses) - static_cast<double>(counts.constant.requests);
  }
  double moved_bytes() const {
    return sector_bytes * (static_cast<double>(counts.global_load.sectors + counts.global_store.sectors +
                                               counts.global_atomics.sectors) +
                           scattered_constants());
  }
  double tensor_flops() const { return static_cast<double>(work.mma_flops + work.wgmma_flops); }
  /// That cp.async brings to shared memory: what it reads again there counts once per block.
  double copied_bytes() const {
    return std::min(static_cast<double>(counts.shared_copy.bytes),
                    sector_bytes * static_cast<double>(work.copied_sectors));
  }
  /// Bytes that waits landed, times the share of a thread's copies that was left under way; copies of what
  /// was copied before do not count.
  double copies_overlapped() const {
    const double again = static_cast<double>(counts.shared_copy.bytes) - copied_bytes();
    return std::max(0.0, static_cast<double>(work.copies_overlapped) / lens::Work::parts_of_byte - again);
  }
  double requests() const {
    return static_cast<double>(counts.global_load.requests + counts.global_store.requests +
                               counts.global_atomics.requests) +
           scattered_constants();
  }
  /// Atomic operations of a request beyond the first: which banks they meet in is not counted, so all may.
  double atomic_conflicts() const {
    return static_cast<double>(counts.shared_atomics.lanes) -
           static_cast<double>(counts.shared_atomics.requests);
  }
  /// With those of copies: a conflict is one, whoever writes the bytes.
  lens::WavefrontCounts wavefronts() const {
    using lens::operator+=;
    lens::WavefrontCounts sum = counts.shared_load;
    sum += counts.shared_store;
    sum += counts.shared_copy;
    return sum;
  }
};

double ratio(double value, double of) { return of > 0 ? value / of : value > 0 ? unmeasured : 0; }

struct Known : LimitMeasure {
  double (*value)(const Run&);
};

/// Wavefronts of loads, stores and atomics in shared memory, and what constant memory does in its place.
double shared_wavefronts(const Run& r) {
  return static_cast<double>(r.counts.shared_load.wavefronts + r.counts.shared_store.wavefronts +
                             r.counts.shared_atomics.serial) +
         r.scattered_constants();
}
double atomics(const Run& r) {
  return static_cast<double>(r.counts.global_atomics.lanes + r.counts.shared_atomics.lanes);
}

/// What is moved, and by which units.
std::vector<Known> measures_of_traffic() {
  return {
      {{"moved", "bytes moved in whole sectors, against those that must move"},
       [](const Run& r) { return ratio(r.moved_bytes(), r.bytes_compelled); }},
      {{"requests", "requests to global memory, against as many as 16 bytes per lane would take"},
       [](const Run& r) { return ratio(r.requests(), r.bytes_compelled / widest_request_bytes); }},
      // Whoever does without shared memory does not do without conflicts: the limit is there for its use.
      {{"conflicts", "wavefronts of shared memory that bank conflicts add, for 32 elements"},
       [](const Run& r) {
         const lens::WavefrontCounts sum = r.wavefronts();
         return sum.ideal_wavefronts == 0
                    ? unmeasured
                    : 32 * ratio(static_cast<double>(sum.bank_conflicts()) + r.atomic_conflicts(),
                                 r.elements());
       }},
      {{"shared", "wavefronts of loads and stores in shared memory, for 32 elements"},
       [](const Run& r) { return 32 * ratio(shared_wavefronts(r), r.elements()); }},
      // Sums that are made elsewhere leave the tensor cores idle.
      {{"products", "multiply-adds of the problem for each that tensor cores make"},
       [](const Run& r) {
         return r.tensor_flops() == 0 ? unmeasured : ratio(r.flops_compelled, r.tensor_flops());
       }},
      // A kernel that reads its elements elsewhere copies none.
      {{"copied", "bytes of the inputs for each that an asynchronous copy brings to shared memory"},
       [](const Run& r) {
         return r.copied_bytes() == 0 ? unmeasured : ratio(r.input_bytes, r.copied_bytes());
       }},
      {{"bulk_copied", "bytes of the inputs for each that a bulk copy or a tensor's brings to shared memory"},
       [](const Run& r) {
         const double bytes = sector_bytes * static_cast<double>(r.work.bulk_copied_sectors);
         return bytes == 0 ? unmeasured : ratio(r.input_bytes, bytes);
       }},
      // Whoever waits for all copies before starting others has only one tile on its way.
      {{"overlap", "a thread's asynchronous copies under way before a wait, against those after it"},
       [](const Run& r) {
         return r.copies_overlapped() == 0
                    ? unmeasured
                    : ratio(static_cast<double>(r.work.copies_landed) / lens::Work::parts_of_byte,
                            r.copies_overlapped());
       }},
  };
}

/// What threads do besides, and where they keep it.
std::vector<Known> measures_of_threads() {
  return {
      {{"divergent", "branches at which a warp's lanes went both ways, for 32 elements"},
       [](const Run& r) {
         return 32 * ratio(static_cast<double>(r.counts.branches.divergent), r.elements());
       }},
      {{"barriers", "barriers of the block that one thread waited at"},
       [](const Run& r) { return r.barriers; }},
      {{"waits", "barriers of all kinds that one thread waited at"}, [](const Run& r) { return r.waits; }},
      {{"atomics", "atomic operations for each element of the input"},
       [](const Run& r) { return ratio(atomics(r), r.inputs); }},
      {{"float_sums", "atomic additions to the float or double in global memory that gets most"},
       [](const Run& r) { return static_cast<double>(r.work.busiest_sum); }},
      {{"all_atomics", "atomic operations in all"}, [](const Run& r) { return atomics(r); }},
      {{"constants", "words of constant memory beyond one per request, for 32 elements"},
       [](const Run& r) {
         return r.counts.constant.requests == 0 ? unmeasured
                                                : 32 * ratio(r.scattered_constants(), r.elements());
       }},
      // Whoever reads the elements elsewhere reads few of them there.
      {{"shared_reads", "multiply-adds of the problem for each 4 bytes that lanes read from shared memory"},
       [](const Run& r) {
         const double words = static_cast<double>(r.counts.shared_load.bytes) / 4;
         return words == 0 ? unmeasured : ratio(r.flops_compelled / 2, words);
       }},
      {{"shared_bytes", "bytes of shared memory that a block takes, in the launch that takes most"},
       [](const Run& r) { return r.shared_bytes; }},
      {{"threads", "threads for each element of the output"},
       [](const Run& r) { return ratio(r.threads, r.outputs); }},
      {{"launches", "kernels launched"}, [](const Run& r) { return r.launches; }},
      {{"busiest", "requests to memory and branches of each launch's busiest warp, added up"},
       [](const Run& r) { return r.busiest; }},
      {{"depth", "launches from kernels, one from within another"}, [](const Run& r) { return r.depth; }},
      {{"pending", "launches from kernels that waited to begin at a time"},
       [](const Run& r) { return r.pending; }},
  };
}

const std::vector<Known>& known() {
  static const std::vector<Known> all = [] {
    std::vector<Known> measures = measures_of_traffic();
    std::ranges::copy(measures_of_threads(), std::back_inserter(measures));
    return measures;
  }();
  return all;
}

double elements(const std::vector<std::int64_t>& shape) {
  double count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<double>(extent);
  return count;
}

Run run_of(const std::vector<lens::Launch>& launches, const Problem& problem, const Case& c) {
  using lens::operator+=;
  Run run;
  for (const lens::Launch& launch : launches) {
    run.counts += launch.counts;
    run.launches += static_cast<double>(launch.alike);
    run.pending = std::max(run.pending, static_cast<double>(launch.max_pending));
    run.barriers = std::max(run.barriers, static_cast<double>(launch.max_barriers));
    run.waits = std::max(run.waits, static_cast<double>(launch.max_waits));
    run.shared_bytes = std::max(
        run.shared_bytes, static_cast<double>(launch.static_shared_bytes + launch.dynamic_shared_bytes));
    if (launch.work) run.work += *launch.work;
    run.busiest += static_cast<double>(launch.busiest_warp);
    for (const lens::Descendant& d : launch.descendants)
      run.depth = std::max(run.depth, static_cast<double>(d.depth));
    const double block = elements({launch.block[0], launch.block[1], launch.block[2]}),
                 blocks = static_cast<double>(launch.blocks);
    run.threads += block * blocks;
  }
  run.bytes_compelled = problem.cost(c).bytes;
  run.flops_compelled = problem.cost(c).flops;
  for (const ArraySpec& output : problem.outputs(c)) run.outputs += elements(output.shape);
  const std::vector<HostArray> inputs = problem.inputs(c);
  run.inputs = elements(inputs.at(0).shape());
  for (const HostArray& input : inputs) run.input_bytes += static_cast<double>(input.bytes().size());
  return run;
}

}  // namespace

const std::vector<LimitMeasure>& limit_measures() {
  static const std::vector<LimitMeasure> all(known().begin(), known().end());
  return all;
}

const LimitMeasure* find_measure(const std::string& name) {
  const auto found = std::ranges::find_if(limit_measures(), [&](const auto& m) { return m.name == name; });
  return found == limit_measures().end() ? nullptr : &*found;
}

double value_of(const std::string& measure, const std::vector<lens::Launch>& launches, const Problem& problem,
                const Case& c) {
  for (const Known& one : known())
    if (one.name == measure) return one.value(run_of(launches, problem, c));
  throw std::invalid_argument("there is no measure called " + measure);
}

double value_of_figure(const std::string& figure, const Problem& problem, const Case& c,
                       const std::vector<HostArray>& outputs) {
  std::vector<std::string> names;
  for (const auto& [name, value] : problem.figures(c, outputs)) {
    if (name == figure) return std::abs(value);
    names.push_back(name);
  }
  throw std::invalid_argument(fmt::format("unknown figure '{}'; known figures of {}: {}", figure,
                                          problem.lab(), fmt::join(names, ", ")));
}

std::string moved_by_copies(const LaunchCounts& counts) {
  const bool has_kernel = counts.launches != 0;
  const std::uint64_t most = has_kernel ? max_transfers : max_transfers_without_kernel;
  if (counts.transfers <= most) return "";
  return fmt::format(
      "its launcher {}copies or fills device memory {} times, and {} times are allowed: kernels are to move "
      "the data",
      has_kernel ? "" : "launches no kernel, and ", counts.transfers, most);
}

std::string implausible(const std::vector<lens::Launch>& launches, const Problem& problem, const Case& c) {
  const Run run = run_of(launches, problem, c);
  if (run.launches == 0) return "no kernel was launched, and yet there is an output";
  // A little less may be right: what is copied to constant memory moves by other ways.
  if (run.bytes_compelled > 0 && run.moved_bytes() < 0.9 * run.bytes_compelled)
    return fmt::format("its kernels moved {:.0f} bytes of global memory, and the problem compels {:.0f}",
                       run.moved_bytes(), run.bytes_compelled);
  return "";
}

std::string done_by_few(double most, const std::vector<lens::Launch>& launches) {
  double busiest = 0;
  for (const lens::Launch& launch : launches) busiest += static_cast<double>(launch.busiest_warp);
  if (busiest <= most) return "";
  return fmt::format(
      "one warp takes {:.0f} steps (requests to memory and branches), and {:g} are allowed: share the "
      "elements out to more threads",
      busiest, most);
}

}  // namespace warplab
