#include "harness/worker_protocol.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "lens/json.hpp"

namespace warplab::protocol {
namespace {

constexpr std::size_t largest_packet = 128 * 1024;
constexpr std::size_t longest_text = 16 * 1024;
constexpr off_t largest_lens_file = 64 * 1024 * 1024;

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> optional_from(const Json& json, const char* key) {
  return json.at(key).is_null() ? std::nullopt : std::optional<T>(json.at(key).get<T>());
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
  header.msg_controllen = sizeof control;
  ssize_t received;
  do received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0 && errno != ECONNRESET) throw std::system_error(errno, std::generic_category(), "recvmsg");
  if (received <= 0) return std::nullopt;
  Packet packet;
  if (const cmsghdr* attached = CMSG_FIRSTHDR(&header);
      attached && attached->cmsg_level == SOL_SOCKET && attached->cmsg_type == SCM_RIGHTS)
    std::memcpy(&packet.descriptor, CMSG_DATA(attached), sizeof(int));
  text.resize(static_cast<std::size_t>(received));
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
  Json params = Json::array();
  for (const Parameter& p : c.params) params.push_back({p.name, p.value, p.label});
  return {{"size", c.size},
          {"dtype", std::string(name_of(c.dtype))},
          {"seed", c.seed},
          {"block", optional_json(c.block)},
          {"grid", optional_json(c.grid)},
          {"params", params}};
}

Case case_from(const Json& json) {
  Case c;
  json.at("size").get_to(c.size);
  c.dtype = dtype_from(json.at("dtype"));
  json.at("seed").get_to(c.seed);
  c.block = optional_from<Extent3>(json, "block");
  c.grid = optional_from<Extent3>(json, "grid");
  for (const Json& p : json.at("params")) c.params.push_back({p.at(0), p.at(1), p.at(2)});
  return c;
}

Json to_json(const BenchmarkOptions& o) {
  return {{"repeat", o.repeat},           {"settled", o.settled},           {"min_samples", o.min_samples},
          {"max_samples", o.max_samples}, {"time_limit_s", o.time_limit_s}, {"warm_up", o.warm_up},
          {"cold_l2", o.cold_l2}};
}

BenchmarkOptions benchmark_from(const Json& json) {
  BenchmarkOptions o;
  json.at("repeat").get_to(o.repeat);
  json.at("settled").get_to(o.settled);
  json.at("min_samples").get_to(o.min_samples);
  json.at("max_samples").get_to(o.max_samples);
  json.at("time_limit_s").get_to(o.time_limit_s);
  json.at("warm_up").get_to(o.warm_up);
  json.at("cold_l2").get_to(o.cold_l2);
  return o;
}

Json to_json(const RungRequest& request) {
  const Layout layout = layout_of(request);
  Json inputs = Json::array(), outputs = Json::array();
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    inputs.push_back(array_json(request.inputs[i], layout.offsets[i]));
  for (std::size_t i = 0; i < request.outputs.size(); ++i)
    outputs.push_back(array_json(request.outputs[i], layout.offsets[request.inputs.size() + i]));
  return {{"case", to_json(request.problem_case)},
          {"inputs", inputs},
          {"outputs", outputs},
          {"workspace_bytes", request.workspace_bytes},
          {"host_buffers", request.host_buffers},
          {"outputs_preset", request.outputs_preset},
          {"paired_with", request.paired_with},
          {"measure", request.measure},
          {"lens_blocks", optional_json(request.lens_blocks)},
          {"profiled", request.profiled},
          {"benchmark", to_json(request.benchmark)}};
}

RungRequest request_from(const Json& json, std::span<std::byte> shared) {
  RungRequest request;
  request.problem_case = case_from(json.at("case"));
  for (const Json& array : json.at("inputs")) request.inputs.push_back(array_from(array, shared));
  for (const Json& array : json.at("outputs")) request.outputs.push_back(array_from(array, shared));
  json.at("workspace_bytes").get_to(request.workspace_bytes);
  json.at("host_buffers").get_to(request.host_buffers);
  json.at("outputs_preset").get_to(request.outputs_preset);
  json.at("paired_with").get_to(request.paired_with);
  json.at("measure").get_to(request.measure);
  request.lens_blocks = optional_from<std::uint64_t>(json, "lens_blocks");
  json.at("profiled").get_to(request.profiled);
  request.benchmark = benchmark_from(json.at("benchmark"));
  return request;
}

Json to_json(const RungReply& reply) {
  Json json{{"status", name_of(reply.status)},
            {"why", clean(reply.why)},
            {"inputs_changed", reply.inputs_changed},
            {"context_lost", reply.context_lost},
            {"cuda_error", reply.cuda_error},
            {"h2d_ms", optional_json(reply.h2d_ms)},
            {"d2h_ms", optional_json(reply.d2h_ms)},
            {"samples_ms", reply.samples_ms},
            {"paired_samples_ms", reply.paired_samples_ms},
            {"kernels", Json::array()},
            {"counts", nullptr}};
  for (const KernelUse& k : reply.kernels)
    json["kernels"].push_back(
        {k.kernel, k.grid, k.block, k.registers, k.local_bytes, k.shared_bytes, k.occupancy});
  if (const auto& c = reply.counts)
    json["counts"] = {
        {"launches", c->launches}, {"blocks", c->blocks}, {"threads", c->threads}, {"barriers", c->barriers}};
  return json;
}

RungReply reply_from(const Json& json) {
  RungReply reply;
  for (const Json& k : json.at("kernels"))
    reply.kernels.push_back({k.at(0), k.at(1), k.at(2), k.at(3), k.at(4), k.at(5), k.at(6)});
  reply.status = parse_status(json.at("status").get<std::string>());
  json.at("why").get_to(reply.why);
  json.at("inputs_changed").get_to(reply.inputs_changed);
  json.at("context_lost").get_to(reply.context_lost);
  json.at("cuda_error").get_to(reply.cuda_error);
  reply.h2d_ms = optional_from<double>(json, "h2d_ms");
  reply.d2h_ms = optional_from<double>(json, "d2h_ms");
  json.at("samples_ms").get_to(reply.samples_ms);
  json.at("paired_samples_ms").get_to(reply.paired_samples_ms);
  if (const Json& c = json.at("counts"); !c.is_null())
    reply.counts = LaunchCounts{c.at("launches"), c.at("blocks"), c.at("threads"), c.at("barriers")};
  return reply;
}

int lens_file(const std::vector<lens::Launch>& launches) {
  const std::string text = lens::measurement_json(launches).dump();
  const int file = memfd_create("warplab-lens", MFD_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = errno;
      close(file);
      throw std::system_error(error, std::generic_category(), "what the lens recorded");
    }
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
  return lens::launches_from_json(lens::Json::parse(text));
}

Json to_json(const DeviceInfo& d) {
  return {{"name", d.name},
          {"emulator", d.emulator},
          {"compute_major", d.compute_major},
          {"compute_minor", d.compute_minor},
          {"multiprocessors", d.multiprocessors},
          {"clock_mhz", d.clock_mhz},
          {"memory_clock_mhz", d.memory_clock_mhz},
          {"bus_width_bits", d.bus_width_bits},
          {"l2_bytes", d.l2_bytes},
          {"memory_bytes", d.memory_bytes},
          {"free_bytes", d.free_bytes},
          {"driver", d.driver},
          {"toolkit", d.toolkit}};
}

DeviceInfo device_from(const Json& json) {
  DeviceInfo d;
  json.at("name").get_to(d.name);
  json.at("emulator").get_to(d.emulator);
  json.at("compute_major").get_to(d.compute_major);
  json.at("compute_minor").get_to(d.compute_minor);
  json.at("multiprocessors").get_to(d.multiprocessors);
  json.at("clock_mhz").get_to(d.clock_mhz);
  json.at("memory_clock_mhz").get_to(d.memory_clock_mhz);
  json.at("bus_width_bits").get_to(d.bus_width_bits);
  json.at("l2_bytes").get_to(d.l2_bytes);
  json.at("memory_bytes").get_to(d.memory_bytes);
  json.at("free_bytes").get_to(d.free_bytes);
  json.at("driver").get_to(d.driver);
  json.at("toolkit").get_to(d.toolkit);
  return d;
}

Json to_json(const Ceiling& ceiling) {
  const Summary& s = ceiling.time_ms;
  return {{"what", ceiling.what},
          {"amount", ceiling.amount},
          {"samples", s.samples},
          {"median", s.median},
          {"mean", s.mean},
          {"min", s.min},
          {"max", s.max},
          {"mad", optional_json(s.mad)},
          {"stddev", optional_json(s.stddev)},
          {"interval_low", optional_json(s.interval_low)},
          {"interval_high", optional_json(s.interval_high)}};
}

Ceiling ceiling_from(const Json& json) {
  Summary s;
  json.at("samples").get_to(s.samples);
  json.at("median").get_to(s.median);
  json.at("mean").get_to(s.mean);
  json.at("min").get_to(s.min);
  json.at("max").get_to(s.max);
  s.mad = optional_from<double>(json, "mad");
  s.stddev = optional_from<double>(json, "stddev");
  s.interval_low = optional_from<double>(json, "interval_low");
  s.interval_high = optional_from<double>(json, "interval_high");
  return {json.at("what").get<std::string>(), json.at("amount").get<double>(), s};
}

}  // namespace warplab::protocol
