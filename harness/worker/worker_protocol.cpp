#include "harness/worker/worker_protocol.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "common/io/json_nesting.hpp"
#include "lens/json.hpp"

// Fields that travel as they are, by their names, in both directions.
namespace warplab {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Case, size, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenchmarkOptions, repeat, settled, min_samples, max_samples, time_limit_s,
                                   warm_up, cold_l2)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RungRequest, input_names, output_names, workspace_bytes, host_buffers,
                                   outputs_preset, paired_with, measure, lens_only, lens_details, profiled)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchCounts, launches, blocks, threads, barriers, transfers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RungReply, why, inputs_changed, context_lost, cuda_error, samples_ms,
                                   paired_samples_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceInfo, name, emulator, compute_major, compute_minor, multiprocessors,
                                   free_bytes, pci_bus_id, driver, toolkit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Summary, samples, median, mean, min, max)
}  // namespace warplab

namespace warplab::protocol {
namespace {

constexpr std::size_t largest_packet = 128 * 1024;
constexpr std::size_t longest_text = 16 * 1024;
constexpr off_t largest_lens_file = 64 * 1024 * 1024;

/// Sets what may be absent, which is null then.
template <class T>
void put(Json& json, const char* key, const std::optional<T>& value) {
  json[key] = value ? Json(*value) : Json(nullptr);
}

template <class T>
void get(const Json& json, const char* key, std::optional<T>& value) {
  if (const Json& found = json.at(key); !found.is_null()) value = found.get<T>();
}

DType dtype_from(const Json& json) {
  const std::optional<DType> dtype = parse_dtype(json.get<std::string>());
  if (!dtype) throw std::runtime_error("unknown element type in a packet");
  return *dtype;
}

Json array_json(const ArrayView& view, std::size_t offset) {
  return {{"dtype", std::string(name_of(view.dtype))}, {"count", view.count}, {"offset", offset}};
}

ArrayView array_from(const Json& json, std::span<std::byte> shared) {
  ArrayView view{dtype_from(json.at("dtype")), json.at("count").get<std::int64_t>(), nullptr};
  const auto offset = json.at("offset").get<std::size_t>();
  if (view.count < 0 || offset > shared.size() || view.size_bytes() > shared.size() - offset)
    throw std::runtime_error("an array lies outside the shared memory");
  view.data = shared.data() + offset;
  return view;
}

/// A text as valid UTF-8 of a bounded length, since it may hold whatever a rung wrote.
std::string clean(std::string text) {
  if (text.size() > longest_text) text = text.substr(0, longest_text) + " [...]";
  for (char& c : text)
    if (static_cast<unsigned char>(c) >= 0x80 ||
        (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'))
      c = '?';
  return text;
}

}  // namespace

bool send(int socket, const Json& message, int descriptor) {
  std::string text = message.dump();
  iovec part{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* const attached = CMSG_FIRSTHDR(&header);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attached), &descriptor, sizeof(int));
  }
  for (;;) {
    if (sendmsg(socket, &header, MSG_NOSIGNAL) >= 0) return true;
    if (errno == EPIPE || errno == ECONNRESET) return false;
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "sendmsg");
  }
}

std::optional<Packet> receive(int socket) {
  std::string text(largest_packet, '\0');
  iovec part{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  header.msg_control = control;
  header.msg_controllen = CMSG_LEN(sizeof(int));  // the space with its padding has room for two descriptors
  ssize_t received;
  do received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0 && errno != ECONNRESET) throw std::system_error(errno, std::generic_category(), "recvmsg");
  if (received <= 0) return std::nullopt;
  Packet packet;
  if (const cmsghdr* attached = CMSG_FIRSTHDR(&header);
      attached && attached->cmsg_level == SOL_SOCKET && attached->cmsg_type == SCM_RIGHTS) {
    int number;
    std::memcpy(&number, CMSG_DATA(attached), sizeof number);
    packet.descriptor = Descriptor(number);
  }
  if (header.msg_flags & MSG_TRUNC) throw std::runtime_error("a packet is too large");
  if (header.msg_flags & MSG_CTRUNC) throw std::runtime_error("a packet has more than one descriptor");
  text.resize(static_cast<std::size_t>(received));
  if (json_nesting(text) > max_json_nesting) throw std::runtime_error("a packet is nested too deep");
  packet.message = Json::parse(text, nullptr, false);
  if (!packet.message.is_object()) throw std::runtime_error("a packet is not a JSON object");
  return packet;
}

Layout layout_of(const RungRequest& request) {
  constexpr std::size_t alignment = 4096;
  Layout layout;
  for (const auto* views : {&request.inputs, &request.outputs})
    for (const ArrayView& view : *views) {
      layout.offsets.push_back(layout.total_bytes);
      layout.total_bytes += (view.size_bytes() + alignment - 1) / alignment * alignment;
    }
  return layout;
}

