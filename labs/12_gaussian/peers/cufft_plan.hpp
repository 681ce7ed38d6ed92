#pragma once

#include <cufft.h>

#include <cstddef>
#include <stdexcept>
#include <string>

// cuFFT's plans, and sizes that it transforms fast.

inline void check(cufftResult status, const char* call) {
  if (status != CUFFT_SUCCESS)
    throw std::runtime_error(std::string(call) + " returned cuFFT's status " + std::to_string(status));
}
#define CUFFT_CHECK(call) check(call, #call)

/// A plan that is made again only when its size changes.
class CufftPlan {
 public:
  CufftPlan() = default;
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;
  ~CufftPlan() {
    if (batch_) cufftDestroy(plan_);
  }
  cufftHandle get(cufftType type, int rows, int cols, int batch, cudaStream_t stream) {
    if (rows != rows_ || cols != cols_ || batch != batch_) {
      if (batch_) CUFFT_CHECK(cufftDestroy(plan_));
      batch_ = 0;
      const int line = cols / 2 + 1;
      long long size[2] = {rows, cols}, reals[2] = {rows, 2 * line}, complexes[2] = {rows, line};
      const bool forward = type == CUFFT_R2C;
      const long long reals_a_plane = 2LL * line * rows, complexes_a_plane = 1LL * line * rows;
      std::size_t work = 0;
      CUFFT_CHECK(cufftCreate(&plan_));
      CUFFT_CHECK(cufftMakePlanMany64(
          plan_, 2, size, forward ? reals : complexes, 1, forward ? reals_a_plane : complexes_a_plane,
          forward ? complexes : reals, 1, forward ? complexes_a_plane : reals_a_plane, type, batch, &work));
      rows_ = rows, cols_ = cols, batch_ = batch;
    }
    CUFFT_CHECK(cufftSetStream(plan_, stream));
    return plan_;
  }

 private:
  cufftHandle plan_{};
  int rows_ = 0, cols_ = 0, batch_ = 0;
};

/// The next size of at least n, a multiple of 4, that has no factors but 2, 3, 5 and 7.
inline int good_cufft_size(int n) {
  for (int size = (n + 3) / 4 * 4;; size += 4) {
    int rest = size;
    for (int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return size;
  }
}
