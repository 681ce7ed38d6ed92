#include "harness/worker/case_packet.hpp"

#include "harness/worker/worker_protocol.hpp"

namespace warplab {

std::string packed_case(const Case& c) { return protocol::to_json(c).dump(); }

Case unpacked_case(const std::string& text) { return protocol::case_from(protocol::Json::parse(text)); }

}  // namespace warplab
