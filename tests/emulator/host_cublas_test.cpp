// cuBLAS on the CPU: what its functions find, where factors and results are, and what is refused.

#include <cublasLt.h>
#include <cublas_v2.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Small integers, so that every order of a sum finds the same.
template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(static_cast<float>((static_cast<int>(i) * 7 + seed) % 11 - 5));
  return values;
}

class Cublas : public testing::Test {
 protected:
  Cublas() { EXPECT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS); }
  ~Cublas() override { cublasDestroy(handle_); }

  cublasHandle_t handle_ = nullptr;
};

struct Shape {
  int m, n, k;
};

// op(X)(row, column) of a column-major matrix.
float at(const std::vector<float>& x, int ld, cublasOperation_t op, int row, int column) {
  return x[static_cast<std::size_t>(op == CUBLAS_OP_N ? row + column * ld : column + row * ld)];
}

TEST_F(Cublas, MultipliesMatricesOfEveryShapeAndOrientation) {
  const float alpha = 2, beta = -1;
  for (const auto [m, n, k] : {Shape{1, 1, 1}, {65, 3, 7}, {64, 5, 64}, {130, 9, 1}, {3, 66, 5}})
    for (const auto op_a : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (const auto op_b : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        const int lda = (op_a == CUBLAS_OP_N ? m : k) + 2, ldb = (op_b == CUBLAS_OP_N ? k : n) + 1,
                  ldc = m + 3;
        const auto a = numbers<float>(static_cast<std::size_t>(lda * (op_a == CUBLAS_OP_N ? k : m)), 1);
        const auto b = numbers<float>(static_cast<std::size_t>(ldb * (op_b == CUBLAS_OP_N ? n : k)), 2);
        const auto c = numbers<float>(static_cast<std::size_t>(ldc * n), 3);
        const DeviceArray<float> device_a(a), device_b(b), device_c(c);
        ASSERT_EQ(cublasSgemm(handle_, op_a, op_b, m, n, k, &alpha, device_a.data(), lda, device_b.data(),
                              ldb, &beta, device_c.data(), ldc),
                  CUBLAS_STATUS_SUCCESS);
        std::vector<float> expected = c;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int term = 0; term < k; ++term) sum += at(a, lda, op_a, i, term) * at(b, ldb, op_b, term, j);
            float& to = expected[static_cast<std::size_t>(i + j * ldc)];
            to = alpha * sum + beta * to;
          }
        EXPECT_EQ(device_c.host(), expected) << m << ' ' << n << ' ' << k << ' ' << op_a << op_b;
      }
}

TEST_F(Cublas, BetaOfZeroDoesNotReadTheResult) {
  const double one = 1, zero = 0;
  const DeviceArray<double> a({3, 4}), b({5, 6}), c({nan});
  cublasDgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &one, a.data(), 2, b.data(), 2, &zero, c.data(), 1);
  EXPECT_EQ(c.host()[0], 39);
  const DeviceArray<double> y({nan, nan});
  cublasDgemv(handle_, CUBLAS_OP_N, 2, 1, &one, a.data(), 2, b.data(), 1, &zero, y.data(), 1);
  EXPECT_EQ(y.host(), (std::vector<double>{15, 20}));
}

