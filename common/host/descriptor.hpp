#pragma once

#include <unistd.h>

#include <utility>

namespace warplab {

/// A file descriptor of POSIX that is closed with its owner; below 0 there is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close_now(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close_now();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  operator int() const { return number_; }

  void close_now() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace warplab
