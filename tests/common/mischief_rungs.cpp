// The rungs of the lab "mischief": its problem asks for a copy of the input. All but the first do something
// that a student's code can do by mistake. Compiled once for each rung.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "common/call.hpp"
#include "common/cuda_check.hpp"
#include "common/todo.hpp"

using warplab::Call;

namespace {

std::size_t bytes_of(const Call& call) {
  return static_cast<std::size_t>(call.inputs[0].count) * warplab::size_of(call.inputs[0].dtype);
}

[[maybe_unused]] void mischief_copies(const Call& call) {
  if (bytes_of(call) == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(call.outputs[0].data, call.inputs[0].data, bytes_of(call),
                             cudaMemcpyDeviceToDevice, call.stream));
}

[[maybe_unused]] void mischief_silent(const Call&) {}

[[maybe_unused]] void mischief_wrong(const Call& call) {
  mischief_copies(call);
  CUDA_CHECK(cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) + 8, 0x11, 4, call.stream));
}

[[maybe_unused]] void mischief_crashes(const Call&) {
  std::printf("before the crash\n");
  std::fprintf(stderr, "about to crash\n");
  int* volatile nowhere = nullptr;
  *nowhere = 1;
}

[[maybe_unused]] void mischief_loops(const Call&) {
  for (volatile bool on = true; on;) {
  }
}

[[maybe_unused]] void mischief_exits(const Call&) { std::exit(0); }

[[maybe_unused]] void mischief_throws(const Call&) { throw std::runtime_error("no patience"); }

[[maybe_unused]] void mischief_throws_int(const Call&) { throw 42; }

[[maybe_unused]] void mischief_todo(const Call&) { warplab::todo("mischief_todo: copy the array"); }

[[maybe_unused]] void mischief_refuses(const Call&) {
  throw std::invalid_argument("n must be a multiple of 7");
}

[[maybe_unused]] void mischief_changes_inputs(const Call& call) {
  mischief_copies(call);
  CUDA_CHECK(
      cudaMemsetAsync(static_cast<char*>(const_cast<float*>(call.input<float>(0))) + 12, 0, 4, call.stream));
}

[[maybe_unused]] void mischief_writes_past_end(const Call& call) {
  mischief_copies(call);
  CUDA_CHECK(
      cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) + bytes_of(call) + 16, 0, 4, call.stream));
}

[[maybe_unused]] void mischief_writes_before(const Call& call) {
  mischief_copies(call);
  CUDA_CHECK(cudaMemsetAsync(static_cast<char*>(call.outputs[0].data) - 8, 0, 8, call.stream));
}

[[maybe_unused]] void mischief_prints(const Call& call) {
  mischief_copies(call);
  std::printf("hello from the rung");
  std::fprintf(stderr, "and from its stderr\n");
}

[[maybe_unused]] void mischief_unchecked(const Call& call) {
  (void)cudaMemcpyAsync(call.outputs[0].data, call.inputs[0].data, bytes_of(call),
                        static_cast<cudaMemcpyKind>(77), call.stream);
}

[[maybe_unused]] void mischief_nonsense(const Call& call) {
  mischief_copies(call);
  constexpr char answer[] = "{\"status\": \"ok\"";
  (void)!send(3, answer, sizeof answer - 1, 0);  // where the worker's socket is
}

[[maybe_unused]] void mischief_leaves_a_child(const Call&) {
  if (fork() == 0) {
    sleep(600);
    _exit(0);
  }
  std::_Exit(3);
}

[[maybe_unused]] void mischief_no_entry(const Call&) {}

}  // namespace

#ifndef WARPLAB_NO_ENTRY
WARPLAB_ADAPTER(call) { WARPLAB_RUNG(call); }
#endif
