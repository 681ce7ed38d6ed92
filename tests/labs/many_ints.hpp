#pragma once

#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "common/cuda_check.hpp"
#include "harness/problem/problem.hpp"
#include "harness/rung/backend.hpp"

namespace warplab {

/// More elements than 32 bits can number, for as little memory as the backend allows. All bytes are 1, but
/// for the last three elements.
class ManyInts {
 public:
  static constexpr std::int64_t n = (std::int64_t{1} << 31) + 3;
  static constexpr int last[3] = {11, 222, 3333};
  static int expected_sum() {
    return static_cast<int>(static_cast<unsigned>(n - 3) * 0x01010101u + 11 + 222 + 3333);
  }

  /// Empty where the memory is not there.
  static std::unique_ptr<ManyInts> make() {
    auto many = std::unique_ptr<ManyInts>(new ManyInts);
    return many->data_ ? std::move(many) : nullptr;
  }
  ~ManyInts() {
    if (backend == Backend::cuda) {
      CUDA_WARN(cudaFree(data_));
    } else if (data_) {
      CUDA_WARN(cudaHostUnregister(data_));
      (void)munmap(data_, bytes);
    }
  }
  const int* data() const { return data_; }

 private:
  static constexpr std::size_t bytes = static_cast<std::size_t>(n) * sizeof(int);

  ManyInts() {
    if (backend == Backend::cuda) {
      if (cudaMalloc(&data_, bytes) != cudaSuccess) {
        data_ = nullptr;
        (void)cudaGetLastError();
        return;
      }
      CUDA_CHECK(cudaMemset(data_, 1, bytes));
    } else {
      map();
      if (!data_) return;
      CUDA_CHECK(cudaHostRegister(data_, bytes, cudaHostRegisterDefault));
    }
    CUDA_CHECK(cudaMemcpy(data_ + n - 3, last, sizeof last, cudaMemcpyDefault));
  }

  /// 16 MiB of memory, seen again and again at consecutive addresses, and a page of its own at the end.
  void map() {
    constexpr std::size_t piece = std::size_t{16} << 20;
    const int file = memfd_create("many ints", 0);
    if (file < 0 || ftruncate(file, piece) != 0) return;
    void* const all =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return;
    for (std::size_t at = 0; at + piece <= bytes; at += piece)
      if (mmap(static_cast<char*>(all) + at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
               0) == MAP_FAILED)
        return;
    std::memset(all, 1, piece);
    std::memset(static_cast<char*>(all) + bytes / piece * piece, 1, bytes % piece);
    close(file);
    data_ = static_cast<int*>(all);
  }

  int* data_ = nullptr;
};

}  // namespace warplab
