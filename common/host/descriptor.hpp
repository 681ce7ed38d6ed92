#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
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

/// Makes a pipe that a program which is executed does not inherit. @return its other end
/// @param end becomes the one to read from
/// @throws std::system_error if there can be no more
inline Descriptor pipe_into(Descriptor& end) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  end = Descriptor(ends[0]);
  return Descriptor(ends[1]);
}

}  // namespace warplab
