#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <type_traits>

// What a reduction computes. Each operation names three types and four functions:
//
//   Input        of the elements: int, float or double
//   Accumulator  what partial results are kept in
//   Result       what comes out
//   identity()   the Accumulator that changes nothing: combine(identity(), x) is x
//   combine      of two partial results; any order is right, since it is commutative and associative
//                (for floating point: up to rounding)
//   result       what the total of n elements means
//
//   total_is_result      whether that is the total itself
//   exists_for_nothing   whether n = 0 has a result

/// x[0] + x[1] + ... in T itself. Sums of int wrap around modulo 2^32, whatever the order, as atomicAdd does;
/// `+` of the language leaves overflow undefined, so they are added as unsigned.
template <class T>
struct Sum {
  using Input = T;
  using Accumulator = T;
  using Result = T;
  static constexpr bool total_is_result = true;
  static constexpr bool exists_for_nothing = true;
  static constexpr const char* name = "sum";

  __host__ __device__ static T identity() { return 0; }
  __host__ __device__ static T combine(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
  __host__ __device__ static T result(T total, std::int64_t) { return total; }
};

/// The smallest element.
template <class T>
struct Min {
  using Input = T;
  using Accumulator = T;
  using Result = T;
  static constexpr bool total_is_result = true;
  static constexpr bool exists_for_nothing = false;
  static constexpr const char* name = "min";

  static constexpr T largest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                    : std::numeric_limits<T>::max();
  __host__ __device__ static T identity() { return largest; }
  __host__ __device__ static T combine(T a, T b) { return b < a ? b : a; }
  __host__ __device__ static T result(T total, std::int64_t) { return total; }
};

/// The largest element.
template <class T>
struct Max {
  using Input = T;
  using Accumulator = T;
  using Result = T;
  static constexpr bool total_is_result = true;
  static constexpr bool exists_for_nothing = false;
  static constexpr const char* name = "max";

  static constexpr T smallest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::min();
  __host__ __device__ static T identity() { return smallest; }
  __host__ __device__ static T combine(T a, T b) { return a < b ? b : a; }
  __host__ __device__ static T result(T total, std::int64_t) { return total; }
};

/// The sum divided by the number of elements. Integers are added in 64 bits, which fewer than 2^32 of them
/// cannot overflow, floating point in double.
template <class T>
struct Mean {
  using Input = T;
  using Accumulator = std::conditional_t<std::is_integral_v<T>, long long, double>;
  using Result = double;
  static constexpr bool total_is_result = false;
  static constexpr bool exists_for_nothing = false;
  static constexpr const char* name = "mean";

  __host__ __device__ static Accumulator identity() { return 0; }
  __host__ __device__ static Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
  __host__ __device__ static double result(Accumulator total, std::int64_t n) {
    return static_cast<double>(total) / static_cast<double>(n);
  }
};

/// Every operation on every element type: what each launcher is instantiated for.
#define REDUCTION_FOR_EACH_OPERATION(X) \
  X(Sum<int>)                           \
  X(Sum<float>)                         \
  X(Sum<double>)                        \
  X(Min<int>)                           \
  X(Min<float>)                         \
  X(Min<double>)                        \
  X(Max<int>)                           \
  X(Max<float>)                         \
  X(Max<double>)                        \
  X(Mean<int>)                          \
  X(Mean<float>)                        \
  X(Mean<double>)
