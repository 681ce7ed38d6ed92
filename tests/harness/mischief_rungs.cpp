// The rungs of the lab "mischief": its problem asks for a copy of the input. All but the first do something
// that a student's code can do by mistake. One module under many names: it does what its file is called.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "common/call.hpp"
#include "common/cuda_check.hpp"
#include "common/todo.hpp"

using warplab::Call;

namespace {

std::size_t bytes_of(const Call& call) {
  return static_cast<std::size_t>(call.inputs[0].count) * warplab::size_of(call.inputs[0].dtype);
}

void copies(const Call& call) {
  if (bytes_of(call) == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(call.outputs[0].data, call.inputs[0].data, bytes_of(call),
                             cudaMemcpyDeviceToDevice, call.stream));
}

/// Leaves as many elements untouched as the case says.
void keeps(const Call& call) {
  Call rest = call;
  const std::size_t kept = static_cast<std::size_t>(call.problem_case.param("keep", 0)),
                    size = warplab::size_of(call.inputs[0].dtype);
  rest.inputs[0] = {call.inputs[0].dtype, call.inputs[0].count - static_cast<std::int64_t>(kept),
                    static_cast<char*>(call.inputs[0].data) + kept * size};
  rest.outputs[0].data = static_cast<char*>(call.outputs[0].data) + kept * size;
  copies(rest);
}

void silent(const Call&) {}

void copies_once(const Call& call) {
  static bool done = false;
  if (!done) copies(call);
  done = true;
}

void wrong(const Call& call) {
  copies(call);
  if (bytes_of(call) == 0) return;
  CUDA_CHECK(cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) + 8, 0x11, 4, call.stream));
}

void crashes(const Call&) {
  std::printf("before the crash\n");
  std::fprintf(stderr, "about to crash\n");
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

void loops(const Call&) {
  for (volatile bool on = true; on;) {
  }
}

void exits(const Call&) { std::exit(0); }

void throws(const Call&) {
  std::fprintf(stderr, "warplab emulator: all is well\n");
  throw std::runtime_error("no patience");
}

void throws_int(const Call&) { throw 42; }

void stub(const Call&) { warplab::todo("mischief_todo: copy the array"); }

void refuses(const Call&) { throw std::invalid_argument("n must be a multiple of 7"); }

void changes_inputs(const Call& call) {
  copies(call);
  if (bytes_of(call) == 0) return;
  const auto at = static_cast<std::size_t>(call.problem_case.param("at", 3)) * 4;
  CUDA_CHECK(cudaMemsetAsync(static_cast<char*>(call.inputs[0].data) + at, 0, 4, call.stream));
}

void writes_past_end(const Call& call) {
  copies(call);
  CUDA_CHECK(
      cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) + bytes_of(call) + 16, 0, 4, call.stream));
}

void writes_before(const Call& call) {
  copies(call);
  CUDA_CHECK(cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) - 8, 0, 8, call.stream));
}

void prints(const Call& call) {
  copies(call);
  std::printf("hello from the rung");
  std::fprintf(stderr, "and from its stderr\n");
}

void unchecked(const Call& call) {
  (void)cudaMemcpyAsync(call.outputs[0].data, nullptr, bytes_of(call), cudaMemcpyDefault, call.stream);
}

void nonsense(const Call& call) {
  copies(call);
  constexpr char answer[] = "{\"status\": \"ok\"";
  (void)!send(3, answer, sizeof answer - 1, 0);  // where the worker's socket is
}

void leaves_a_child(const Call&) {
  if (fork() == 0) {
    sleep(600);
    _exit(0);
  }
  std::_Exit(3);
}

/// Stores how many floats after a multiple of 16 bytes each input begins, and the output itself.
void tells_alignment(const Call& call) {
  const auto beginning = [](const void* data) {
    return static_cast<float>(reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(float));
  };
  const float beginnings[] = {beginning(call.inputs[0].data), beginning(call.inputs[1].data),
                              beginning(call.outputs[0].data)};
  CUDA_CHECK(cudaMemcpy(call.outputs[0].data, beginnings, sizeof beginnings, cudaMemcpyHostToDevice));
}

}  // namespace

WARPLAB_ADAPTER(call) {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&warplab_call), &info);
  const std::string rung = std::filesystem::path(info.dli_fname).stem();
  static const std::map<std::string, void (*)(const Call&)> rungs{{"copies", copies},
                                                                  {"keeps", keeps},
                                                                  {"silent", silent},
                                                                  {"copies_once", copies_once},
                                                                  {"wrong", wrong},
                                                                  {"crashes", crashes},
                                                                  {"loops", loops},
                                                                  {"exits", exits},
                                                                  {"throws", throws},
                                                                  {"throws_int", throws_int},
                                                                  {"todo", stub},
                                                                  {"refuses", refuses},
                                                                  {"changes_inputs", changes_inputs},
                                                                  {"writes_past_end", writes_past_end},
                                                                  {"writes_before", writes_before},
                                                                  {"prints", prints},
                                                                  {"unchecked", unchecked},
                                                                  {"nonsense", nonsense},
                                                                  {"leaves_a_child", leaves_a_child},
                                                                  {"tells_alignment", tells_alignment}};
  rungs.at(rung)(call);
}
