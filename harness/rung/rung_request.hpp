#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/host/benchmark_options.hpp"
#include "common/host/case.hpp"
#include "common/host/host_array.hpp"
#include "harness/rung/kernel_use.hpp"
#include "lens/report.hpp"

namespace warplab {

/// How a call of a rung ended.
enum class RungStatus {
  ok,
  todo,        ///< a stub: not written yet
  refused,     ///< the launcher does not take this case
  failed,      ///< crashed, hung, threw, wrote where it must not, or computed something else
  not_built,   ///< its module is not there: the compiler refused it
  unavailable  ///< this machine has not what the rung needs
};

/// "ok", "todo", "refused", "failed", "not_built", "unavailable", as in results.
const char* name_of(RungStatus status);
/// The status of that name; nothing if there is none.
std::optional<RungStatus> find_status(std::string_view name);
/// The same. @throws std::invalid_argument if there is none.
RungStatus parse_status(const std::string& name);

/// "cudaErrorIllegalAddress": the name of an error by its number; "" for 0 and for what CUDA does not have.
std::string name_of_cuda_error(int number);

/// Type and element count of one array of a request, and where it is in host memory.
struct ArrayView {
  DType dtype = DType::f32;
  std::int64_t count = 0;
  std::byte* data = nullptr;
  std::size_t size_bytes() const { return static_cast<std::size_t>(count) * size_of(dtype); }
};

/// Parameters of a case that say how many elements after a multiple of 256 bytes arrays begin, for launchers
/// that must be right at every alignment. `shift` moves the first input and all outputs; each of the others
/// moves what it names, whatever `shift` is.
inline constexpr const char* shift_parameter = "shift";
inline constexpr const char* shift_first_parameter = "shift_first";
inline constexpr const char* shift_second_parameter = "shift_second";
inline constexpr const char* shift_outputs_parameter = "shift_outputs";

/// As many samples, and as many of a paired rung, fit a worker's reply.
inline constexpr int max_repetitions = 2000;

/// One call of a rung on host arrays: inputs go in, outputs are overwritten. Holds no expected value.
struct RungRequest {
  Case problem_case;
  std::vector<ArrayView> inputs;
  std::vector<ArrayView> outputs;
  /// What launchers call the arrays, for reports: "a". Arrays without a name are numbered.
  std::vector<std::string> input_names, output_names;
  std::size_t workspace_bytes = 0;  ///< device memory for the launcher
  bool host_buffers = false;        ///< the launcher takes pinned host memory instead of device memory
  bool outputs_preset = false;      ///< the outputs have their contents before a call, instead of poison
  std::string paired_with;          ///< another rung's module, timed against this one; "" for none
  bool measure = false;             ///< also take times, between two calls whose outputs can be checked
  BenchmarkOptions benchmark;
  std::optional<std::uint64_t>
      lens_blocks;           ///< record this many blocks of each launch of the call; 0 for all
  bool lens_only = false;    ///< and run no others
  bool lens_details = true;  ///< and say what each line did, and what work it was at least
  bool profiled = false;     ///< tell a profiler where the call begins and ends; another comes before it
};

/// What ran on the emulated device during one call.
struct LaunchCounts {
  std::uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0;
  std::uint64_t transfers = 0;  ///< by the host: copies from device memory, and fillings
};

/// The outcome of a request.
struct RungReply {
  RungStatus status = RungStatus::ok;
  std::string why;                        ///< for any status but ok: a sentence or a report of several lines
  bool inputs_changed = false;            ///< the rung wrote to its inputs (then it has failed)
  bool context_lost = false;              ///< the device is unusable for this process
  std::optional<double> h2d_ms;           ///< all inputs from pageable host memory to the device, once
  std::optional<double> d2h_ms;           ///< all outputs back
  std::vector<double> samples_ms;         ///< device time of each sampled launch
  std::vector<double> paired_samples_ms;  ///< of that other rung, paired with samples_ms
  std::optional<LaunchCounts> counts;     ///< of one call, on the emulator
  std::vector<KernelUse> kernels;         ///< launched by the first call, in a worker on a GPU
  bool timed_out = false;
  bool killed_by_others = false;  ///< its process, by a SIGKILL that is neither its own doing nor ours
  int cuda_error = 0;  ///< the number of the CUDA error that it failed with; 0 if it failed otherwise
  std::optional<std::vector<lens::Launch>> lens;  ///< what was recorded, also where the call then failed
  std::string printed;                            ///< what it wrote to stdout
  std::string errors;                             ///< what it wrote to stderr
};

/// Something that can run one rung: a worker process, or this process.
class RungRunner {
 public:
  virtual ~RungRunner() = default;
  /// Runs one request; whatever the rung does becomes part of the reply.
  virtual RungReply run(const RungRequest& request) = 0;
  /// Takes over the memory that another runner kept for its next request, which then makes its own.
  virtual void take_memory_of(RungRunner& /*other*/) {}
  /// Lets the next request find nothing that earlier ones kept, where the rung has a process of its own.
  virtual void renew() {}
};

/// Views of whole arrays. The views last as long as the arrays.
std::vector<ArrayView> views_of(std::vector<HostArray>& arrays);
/// As above, for arrays that are only read.
std::vector<ArrayView> views_of(const std::vector<HostArray>& arrays);

}  // namespace warplab
