#include "harness/worker/worker_client.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <system_error>

#include "common/host/bad_input.hpp"
#include "common/host/descriptor.hpp"
#include "common/host/parallel.hpp"
#include "harness/rung/rung_module.hpp"
#include "harness/worker/worker_protocol.hpp"

namespace warplab {
namespace {

/// The end of a text, for a report.
std::string tail(const std::string& text, std::size_t lines = 6) {
  std::size_t begin = text.find_last_not_of('\n');
  if (begin == std::string::npos) return "";
  const std::string trimmed = text.substr(0, begin + 1);
  begin = trimmed.size();
  for (std::size_t line = 0; line < lines && begin != std::string::npos && begin > 0; ++line)
    begin = trimmed.rfind('\n', begin - 1);
  return begin == std::string::npos ? trimmed : trimmed.substr(begin ? begin + 1 : 0);
}

std::string without_last_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

/// Anonymous memory that can be handed to a worker. It is sealed: a worker cannot shrink it under its reader.
class WorkerClient::SharedArrays {
 public:
  explicit SharedArrays(std::size_t bytes)
      : descriptor_(memfd_create("warplab", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0 ||
        fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
        (bytes &&
         (address_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0)) == MAP_FAILED))
      throw std::system_error(errno, std::generic_category(), "shared memory for the arrays");
  }
  ~SharedArrays() {
    if (bytes_) munmap(address_, bytes_);
  }
  SharedArrays(const SharedArrays&) = delete;
  SharedArrays& operator=(const SharedArrays&) = delete;
  int descriptor() const { return descriptor_; }
  /// Whether arrays of so many bytes go into it without waste.
  bool suits(std::size_t bytes) const { return bytes <= bytes_ && bytes_ <= 2 * bytes; }
  std::byte* at(std::size_t offset) const { return static_cast<std::byte*>(address_) + offset; }

 private:
  Descriptor descriptor_;
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

WorkerClient::WorkerClient(std::filesystem::path module, WorkerOptions options)
    : module_(std::move(module)), options_(std::move(options)) {}
WorkerClient::~WorkerClient() = default;

void WorkerClient::drop_worker() {
  process_.reset();
  shared_.reset();
}

void WorkerClient::start() {
  if (process_) return;
  std::vector<std::string> command = options_.prefix;
  command.push_back(options_.worker);
  if (options_.confined) command.push_back(protocol::confined_argument);
  if (!module_.empty()) command.push_back(module_);
  process_ = std::make_unique<ChildProcess>(command);
}

std::optional<protocol::Json> WorkerClient::exchange(const protocol::Json& message, int descriptor,
                                                     RungReply& reply) {
  start();
  ChildProcess& process = *process_;
  std::optional<protocol::Json> answer;
  std::string why;
  const auto event = protocol::send(process.socket(), message, descriptor) ? process.wait(options_.timeout_s)
                                                                           : process.wait(1);
  if (event == ChildProcess::Event::message) {
    try {
      if (auto packet = protocol::receive(process.socket())) {
        if (message.at("operation") == "run" && packet->descriptor >= 0)
          reply.lens = protocol::lens_from_file(packet->descriptor);
        answer = std::move(packet->message);
      }
    } catch (const std::exception& error) {
      why = std::string("its worker answered nonsense: ") + error.what();
    }
    process.drain();
  } else if (event == ChildProcess::Event::timeout) {
    process.kill();
    process.drain();
    reply.timed_out = true;
    why = fmt::format("did not finish within {:g} s: a loop that never ends, or a wait that nobody ends",
                      options_.timeout_s);
  } else {
    why = process.how_it_ended();
    reply.killed_by_others = process.was_killed_by_others();
  }
  reply.printed = process.out.take();
  reply.errors = process.err.take();
  reports_ = without_last_line_end(process.reports.take());
  if (!answer) {
    reply.status = RungStatus::failed;
    reply.why = why.empty() ? "its worker closed the connection" : why;
    const std::string& explanation = reports_.empty() ? tail(reply.errors) : reports_;
    if (!explanation.empty()) reply.why += "\n" + explanation;
    drop_worker();
  }
  return answer;
}

RungReply WorkerClient::run(const RungRequest& request) {
  RungReply reply;
  if (!std::filesystem::exists(module_)) {
    reply.status = RungStatus::not_built;
    reply.why = did_not_build(module_);
    return reply;
  }
  const protocol::Layout layout = protocol::layout_of(request);
  if (!shared_ || !shared_->suits(layout.total_bytes)) {
    shared_.reset();
    shared_ = std::make_unique<SharedArrays>(layout.total_bytes);
  }
  const SharedArrays& shared = *shared_;
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    if (const ArrayView& input = request.inputs[i]; input.count)
      parallel_copy(shared.at(layout.offsets[i]), input.data, input.size_bytes());

  if (request.outputs_preset)
    for (std::size_t i = 0; i < request.outputs.size(); ++i)
      if (const ArrayView& output = request.outputs[i]; output.count)
        parallel_copy(shared.at(layout.offsets[request.inputs.size() + i]), output.data, output.size_bytes());

  const auto answer =
      exchange({{"operation", "run"}, {"request", protocol::to_json(request)}}, shared.descriptor(), reply);
  if (!answer) return reply;
  try {
    RungReply told = protocol::reply_from(*answer);
    told.printed = std::move(reply.printed);
    told.errors = std::move(reply.errors);
    told.lens = std::move(reply.lens);
    reply = std::move(told);
  } catch (const std::exception& error) {
    reply.status = RungStatus::failed;
    reply.why = std::string("its worker answered nonsense: ") + error.what();
    drop_worker();
    return reply;
  }
  for (std::size_t i = 0; i < request.outputs.size(); ++i)
    if (const ArrayView& output = request.outputs[i]; output.count)
      parallel_copy(output.data, shared.at(layout.offsets[request.inputs.size() + i]), output.size_bytes());
  if (reply.status == RungStatus::failed && !reports_.empty()) reply.why = reports_ + "\n" + reply.why;
  if (reply.context_lost) drop_worker();
  return reply;
}

void WorkerClient::take_memory_of(RungRunner& other) {
  if (auto* const client = dynamic_cast<WorkerClient*>(&other)) shared_ = std::move(client->shared_);
}

protocol::Json WorkerClient::ask(const protocol::Json& message) {
  RungReply failure;
  const auto answer = exchange(message, -1, failure);
  if (!answer) throw std::runtime_error("the worker " + failure.why);
  if (answer->contains("not_available")) throw NotAvailable(answer->at("not_available").get<std::string>());
  if (answer->contains("error")) throw std::runtime_error(answer->at("error").get<std::string>());
  return *answer;
}

DeviceInfo WorkerClient::device() { return protocol::device_from(ask({{"operation", "device"}})); }

Ceiling WorkerClient::copy_ceiling(std::size_t moved_bytes, const BenchmarkOptions& options) {
  return protocol::ceiling_from(ask({{"operation", "copy_ceiling"},
                                     {"moved_bytes", moved_bytes},
                                     {"benchmark", protocol::to_json(options)}}));
}

Ceiling WorkerClient::arithmetic_ceiling(DType dtype, const BenchmarkOptions& options) {
  return protocol::ceiling_from(ask({{"operation", "arithmetic_ceiling"},
                                     {"dtype", std::string(name_of(dtype))},
                                     {"benchmark", protocol::to_json(options)}}));
}

}  // namespace warplab
