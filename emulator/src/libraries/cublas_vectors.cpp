// cuBLAS for vectors, and for a matrix and a vector.
#include <cublas_v2.h>

#include <cmath>
#include <functional>
#include <utility>

#include "emulator/src/libraries/cublas_call.hpp"

namespace {

using namespace warplab::emulator;

template <class T>
constexpr cudaDataType type_of = __is_same(T, double) ? CUDA_R_64F : CUDA_R_32F;

/// The elements of a vector. With a negative distance it begins at its end, as in BLAS.
template <class T>
struct Elements {
  T* data;
  int count, increment;
  T& operator[](int i) const {
    return data[static_cast<std::ptrdiff_t>(increment < 0 ? i - (count - 1) : i) * increment];
  }
};

template <class T>
cublasStatus_t axpy(CublasCall call, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  const Factor factor = call.factor("alpha", alpha, type_of<T>);
  return call.vector("x", x, n, incx, sizeof(T)).vector("y", y, n, incy, sizeof(T)).run([=] {
    const Elements<const T> from{x, n, incx};
    const Elements<T> to{y, n, incy};
    const T a = static_cast<T>(factor.get());
    for (int i = 0; i < n; ++i) to[i] += a * from[i];
  });
}

template <class T>
cublasStatus_t scal(CublasCall call, int n, const T* alpha, T* x, int incx) {
  if (incx <= 0) n = 0;  // as BLAS has it
  const Factor factor = call.factor("alpha", alpha, type_of<T>);
  return call.vector("x", x, n, incx, sizeof(T)).run([=] {
    const T a = static_cast<T>(factor.get());
    for (int i = 0; i < n; ++i) Elements<T>{x, n, incx}[i] *= a;
  });
}

template <class T>
cublasStatus_t copy(CublasCall call, int n, const T* x, int incx, T* y, int incy) {
  return call.vector("x", x, n, incx, sizeof(T)).vector("y", y, n, incy, sizeof(T)).run([=] {
    for (int i = 0; i < n; ++i) Elements<T>{y, n, incy}[i] = Elements<const T>{x, n, incx}[i];
  });
}

template <class T>
cublasStatus_t dot(CublasCall call, int n, const T* x, int incx, const T* y, int incy, T* result) {
  call.vector("x", x, n, incx, sizeof(T)).vector("y", y, n, incy, sizeof(T));
  return call.run_for(result, type_of<T>, [=] {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += static_cast<double>(Elements<const T>{x, n, incx}[i]) * Elements<const T>{y, n, incy}[i];
    return sum;
  });
}

template <class T>
cublasStatus_t nrm2(CublasCall call, int n, const T* x, int incx, T* result) {
  if (incx <= 0) n = 0;
  return call.vector("x", x, n, incx, sizeof(T)).run_for(result, type_of<T>, [=] {
    long double sum = 0;  // whose squares of doubles stay finite
    for (int i = 0; i < n; ++i) {
      const long double value = Elements<const T>{x, n, incx}[i];
      sum += value * value;
    }
    return static_cast<double>(std::sqrt(sum));
  });
}

template <class T>
cublasStatus_t asum(CublasCall call, int n, const T* x, int incx, T* result) {
  if (incx <= 0) n = 0;
  return call.vector("x", x, n, incx, sizeof(T)).run_for(result, type_of<T>, [=] {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::abs(static_cast<double>(Elements<const T>{x, n, incx}[i]));
    return sum;
  });
}

template <class T>
cublasStatus_t swap(CublasCall call, int n, T* x, int incx, T* y, int incy) {
  return call.vector("x", x, n, incx, sizeof(T)).vector("y", y, n, incy, sizeof(T)).run([=] {
    for (int i = 0; i < n; ++i) std::swap(Elements<T>{x, n, incx}[i], Elements<T>{y, n, incy}[i]);
  });
}

/// @param is_better whether the first magnitude is found instead of the second
template <class T, class Compare>
cublasStatus_t find(CublasCall call, int n, const T* x, int incx, int* result, Compare is_better) {
  if (incx <= 0) n = 0;
  return call.vector("x", x, n, incx, sizeof(T)).run_for(result, CUDA_R_32I, [=] {
    const Elements<const T> elements{x, n, incx};
    int best = 0;
    for (int i = 1; i < n; ++i)
      if (is_better(std::abs(elements[i]), std::abs(elements[best]))) best = i;
    return n <= 0 ? 0 : best + 1;
  });
}

template <class T>
cublasStatus_t ger(CublasCall call, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,
                   T* a, int lda) {
  call.require(incx != 0 && incy != 0, "incx or incy is 0");
  const Factor by = call.factor("alpha", alpha, type_of<T>);
  call.vector("x", x, m, incx, sizeof(T)).vector("y", y, n, incy, sizeof(T));
  return call.matrix("A", {a, type_of<T>, lda, false}, m, n).run([=] {
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < m; ++row)
        a[static_cast<std::size_t>(row) + static_cast<std::size_t>(column) * static_cast<std::size_t>(lda)] +=
            static_cast<T>(by.get() * Elements<const T>{x, m, incx}[row] *
                           Elements<const T>{y, n, incy}[column]);
  });
}

