// Sums and differences of 16 bytes at a time.
#include "common/vector16.hpp"

#include "tests/emulator/device_array.hpp"

using warplab::Vector16;
using warplab::test::DeviceArray;

template <class T>
__global__ void add_and_subtract(const T* a, const T* b, T* out) {
  using Vector = typename Vector16<T>::type;
  const Vector x = *reinterpret_cast<const Vector*>(a), y = *reinterpret_cast<const Vector*>(b);
  reinterpret_cast<Vector*>(out)[0] = x + y;
  reinterpret_cast<Vector*>(out)[1] = x - y;
}

/// The sums of a's and b's elements, then their differences.
template <class T>
static std::vector<T> sums_and_differences(const std::vector<T>& a, const std::vector<T>& b) {
  const DeviceArray<T> left(a), right(b), out(2 * a.size());
  add_and_subtract<<<1, 1>>>(left.data(), right.data(), out.data());
  return out.host();
}

TEST(Vector16, AddsAndSubtractsElementByElement) {
  EXPECT_EQ(sums_and_differences<int>({1, 2, 3, 4}, {10, 200, -3, 7}),
            (std::vector<int>{11, 202, 0, 11, -9, -198, 6, -3}));
  EXPECT_EQ(sums_and_differences<float>({1, 2, 3, 4}, {0.5f, 0.25f, -3, 7}),
            (std::vector<float>{1.5f, 2.25f, 0, 11, 0.5f, 1.75f, 6, -3}));
  EXPECT_EQ(sums_and_differences<double>({1, 2}, {0.5, -4}), (std::vector<double>{1.5, -2, 0.5, 6}));
}