Json to_json(const Case& c) {
  Json json = c;
  json["dtype"] = std::string(name_of(c.dtype));
  put(json, "block", c.block);
  put(json, "grid", c.grid);
  json["params"] = Json::array();
  for (const Parameter& p : c.params) json["params"].push_back({p.name, p.value, p.label});
  return json;
}

Case case_from(const Json& json) {
  Case c = json.get<Case>();
  c.dtype = dtype_from(json.at("dtype"));
  get(json, "block", c.block);
  get(json, "grid", c.grid);
  for (const Json& p : json.at("params")) c.params.push_back({p.at(0), p.at(1), p.at(2)});
  return c;
}

Json to_json(const BenchmarkOptions& options) { return options; }

BenchmarkOptions benchmark_from(const Json& json) { return json.get<BenchmarkOptions>(); }

Json to_json(const RungRequest& request) {
  const Layout layout = layout_of(request);
  Json json = request;
  json["case"] = to_json(request.problem_case);
  put(json, "lens_blocks", request.lens_blocks);
  json["benchmark"] = to_json(request.benchmark);
  json["inputs"] = json["outputs"] = Json::array();
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    json["inputs"].push_back(array_json(request.inputs[i], layout.offsets[i]));
  for (std::size_t i = 0; i < request.outputs.size(); ++i)
    json["outputs"].push_back(array_json(request.outputs[i], layout.offsets[request.inputs.size() + i]));
  return json;
}

RungRequest request_from(const Json& json, std::span<std::byte> shared) {
  RungRequest request = json.get<RungRequest>();
  request.problem_case = case_from(json.at("case"));
  get(json, "lens_blocks", request.lens_blocks);
  request.benchmark = benchmark_from(json.at("benchmark"));
  for (const Json& array : json.at("inputs")) request.inputs.push_back(array_from(array, shared));
  for (const Json& array : json.at("outputs")) request.outputs.push_back(array_from(array, shared));
  return request;
}

Json to_json(const RungReply& reply) {
  Json json = reply;
  json["status"] = name_of(reply.status);
  json["why"] = clean(reply.why);
  put(json, "h2d_ms", reply.h2d_ms);
  put(json, "d2h_ms", reply.d2h_ms);
  put(json, "counts", reply.counts);
  json["kernels"] = Json::array();
  for (const KernelUse& k : reply.kernels)
    json["kernels"].push_back(
        {k.kernel, k.grid, k.block, k.registers, k.local_bytes, k.shared_bytes, k.occupancy});
  return json;
}

RungReply reply_from(const Json& json) {
  RungReply reply = json.get<RungReply>();
  reply.status = parse_status(json.at("status").get<std::string>());
  get(json, "h2d_ms", reply.h2d_ms);
  get(json, "d2h_ms", reply.d2h_ms);
  get(json, "counts", reply.counts);
  for (const Json& k : json.at("kernels"))
    reply.kernels.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6)});
  return reply;
}

Descriptor lens_file(const std::vector<lens::Launch>& launches) {
  const std::string text = lens::measurement_json(launches).dump();
  Descriptor file(memfd_create("warplab-lens", MFD_CLOEXEC));
  if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw std::system_error(errno, std::generic_category(), "what the lens recorded");
    done += static_cast<std::size_t>(written);
  }
  return file;
}

std::vector<lens::Launch> lens_from_file(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > largest_lens_file)
    throw std::runtime_error("what the lens recorded is not a file of a reasonable size");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t length =
        pread(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) break;
    done += static_cast<std::size_t>(length);
  }
  text.resize(done);
  if (json_nesting(text) > max_json_nesting)
    throw std::runtime_error("what the lens recorded is nested too deep");
  try {
    return lens::launches_from_json(lens::Json::parse(text));
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("what the lens recorded is not understood: ") + error.what());
  }
}

Json to_json(const DeviceInfo& device) { return device; }

DeviceInfo device_from(const Json& json) { return json.get<DeviceInfo>(); }

Json to_json(const Ceiling& ceiling) {
  const Summary& s = ceiling.time_ms;
  Json json = s;
  put(json, "mad", s.mad);
  put(json, "stddev", s.stddev);
  put(json, "interval_low", s.interval_low);
  put(json, "interval_high", s.interval_high);
  json["what"] = ceiling.what;
  json["amount"] = ceiling.amount;
  return json;
}

Ceiling ceiling_from(const Json& json) {
  Summary s = json.get<Summary>();
  get(json, "mad", s.mad);
  get(json, "stddev", s.stddev);
  get(json, "interval_low", s.interval_low);
  get(json, "interval_high", s.interval_high);
  return {json.at("what").get<std::string>(), json.at("amount").get<double>(), s};
}

}  // namespace warplab::protocol