TEST_F(Cublas, MultipliesBatchesAndNarrowTypes) {
  const float one = 1, zero = 0;
  const DeviceArray<float> a({1, 2, 3}), b({4, 5, 6}), c(3);
  cublasSgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.data(), 1, 1, b.data(), 1, 1,
                            &zero, c.data(), 1, 1, 3);
  EXPECT_EQ(c.host(), (std::vector<float>{4, 10, 18}));

  const DeviceArray<__half> x(numbers<__half>(6, 0));                // (2, 3)
  const DeviceArray<__nv_bfloat16> y(numbers<__nv_bfloat16>(3, 4));  // (3, 1)
  const DeviceArray<float> z(2);
  EXPECT_EQ(
      cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 3, &one, x.data(), CUDA_R_16F, 2, y.data(),
                   CUDA_R_16BF, 3, &zero, z.data(), CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_SUCCESS);
  const auto fx = numbers<float>(6, 0), fy = numbers<float>(3, 4);
  EXPECT_EQ(z.host(), (std::vector<float>{fx[0] * fy[0] + fx[2] * fy[1] + fx[4] * fy[2],
                                          fx[1] * fy[0] + fx[3] * fy[1] + fx[5] * fy[2]}));
  EXPECT_EQ(
      cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.data(), CUDA_R_8I, 1, y.data(),
                   CUDA_R_8I, 1, &zero, z.data(), CUDA_R_32I, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(Cublas, MultipliesAMatrixAndAVector) {
  const float alpha = 1, beta = 10;
  const DeviceArray<float> a({1, 2, 3, 4, 5, 6});  // (2, 3)
  const DeviceArray<float> x({1, 0, 2, 0, 3}), y({1, 1});
  cublasSgemv(handle_, CUBLAS_OP_N, 2, 3, &alpha, a.data(), 2, x.data(), 2, &beta, y.data(), 1);
  EXPECT_EQ(y.host(), (std::vector<float>{1 + 6 + 15 + 10, 2 + 8 + 18 + 10}));
  const DeviceArray<float> v({1, -1}), w({0, 0, 0});
  cublasSgemv(handle_, CUBLAS_OP_T, 2, 3, &alpha, a.data(), 2, v.data(), -1, &beta, w.data(), 1);
  EXPECT_EQ(w.host(), (std::vector<float>{1, 1, 1})) << "v from its end";
}

TEST_F(Cublas, WorksOnVectors) {
  const double alpha = 3;
  const DeviceArray<double> x({1, 2, -2}), y({10, 20, 30});
  cublasDaxpy(handle_, 3, &alpha, x.data(), 1, y.data(), -1);
  EXPECT_EQ(y.host(), (std::vector<double>{4, 26, 33}));
  cublasDscal(handle_, 2, &alpha, y.data(), 2);
  EXPECT_EQ(y.host(), (std::vector<double>{12, 26, 99}));
  cublasDcopy(handle_, 3, x.data(), 1, y.data(), 1);
  double dot = nan, norm = nan, sum = nan;
  cublasDdot(handle_, 3, x.data(), 1, y.data(), 1, &dot);  // waits: the result is the host's
  cublasDnrm2(handle_, 3, x.data(), 1, &norm);
  cublasDasum(handle_, 3, x.data(), 1, &sum);
  EXPECT_EQ(dot, 9);
  EXPECT_EQ(norm, 3);
  EXPECT_EQ(sum, 5);
  cublasDdot(handle_, 0, x.data(), 1, y.data(), 1, &dot);
  EXPECT_EQ(dot, 0);
}

TEST_F(Cublas, FindsTheLargestAndTheSmallestAndSwaps) {
  const DeviceArray<float> x({3, nan, -7, nan, 7, nan, 1});
  const DeviceArray<double> y({0, 5, 6}), z({1, 2, 3});
  int largest = -1, smallest = -1, none = -1;
  EXPECT_EQ(cublasIsamax(handle_, 4, x.data(), 2, &largest), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasIsamin(handle_, 4, x.data(), 2, &smallest), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasIdamax(handle_, 0, y.data(), 1, &none), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(largest, 2) << "the first of two";
  EXPECT_EQ(smallest, 4);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(cublasIdamin(handle_, 3, y.data(), 1, &none), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(none, 1);
  EXPECT_EQ(cublasDswap(handle_, 3, y.data(), 1, z.data(), -1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.host(), (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(z.host(), (std::vector<double>{6, 5, 0}));
  const DeviceArray<int> place({-1});
  cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
  EXPECT_EQ(cublasIdamax(handle_, 3, y.data(), 1, place.data()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(place.host()[0], 1);
}

TEST_F(Cublas, AddsMatricesAndOuterProducts) {
  const float two = 2, three = 3, zero = 0;
  const DeviceArray<float> a({1, 2, 3, 4, 5, 6});   // (2, 3)
  const DeviceArray<float> b({1, 1, 1, 0, 10, 0});  // (3, 2)
  const DeviceArray<float> c({nan, nan, nan, nan, nan, nan, nan, nan, nan});
  EXPECT_EQ(cublasSgeam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &two, a.data(), 2, &three, b.data(), 3,
                        c.data(), 4),
            CUBLAS_STATUS_SUCCESS);
  const std::vector<float> sum = c.host();
  for (const auto& [place, value] : {std::pair{0, 5}, {1, 9}, {2, 13}, {4, 4}, {5, 38}, {6, 12}})
    EXPECT_EQ(sum[static_cast<std::size_t>(place)], static_cast<float>(value)) << place;
  EXPECT_TRUE(std::isnan(sum[3])) << "between two columns";
  const DeviceArray<float> transposed(6);
  EXPECT_EQ(cublasSgeam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &two, a.data(), 2, &zero, nullptr, 3,
                        transposed.data(), 3),
            CUBLAS_STATUS_SUCCESS)
      << "B is not there";
  EXPECT_EQ(transposed.host(), (std::vector<float>{2, 6, 10, 4, 8, 12}));
  EXPECT_EQ(cublasSgeam(handle_, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, a.data(), 2, &zero, b.data(), 2,
                        a.data(), 2),
            CUBLAS_STATUS_INVALID_VALUE)
      << "in place, and transposed";
  const DeviceArray<float> x({1, 2}), y({10, nan, 20, nan, 30});
  EXPECT_EQ(cublasSger(handle_, 2, 3, &two, x.data(), 1, y.data(), 2, a.data(), 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(a.host(), (std::vector<float>{21, 42, 43, 84, 65, 126}));
}

TEST_F(Cublas, CopiesVectorsAndMatrices) {
  const std::vector<float> from = numbers<float>(12, 1);
  const DeviceArray<float> dense(4), strided({nan, nan, nan, nan, nan, nan, nan});
  EXPECT_EQ(cublasSetVector(4, sizeof(float), from.data(), 1, dense.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSetVector(4, sizeof(float), from.data(), 3, strided.data(), 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dense.host(), std::vector<float>(from.begin(), from.begin() + 4));
  const std::vector<float> there = strided.host();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(there[2 * i], from[3 * i]);
  EXPECT_TRUE(std::isnan(there[1]));
  std::vector<float> back(4, nan);
  EXPECT_EQ(cublasGetVector(4, sizeof(float), strided.data(), 2, back.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back, (std::vector<float>{from[0], from[3], from[6], from[9]}));

  const DeviceArray<float> matrix({nan, nan, nan, nan, nan, nan, nan, nan});
  EXPECT_EQ(cublasSetMatrix(3, 2, sizeof(float), from.data(), 5, matrix.data(), 4), CUBLAS_STATUS_SUCCESS);
  std::vector<float> columns(6, nan);
  EXPECT_EQ(cublasGetMatrixAsync(3, 2, sizeof(float), matrix.data(), 4, columns.data(), 3, nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(columns, (std::vector<float>{from[0], from[1], from[2], from[5], from[6], from[7]}));
  EXPECT_TRUE(std::isnan(matrix.host()[3]));

  EXPECT_EQ(cublasSetVector(0, 4, nullptr, 1, nullptr, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSetVector(1, 0, from.data(), 1, dense.data(), 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(1, 4, from.data(), 0, dense.data(), 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetMatrix(3, 2, 4, from.data(), 2, matrix.data(), 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(5, 4, from.data(), 1, dense.data(), 1), CUBLAS_STATUS_MAPPING_ERROR);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Cublas, FactorsAndResultsMayBeInDeviceMemory) {
  const DeviceArray<float> alpha({2}), x({3, 4}), y({1, 1}), result(1);
  EXPECT_EQ(cublasSaxpy(handle_, 2, alpha.data(), x.data(), 1, y.data(), 1), CUBLAS_STATUS_INVALID_VALUE);
  cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE);
  EXPECT_EQ(cublasSaxpy(handle_, 2, alpha.data(), x.data(), 1, y.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.host(), (std::vector<float>{7, 9}));
  EXPECT_EQ(cublasSnrm2(handle_, 2, x.data(), 1, result.data()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result.host()[0], 5);
}

TEST_F(Cublas, RunsInTheStreamOfTheHandle) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle_, stream), CUBLAS_STATUS_SUCCESS);
  float* shared = nullptr;
  ASSERT_EQ(cudaMallocManaged(&shared, 2 * sizeof(float)), cudaSuccess);
  shared[0] = shared[1] = 1;
  const float two = 2;
  cublasSscal(handle_, 2, &two, shared, 1);
  EXPECT_EQ(shared[0], 1) << "nobody has waited";
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(shared[0], 2);
  cudaFree(shared);
  EXPECT_EQ(cublasSetStream(handle_, nullptr), CUBLAS_STATUS_SUCCESS);
  cudaStreamDestroy(stream);
}

TEST_F(Cublas, RefusesWhatCannotBeRight) {
  const float one = 1;
  float* d = nullptr;  // freed by the reset below
  ASSERT_EQ(cudaMalloc(&d, 4 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(cublasSaxpy(nullptr, 1, &one, d, 1, d, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSaxpy(handle_, 1, nullptr, d, 1, d, 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &one, d, 1, d, 1, &one, d, 2),
            CUBLAS_STATUS_INVALID_VALUE)
      << "lda";
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, -1, 1, 1, &one, d, 1, d, 1, &one, d, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
  EXPECT_EQ(cublasSscal(handle_, 5, &one, d, 1), CUBLAS_STATUS_SUCCESS) << "seen when it runs, as on a GPU";
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress) << "5 of 4 elements";
  EXPECT_EQ(cublasSscal(handle_, 1, &one, d, 1), CUBLAS_STATUS_EXECUTION_FAILED) << "the device is broken";
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

}  // namespace
