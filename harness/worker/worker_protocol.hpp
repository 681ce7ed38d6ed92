#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "common/host/descriptor.hpp"
#include "harness/rung/ceiling.hpp"
#include "harness/rung/device_info.hpp"
#include "harness/rung/rung_request.hpp"

/// What program and worker say to each other: one JSON object a packet over a local socket; arrays lie in
/// shared memory, whose descriptor travels with the packet.
namespace warplab::protocol {

using Json = nlohmann::json;

inline constexpr int worker_socket = 3;   ///< the worker's descriptor of its end
inline constexpr int worker_reports = 4;  ///< the worker's descriptor of the pipe for the emulator's reports
/// Before the module among a worker's arguments: it calls confine_this_worker first.
inline constexpr const char* confined_argument = "--confined";

/// A packet and the descriptor that came with it, if any.
struct Packet {
  Json message;
  Descriptor descriptor;
};

/// Sends one packet. @return false if the other side is gone. @throws std::system_error
bool send(int socket, const Json& message, int descriptor = -1);

/// Receives one packet; waits for it. Whatever comes, at most the packet's descriptor stays open.
/// @return nothing if the other side is gone.
/// @throws std::runtime_error if what came is not a JSON object with at most one descriptor
std::optional<Packet> receive(int socket);

/// Where the arrays of a request are in shared memory: inputs, then outputs, each aligned to 4096 bytes.
struct Layout {
  std::vector<std::size_t> offsets;
  std::size_t total_bytes = 0;
};
Layout layout_of(const RungRequest& request);

Json to_json(const Case& c);
Case case_from(const Json& json);

Json to_json(const RungRequest& request);
/// The request, with its arrays placed in `shared`. @throws std::runtime_error if they do not fit in it
RungRequest request_from(const Json& json, std::span<std::byte> shared);

/// Without what the lens recorded, which may be larger than a packet and travels as a file.
Json to_json(const RungReply& reply);
RungReply reply_from(const Json& json);

/// What the lens recorded, as JSON text in anonymous memory. @throws std::system_error
Descriptor lens_file(const std::vector<lens::Launch>& launches);
/// What is in such a file, which may hold anything. @throws std::runtime_error if
/// it is not what the lens writes
std::vector<lens::Launch> lens_from_file(int descriptor);

Json to_json(const DeviceInfo& info);
DeviceInfo device_from(const Json& json);

Json to_json(const Ceiling& ceiling);
Ceiling ceiling_from(const Json& json);

Json to_json(const BenchmarkOptions& options);
BenchmarkOptions benchmark_from(const Json& json);

}  // namespace warplab::protocol
