#include "harness/rung/rung_session.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstring>
#include <variant>

#include "common/benchmark.hpp"
#include "common/checksum_kernel.hpp"
#include "common/cuda_check.hpp"
#include "common/device_buffer.hpp"
#include "common/exceptions.hpp"
#include "common/host/statistics.hpp"
#include "common/pinned_buffer.hpp"
#include "common/timer.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/launch_counts.hpp"
#include "harness/rung/lens_recording.hpp"
#include "harness/rung/rung.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include <warplab_emulator/api/memory_names.hpp>
#include <warplab_emulator/guarded_code.hpp>
#endif

namespace warplab {

std::vector<KernelUse>* kernel_uses = nullptr;

namespace {

/// A guarded buffer in the memory space that the lab's launchers take.
class Buffer {
 public:
  /// @param shift bytes after a multiple of 256 at which the data begin
  Buffer(const RungRequest& request, std::size_t bytes, std::size_t shift = 0) : shift_(shift) {
    bytes += shift;
    if (request.host_buffers)
      buffer_.emplace<PinnedBuffer>(bytes);
    else
      buffer_.emplace<DeviceBuffer>(
          bytes, request.lens_blocks ? DeviceBuffer::Guards::none : DeviceBuffer::Guards::poisoned);
  }
  void* data() const {
    return static_cast<std::byte*>(std::visit([](const auto& b) { return b.data(); }, buffer_)) + shift_;
  }
  void poison() {
    std::visit([](auto& b) { b.poison(); }, buffer_);
  }
  std::optional<std::string> check_guards() const {
    return std::visit([](const auto& b) { return b.check_guards(); }, buffer_);
  }
  bool is_on_device() const { return std::holds_alternative<DeviceBuffer>(buffer_); }

