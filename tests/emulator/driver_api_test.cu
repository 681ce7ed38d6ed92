// The driver API beside the runtime, as on any GPU.
#include <cuda.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace {

__global__ void add_scaled(int* out, const int* in, int factor, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += factor * in[i];
}

__global__ void sum_shared(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) *out += tile[i];
  }
}

template <int value>
__global__ void store(int* out) {
  *out = value;
}

/// With device 0's primary context current.
class DriverApi : public testing::Test {
 protected:
  DriverApi() {
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGet(&device_, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context_, device_), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  }
  ~DriverApi() override {
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(device_), CUDA_SUCCESS);
  }
  static CUdeviceptr allocate(std::size_t bytes) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(cuMemAlloc(&pointer, bytes), CUDA_SUCCESS);
    return pointer;
  }

  CUdevice device_ = -1;
  CUcontext context_ = nullptr;
};

TEST_F(DriverApi, DevicesAreTheRuntimes) {
  int count = 0, runtime_count = 0, major = 0, minor = 0, warp = 0;
  char name[256] = "";
  std::size_t bytes = 0;
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceCount(&runtime_count), cudaSuccess);
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, runtime_count);
  EXPECT_EQ(cuDeviceGetName(name, sizeof name, device_), CUDA_SUCCESS);
  EXPECT_STREQ(name, properties.name);
  EXPECT_EQ(cuDeviceTotalMem(&bytes, device_), CUDA_SUCCESS);
  EXPECT_EQ(bytes, properties.totalGlobalMem);
  EXPECT_EQ(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device_), CUDA_SUCCESS);
  EXPECT_EQ(warp, 32);
  EXPECT_EQ(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device_),
            CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device_),
            CUDA_SUCCESS);
  EXPECT_EQ(major, properties.major);
  EXPECT_EQ(minor, properties.minor);
  EXPECT_EQ(cuDeviceGet(&count, 1000), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverApi, ContextsStackOnAThread) {
  CUcontext now = nullptr, popped = nullptr;
  CUdevice device = -1;
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, context_);
  CUcontext own = nullptr;
#if CUDA_VERSION >= 13000
  ASSERT_EQ(cuCtxCreate(&own, nullptr, 0, device_), CUDA_SUCCESS);
#else
  ASSERT_EQ(cuCtxCreate(&own, 0, device_), CUDA_SUCCESS);
#endif
  EXPECT_NE(own, context_);
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, own);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, device_);
  EXPECT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, own);
  EXPECT_EQ(cuCtxPushCurrent(own), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(own), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, context_);
}

TEST_F(DriverApi, AThreadWithoutAContextCannotAllocate) {
  CUresult result = CUDA_SUCCESS;
  CUcontext now = context_;
  std::thread([&] {
    CUdeviceptr pointer = 0;
    cuCtxGetCurrent(&now);
    result = cuMemAlloc(&pointer, 16);
  }).join();
  EXPECT_EQ(now, nullptr);
  EXPECT_EQ(result, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverApi, MemoryIsFilledAndCopied) {
  constexpr std::size_t n = 1000;
  const CUdeviceptr a = allocate(n * 4), b = allocate(n * 4);
  EXPECT_EQ(cuMemsetD32(a, 0x01020304, n), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8(a + 4, 0xff, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD16(a + 8, 0x0506, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoD(b, a, n * 4), CUDA_SUCCESS);
  std::vector<unsigned> host(n);
  EXPECT_EQ(cuMemcpyDtoH(host.data(), b, n * 4), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 0x01020304u);
  EXPECT_EQ(host[1], 0xffffffffu);
  EXPECT_EQ(host[2], 0x05060506u);
  EXPECT_EQ(host[n - 1], 0x01020304u);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_LE(free, total);
  CUdeviceptr none = 0;
  EXPECT_EQ(cuMemAlloc(&none, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD32(a + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the runtime knows nothing of the driver API's errors";
  EXPECT_EQ(cuMemFree(a), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(b), CUDA_SUCCESS);
}

TEST_F(DriverApi, KernelsOfTheProgramAreLaunchedInAStream) {
  unsigned n = 1000;
  int factor = 3;
  std::vector<int> ones(n, 1), result(n, -1);
  CUdeviceptr out = allocate(n * 4), in = allocate(n * 4);
  CUstream stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&begin, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&end, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  cudaFunction_t function = nullptr;
  ASSERT_EQ(cudaGetFuncBySymbol(&function, (const void*)add_scaled), cudaSuccess);
  EXPECT_EQ(cuMemsetD32Async(out, 5, n, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyHtoDAsync(in, ones.data(), n * 4, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(begin, stream), CUDA_SUCCESS);
  void* arguments[] = {&out, &in, &factor, &n};
  EXPECT_EQ(cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuEventRecord(end, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoHAsync(result.data(), out, n * 4, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_SUCCESS);
  EXPECT_EQ(result, std::vector<int>(n, 8));
  float milliseconds = -1;
  EXPECT_EQ(cuEventElapsedTime(&milliseconds, begin, end), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 0);
  EXPECT_NE(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy(begin), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy(end), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(out), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(in), CUDA_SUCCESS);
}

TEST_F(DriverApi, FunctionsTakeSharedMemoryAndTemplatesParameters) {
  CUdeviceptr out = allocate(4);
  cudaFunction_t sum = nullptr, seven = nullptr;
  ASSERT_EQ(cudaGetFuncBySymbol(&sum, (const void*)sum_shared), cudaSuccess);
  ASSERT_EQ(cudaGetFuncBySymbol(&seven, reinterpret_cast<const void*>(store<7>)), cudaSuccess);
  int threads = 0, result = 0;
  EXPECT_EQ(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sum), CUDA_SUCCESS);
  EXPECT_EQ(threads, 1024);
  EXPECT_EQ(cuFuncSetAttribute(sum, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000), CUDA_SUCCESS);
  void* arguments[] = {&out};
  EXPECT_EQ(cuLaunchKernel(sum, 1, 1, 1, 128, 1, 1, 60000, nullptr, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(&result, out, 4), CUDA_SUCCESS);
  EXPECT_EQ(result, 127 * 64);
  EXPECT_EQ(cuLaunchKernel(seven, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(&result, out, 4), CUDA_SUCCESS);
  EXPECT_EQ(result, 7);
  EXPECT_EQ(cuMemFree(out), CUDA_SUCCESS);
}

TEST_F(DriverApi, ErrorsHaveNames) {
  const char *name = nullptr, *text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_INVALID_CONTEXT");
  EXPECT_EQ(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "an illegal memory access was encountered");
}

}  // namespace
