#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/host/dtype.hpp"

namespace warplab {

/// An array in host memory: an element type, a shape (row-major) and its bytes.
class HostArray {
 public:
  HostArray() = default;

  /// Zero-filled. @throws std::invalid_argument on a negative extent or more than 2^62 bytes.
  HostArray(DType dtype, std::vector<std::int64_t> shape) : dtype_(dtype), shape_(std::move(shape)) {
    bytes_.resize(static_cast<std::size_t>(checked_count()) * size_of(dtype_));
  }

  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t count() const { return static_cast<std::int64_t>(bytes_.size() / size_of(dtype_)); }
  std::size_t size_bytes() const { return bytes_.size(); }
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// The elements. @throws std::invalid_argument if T is not the array's type.
  template <class T>
  std::span<T> as() {
    check_type(dtype_of<T>());
    return {reinterpret_cast<T*>(bytes_.data()), static_cast<std::size_t>(count())};
  }
  template <class T>
  std::span<const T> as() const {
    check_type(dtype_of<T>());
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<std::size_t>(count())};
  }

 private:
  std::int64_t checked_count() const {
    std::int64_t count = 1;
    for (std::int64_t extent : shape_)
      if (extent < 0 || __builtin_mul_overflow(count, extent, &count) || count > (std::int64_t{1} << 59))
        throw std::invalid_argument("an array of this shape does not fit in memory");
    return count;
  }
  void check_type(DType wanted) const {
    if (wanted != dtype_) throw std::invalid_argument("the array holds another element type");
  }

  DType dtype_ = DType::f32;
  std::vector<std::int64_t> shape_;
  std::vector<std::byte> bytes_;
};

}  // namespace warplab
