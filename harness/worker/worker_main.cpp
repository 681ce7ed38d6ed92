// libexec/warplab-worker: holds one rung and serves requests until its socket closes. It sees inputs, never
// an oracle or an expected value; whatever the rung does to this process costs only this rung.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "common/host/descriptor.hpp"
#include "harness/rung/rung_session.hpp"
#include "harness/worker/worker_confinement.hpp"
#include "harness/worker/worker_protocol.hpp"

#ifdef WARPLAB_BACKEND_EMULATOR
#include <warplab_emulator/lens/reports.hpp>
#endif

namespace {

using namespace warplab;

/// Shared memory that came with a request, mapped while it is served.
class SharedMemory {
 public:
  explicit SharedMemory(int descriptor) {
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
      throw std::runtime_error("a request came without its memory");
    bytes_ = static_cast<std::size_t>(status.st_size);
    if (bytes_ == 0) return;
    // All pages at once: a copy from a device that finds them one by one takes several times as long.
    address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (address_ == MAP_FAILED) throw std::runtime_error("the shared memory cannot be mapped");
  }
  ~SharedMemory() {
    if (bytes_ && address_ != MAP_FAILED) munmap(address_, bytes_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(address_), bytes_}; }

 private:
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

struct Answer {
  protocol::Json message;
  Descriptor descriptor = {};  ///< of a file that goes with it
};

Answer serve(const protocol::Packet& packet, const char* path, std::optional<RungModule>& module) {
  const protocol::Json& message = packet.message;
  const auto operation = message.at("operation").get<std::string>();
  try {
    if (operation == "device") return {protocol::to_json(query_device())};
    if (operation == "arithmetic_ceiling")
      return {protocol::to_json(
          measure_arithmetic_ceiling(parse_dtype(message.at("dtype").get<std::string>()).value(),
                                     protocol::benchmark_from(message.at("benchmark"))))};
    if (operation == "copy_ceiling")
      return {protocol::to_json(measure_copy_ceiling(message.at("moved_bytes").get<std::size_t>(),
                                                     protocol::benchmark_from(message.at("benchmark"))))};
  } catch (const NotAvailable& absent) {
    return {protocol::Json{{"not_available", absent.what()}}};
  } catch (const std::exception& error) {
    return {protocol::Json{{"error", error.what()}}};
  }
  if (operation != "run") throw std::runtime_error("unknown operation '" + operation + "'");
  const SharedMemory memory(packet.descriptor);
  try {
    if (!module) module.emplace(path);
  } catch (const ModuleError& error) {
    RungReply reply;
    reply.status = error.status();
    reply.why = error.what();
    return {protocol::to_json(reply)};
  }
  const RungReply reply = run_session(*module, protocol::request_from(message.at("request"), memory.bytes()));
  return {protocol::to_json(reply), reply.lens ? protocol::lens_file(*reply.lens) : Descriptor()};
}

}  // namespace

int main(int argc, char** argv) {
  const bool confined = argc > 1 && std::strcmp(argv[1], protocol::confined_argument) == 0;
  if (confined) --argc, ++argv;
  struct stat socket {};
  if (argc > 2 || fstat(protocol::worker_socket, &socket) != 0 || !S_ISSOCK(socket.st_mode)) {
    std::fprintf(stderr, "warplab-worker is started by warplab's programs, not by hand\n");
    return exit_bad_input;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what a rung prints before it crashes must not be lost
#ifdef WARPLAB_BACKEND_EMULATOR
  emulator::send_reports_to(protocol::worker_reports);
#endif
  const char* const path = argc == 2 ? argv[1] : "";
  std::optional<RungModule> module;
  try {
    if (confined) confine_this_worker();
    while (const std::optional<protocol::Packet> packet = protocol::receive(protocol::worker_socket)) {
      const Answer answer = serve(*packet, path, module);
      std::fflush(nullptr);
      const bool sent = protocol::send(protocol::worker_socket, answer.message, answer.descriptor);
      if (!sent) break;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warplab-worker: %s\n", error.what());
    return exit_fault;
  }
  return exit_ok;
}