 private:
  std::variant<DeviceBuffer, PinnedBuffer> buffer_;
  std::size_t shift_;
};

/// "input `a`", or "input 0" where nobody said what launchers call it.
std::string called(const char* role, const std::vector<std::string>& names, std::size_t i) {
  return std::string(role) + " " + (i < names.size() ? "`" + names[i] + "`" : std::to_string(i));
}

/// Lets the emulator's reports call memory by its name.
void name_memory([[maybe_unused]] const Buffer& buffer, [[maybe_unused]] const std::string& name) {
#ifdef WARPLAB_BACKEND_EMULATOR
  emulator::name_memory(buffer.data(), name.c_str());
#endif
}

/// A stream that the legacy default stream waits for and that waits for it: a launcher that forgets its
/// stream argument is still timed rightly.
class Stream {
 public:
  Stream() { CUDA_CHECK(cudaStreamCreate(&stream_)); }
  ~Stream() {
    const cudaError_t destroyed = cudaStreamDestroy(stream_);
    if (!detail::is_sticky(destroyed)) CUDA_WARN(destroyed);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// What is launched while it lives is recorded by the lens, or bracketed for a profiler, where the request
/// asks for it.
class Recording {
 public:
  Recording(const RungRequest& request, RungReply& reply)
      : lens_(request.lens_blocks.has_value()), profiled_(request.profiled), reply_(reply) {
    if (lens_) start_lens(*request.lens_blocks, request.lens_only, request.lens_details);
    if (profiled_) CUDA_CHECK(cudaProfilerStart());
  }
  ~Recording() {
    if (profiled_) (void)cudaProfilerStop();
    if (lens_) reply_.lens = take_lens();  // a call that failed has its findings there
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  bool lens_, profiled_;
  RungReply& reply_;
};

/// Launches are noted in `kernels` while it lives.
class NotedLaunches {
 public:
  explicit NotedLaunches(std::vector<KernelUse>& kernels) { kernel_uses = &kernels; }
  ~NotedLaunches() { kernel_uses = nullptr; }
  NotedLaunches(const NotedLaunches&) = delete;
  NotedLaunches& operator=(const NotedLaunches&) = delete;
};

constexpr double long_transfer_ms = 200;          // beyond this one sample of it must do
constexpr std::size_t piece_bytes = 16ull << 20;  // of an array that is looked through

class Session {
 public:
  Session(const RungModule& module, const RungRequest& request)
      : module_(module), request_(request), workspace_(request, request.workspace_bytes) {
    call_.problem_case = request.problem_case;
    for (const ArrayView& view : request.inputs) {
      inputs_.emplace_back(request, view.size_bytes(), shift_of_input(inputs_.size()) * size_of(view.dtype));
      call_.inputs.push_back({view.dtype, view.count, inputs_.back().data()});
      name_memory(inputs_.back(), called("input", request.input_names, inputs_.size() - 1));
    }
    for (const ArrayView& view : request.outputs) {
      outputs_.emplace_back(
          request, view.size_bytes(),
          shift_of(shift_outputs_parameter, shift_of(shift_parameter)) * size_of(view.dtype));
      if (request.outputs_preset) presets_.emplace_back(view.data, view.data + view.size_bytes());
      call_.outputs.push_back({view.dtype, view.count, outputs_.back().data()});
      name_memory(outputs_.back(), called("output", request.output_names, outputs_.size() - 1));
    }
    call_.workspace = workspace_.data();
    name_memory(workspace_, "the workspace");
    call_.workspace_bytes = request.workspace_bytes;
    call_.stream = stream_;
    preset_outputs();
  }

  void run(RungReply& reply) {
    if (request_.measure && backend == Backend::cuda)
      measure(reply);
    else
      call_once(reply);
    check_inputs(reply);
    check_guards();
  }

 private:
  void call_once(RungReply& reply) {
    upload();
    note_inputs();
    if (request_.profiled) {  // libraries try their algorithms when they are called first
      launch_and_wait();
      poison_outputs();
    }
    const std::optional<LaunchCounts> before = launch_counts();
    {
      const Recording recording(request_, reply);
      const NotedLaunches noted(reply.kernels);
      launch_and_wait();
    }
    if (const std::optional<LaunchCounts> after = launch_counts())
      reply.counts = LaunchCounts{after->launches - before->launches, after->blocks - before->blocks,
                                  after->threads - before->threads, after->barriers - before->barriers,
                                  after->transfers - before->transfers};
    download();
  }
  /// Samples between transfers that are timed as well; what the last launch computes is downloaded.
  void measure(RungReply& reply) {
    reply.h2d_ms = median_ms([this] { return upload(); });
    note_inputs();
    take_samples(reply);
    poison_outputs();
    launch_and_wait();
    reply.d2h_ms = median_ms([this] { return download(); });
  }
  /// Of three transfers; of a long one the first has to do.
  template <class Transfer>
  static double median_ms(const Transfer& transfer) {
    std::vector<double> samples_ms{transfer()};
    while (samples_ms.size() < 3 && samples_ms[0] < long_transfer_ms) samples_ms.push_back(transfer());
    return median_of(samples_ms);
  }
  /// In elements.
  std::size_t shift_of(const char* parameter, std::size_t otherwise = 0) const {
    return static_cast<std::size_t>(request_.problem_case.param(parameter, static_cast<double>(otherwise)));
  }
  std::size_t shift_of_input(std::size_t i) const {
    return i == 0   ? shift_of(shift_first_parameter, shift_of(shift_parameter))
           : i == 1 ? shift_of(shift_second_parameter)
                    : 0;
  }
  void take_samples(RungReply& reply) {
    if (request_.paired_with.empty()) {
      reply.samples_ms = benchmark([this] { launch(); }, stream_, request_.benchmark);
      return;
    }
    const RungModule paired(request_.paired_with);
    auto samples =
        benchmark_paired({[this] { launch(); }, [&] { paired.call(call_); }}, stream_, request_.benchmark);
    reply.samples_ms = std::move(samples[0]);
    reply.paired_samples_ms = std::move(samples[1]);
  }
  /// Nothing of a call before is left in them.
  void poison_outputs() {
    for (Buffer& output : outputs_) output.poison();
    preset_outputs();
    workspace_.poison();
  }
  void preset_outputs() {
    for (std::size_t i = 0; i < presets_.size(); ++i)
      if (!presets_[i].empty())
        CUDA_CHECK(cudaMemcpy(outputs_[i].data(), presets_[i].data(), presets_[i].size(), cudaMemcpyDefault));
  }
  void launch() {
#ifdef WARPLAB_BACKEND_EMULATOR
    emulator::forget_guarded_frames();
#endif
    module_.call(call_);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) throw_plain("the launch", error);
  }
  void launch_and_wait() {
    launch();
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
      throw_plain("the kernel", error);
  }
  [[noreturn]] static void throw_plain(const char* what, cudaError_t error) {
    throw CudaError(error, std::string(what) + " failed: " + cudaGetErrorName(error) + " (" +
                               cudaGetErrorString(error) + ")" + likely_cause_line(error));
  }

  double upload() {
    const HostTimer timer;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (const ArrayView& view = request_.inputs[i]; view.count)
        CUDA_CHECK(cudaMemcpy(inputs_[i].data(), view.data, view.size_bytes(), cudaMemcpyDefault));
    CUDA_CHECK(cudaDeviceSynchronize());
    return timer.elapsed_ms();
  }
  double download() {
    const HostTimer timer;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (const ArrayView& view = request_.outputs[i]; view.count)
        CUDA_CHECK(cudaMemcpy(view.data, outputs_[i].data(), view.size_bytes(), cudaMemcpyDefault));
    return timer.elapsed_ms();
  }

  /// For check_inputs(). Not on the emulator, whose lens would count the launches.
  void note_inputs() {
    if (backend != Backend::cuda) return;
    for (std::size_t i = 0; i < inputs_.size(); ++i) checksums_.push_back(checksum_of_input(i));
  }
  std::optional<std::uint64_t> checksum_of_input(std::size_t i) {
    if (!inputs_[i].is_on_device()) return std::nullopt;
    return checksum_of(inputs_[i].data(), request_.inputs[i].size_bytes(), stream_);
  }
  void check_inputs(RungReply& reply) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (i < checksums_.size() && checksums_[i] && checksum_of_input(i) == checksums_[i]) continue;
      const ArrayView& view = request_.inputs[i];
      const std::optional<std::size_t> changed =
          first_difference(static_cast<const std::byte*>(inputs_[i].data()), view.data, view.size_bytes());
      if (!changed) continue;
      reply.inputs_changed = true;
      throw RungFailure("it changed " + called("input", request_.input_names, i) + ", first at element " +
                        std::to_string(*changed / size_of(view.dtype)));
    }
  }
  /// Of a buffer and what was copied into it. Piece by piece: new memory for gigabytes takes seconds.
  static std::optional<std::size_t> first_difference(const std::byte* buffer, const std::byte* copied,
                                                     std::size_t bytes) {
    std::vector<std::byte> now(std::min(bytes, piece_bytes));
    for (std::size_t from = 0; from < bytes; from += now.size()) {
      const std::size_t n = std::min(now.size(), bytes - from);
      CUDA_CHECK(cudaMemcpy(now.data(), buffer + from, n, cudaMemcpyDefault));
      if (std::memcmp(now.data(), copied + from, n) == 0) continue;
      return from + static_cast<std::size_t>(std::mismatch(now.data(), now.data() + n, copied + from).first -
                                             now.data());
    }
    return std::nullopt;
  }
  void check_guards() {
    check_guards("input", request_.input_names, inputs_);
    check_guards("output", request_.output_names, outputs_);
    if (const auto touched = workspace_.check_guards()) throw RungFailure("workspace: " + *touched);
  }
  static void check_guards(const char* role, const std::vector<std::string>& names,
                           const std::vector<Buffer>& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (const auto touched = buffers[i].check_guards())
        throw RungFailure(called(role, names, i) + ": " + *touched);
  }

