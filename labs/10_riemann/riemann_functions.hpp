#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "riemann_shape.hpp"

// The integrands of lab 10. Each is a small object that kernels get by value and call on the
// device, in its own type. No x below `least` has a value. largest() runs on the host: no
// |f(x)| with from <= x <= to exceeds it.

/// e^x sin x. It grows, so the last intervals decide.
template <class T>
struct ExpSin {
  using Value = T;
  static constexpr double least = riemann_min_end;
  __device__ T operator()(T x) const { return exp(x) * sin(x); }
  double largest(double, double to) const { return std::exp(to) * (1 + 0x1p-20); }
};

/// sin(x^2): no formula of known functions has this derivative.
template <class T>
struct SinSquare {
  using Value = T;
  static constexpr double least = riemann_min_end;
  __device__ T operator()(T x) const { return sin(x * x); }
  double largest(double, double) const { return 1; }
};

/// |x - at|: its slope jumps, so a rule of higher order gains nothing there.
template <class T>
struct Kinked {
  using Value = T;
  static constexpr double least = riemann_min_end;
  T at;
  __device__ T operator()(T x) const { return x < at ? at - x : x - at; }
  double largest(double from, double to) const {
    return std::fmax(std::fabs(from - at), std::fabs(to - at)) * (1 + 0x1p-20);
  }
};

/// The square root of x >= 0: its slope is infinite at 0.
template <class T>
struct Root {
  using Value = T;
  static constexpr double least = 0;
  __device__ T operator()(T x) const { return sqrt(x); }
  double largest(double, double to) const { return std::sqrt(to) * (1 + 0x1p-20); }
};

/// x itself: sums can be checked by hand.
template <class T>
struct Linear {
  using Value = T;
  static constexpr double least = riemann_min_end;
  __device__ T operator()(T x) const { return x; }
  double largest(double from, double to) const {
    return std::fmax(std::fabs(from), std::fabs(to)) * (1 + 0x1p-20);
  }
};

/// The same value everywhere: every error of its sum comes from the additions.
template <class T>
struct Constant {
  using Value = T;
  static constexpr double least = riemann_min_end;
  T value;
  __device__ T operator()(T) const { return value; }
  double largest(double, double) const { return std::fabs(value); }
};

/// x itself, and an atomic that counts the call: the lens shows how often a kernel evaluates its integrand.
template <class T>
struct Counted {
  using Value = T;
  static constexpr double least = riemann_min_end;
  unsigned long long* calls;  ///< device memory
  __device__ T operator()(T x) const {
#ifdef __CUDACC__  // a C++ compiler that sees this header knows no atomicAdd()
    atomicAdd(calls, 1ull);
#endif
    return x;
  }
  double largest(double from, double to) const { return Linear<T>().largest(from, to); }
};

/// Every integrand in every type, for the instances at the end of a kernel file.
#define RIEMANN_FOR_EACH_INTEGRAND(use)                                                           \
  use(ExpSin<float>) use(SinSquare<float>) use(Kinked<float>) use(Root<float>) use(Linear<float>) \
      use(Constant<float>) use(Counted<float>) use(ExpSin<double>) use(SinSquare<double>)         \
          use(Kinked<double>) use(Root<double>) use(Linear<double>) use(Constant<double>)         \
              use(Counted<double>)