template <class T>
cublasStatus_t gemv(CublasCall call, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  const bool transposed = op != CUBLAS_OP_N;
  const int terms = transposed ? m : n, results = transposed ? n : m;
  call.require(incx != 0 && incy != 0, "incx or incy is 0");
  const Factor by = call.factor("alpha", alpha, type_of<T>), keep = call.factor("beta", beta, type_of<T>);
  call.matrix("A", {a, type_of<T>, lda, transposed}, m, n).vector("x", x, terms, incx, sizeof(T));
  return call.vector("y", y, results, incy, sizeof(T)).run([=] {
    const auto ld = static_cast<std::size_t>(lda);
    for (int i = 0; i < results; ++i) {
      double sum = 0;
      for (int j = 0; j < terms; ++j) {
        const std::size_t row = static_cast<std::size_t>(transposed ? j : i);
        const std::size_t column = static_cast<std::size_t>(transposed ? i : j);
        sum += static_cast<double>(a[row + column * ld]) * Elements<const T>{x, terms, incx}[j];
      }
      T& to = Elements<T>{y, results, incy}[i];
      const double before = keep.get() == 0 ? 0 : keep.get() * to;
      to = static_cast<T>(by.get() * sum + before);
    }
  });
}

}  // namespace

// NOLINTBEGIN: one letter says the type, as in the header.
#define WARPLAB_CUBLAS_VECTORS(S, T)                                                                         \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,   \
                                 int incy) {                                                                 \
    return axpy({handle, "cublas" #S "axpy"}, n, alpha, x, incx, y, incy);                                   \
  }                                                                                                          \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {             \
    return scal({handle, "cublas" #S "scal"}, n, alpha, x, incx);                                            \
  }                                                                                                          \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {       \
    return copy({handle, "cublas" #S "copy"}, n, x, incx, y, incy);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,    \
                                T* result) {                                                                 \
    return dot({handle, "cublas" #S "dot"}, n, x, incx, y, incy, result);                                    \
  }                                                                                                          \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {            \
    return nrm2({handle, "cublas" #S "nrm2"}, n, x, incx, result);                                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) {            \
    return asum({handle, "cublas" #S "asum"}, n, x, incx, result);                                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {             \
    return swap({handle, "cublas" #S "swap"}, n, x, incx, y, incy);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,   \
                                const T* y, int incy, T* a, int lda) {                                       \
    return ger({handle, "cublas" #S "ger"}, m, n, alpha, x, incx, y, incy, a, lda);                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,  \
                                 const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) { \
    return gemv({handle, "cublas" #S "gemv"}, op, m, n, alpha, a, lda, x, incx, beta, y, incy);              \
  }
WARPLAB_CUBLAS_VECTORS(S, float)
WARPLAB_CUBLAS_VECTORS(D, double)
#undef WARPLAB_CUBLAS_VECTORS

#define WARPLAB_CUBLAS_SEARCH(name, T, compare)                                          \
  cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, int* result) { \
    return find({handle, #name}, n, x, incx, result, compare());                         \
  }
WARPLAB_CUBLAS_SEARCH(cublasIsamax, float, std::greater<>)
WARPLAB_CUBLAS_SEARCH(cublasIsamin, float, std::less<>)
WARPLAB_CUBLAS_SEARCH(cublasIdamax, double, std::greater<>)
WARPLAB_CUBLAS_SEARCH(cublasIdamin, double, std::less<>)
#undef WARPLAB_CUBLAS_SEARCH
// NOLINTEND