  const RungModule& module_;
  const RungRequest& request_;
  Stream stream_;
  std::vector<Buffer> inputs_, outputs_;
  std::vector<std::optional<std::uint64_t>> checksums_;  ///< of the inputs on the device, before any launch
  std::vector<std::vector<std::byte>> presets_;          ///< of the outputs, where the request has such
  Buffer workspace_;
  Call call_;
};

}  // namespace

RungReply run_session(const RungModule& module, const RungRequest& request) {
  RungReply reply;
  const auto end = [&reply](RungStatus status, std::string why) {
    reply.status = status;
    reply.why = std::move(why);
  };
  try {
    Session session(module, request);
    session.run(reply);
  } catch (const ToDo& stub) {
    end(RungStatus::todo, stub.what());
  } catch (const std::invalid_argument& refusal) {
    end(RungStatus::refused, refusal.what());
  } catch (const RungFailure& failure) {
    end(RungStatus::failed, failure.what());
  } catch (const CudaError& error) {
    const bool no_device = error.code() == cudaErrorNoDevice || error.code() == cudaErrorInsufficientDriver;
    end(no_device ? RungStatus::unavailable : RungStatus::failed, error.what());
    reply.context_lost = detail::is_sticky(error.code());
    reply.cuda_error = error.code();
  } catch (const std::exception& error) {
    end(RungStatus::failed, std::string("it threw an exception: ") + error.what());
  } catch (...) {
    end(RungStatus::failed, "it threw something that is not a std::exception");
  }
  if (cudaDeviceSynchronize() != cudaSuccess) reply.context_lost = true;
  (void)cudaGetLastError();
  return reply;
}

RungReply InProcessRunner::run(const RungRequest& request) {
  try {
    if (!module_) module_.emplace(path_);
  } catch (const ModuleError& error) {
    RungReply reply;
    reply.status = error.status();
    reply.why = error.what();
    return reply;
  }
  return run_session(*module_, request);
}

}  // namespace warplab
