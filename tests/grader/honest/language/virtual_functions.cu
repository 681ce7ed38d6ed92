// Virtual functions in a kernel.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <cstdint>

template <class T>
struct Operation {
  __device__ virtual T of(T x, T y) const = 0;
};
template <class T>
struct Adder : Operation<T> {
  __device__ T of(T x, T y) const override { return x + y; }
};
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const Adder<T> adder;
  const Operation<T>& operation = adder;
  if (i < n) c[i] = operation.of(a[i], b[i]);
