#pragma once

#include <pthread.h>

#include <cstddef>

namespace warplab::test {

/// While it lives, the system gives the process no new threads: their stacks would be too large.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &stack_bytes_);
    pthread_attr_destroy(&attributes);
    set_stack_bytes(std::size_t{1} << 50);
  }
  ~NoMoreThreads() { set_stack_bytes(stack_bytes_); }
  NoMoreThreads(const NoMoreThreads&) = delete;

 private:
  static void set_stack_bytes(std::size_t bytes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }

  std::size_t stack_bytes_ = 0;
};

}  // namespace warplab::test
